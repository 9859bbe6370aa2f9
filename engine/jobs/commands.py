"""`pads job list|run|show`."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine import paths
from engine.errors import PadsError
from engine.jobs import catalogue, child, queue, supervisor
from engine.jobs.job import Job, Parameter
from engine.jobs.runner import JobProcess
from engine.records import runs
from engine.records.evidence import is_figure, words
from engine.records.output import print_record
from engine.records.progress import Ended, Metric, Note, Phase, Report, to_line
from engine.records.runs import RunDirectory, RunStatus

_POLL_S = 0.1


def main(argv: list[str]) -> int:
    """`pads job` alone, as the child process runs it; 1 with one sentence on a failure."""
    parser = argparse.ArgumentParser(prog="pads job")
    _add_actions(parser)
    arguments = parser.parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except PadsError as exc:
        print(f"pads: {exc}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return child.CANCELLED


def add_parser(verbs: Any) -> None:
    """Add `job` to the verbs; each action sets `run`, a function of the parsed arguments."""
    _add_actions(verbs.add_parser("job", help="train and evaluate in the background"))


def _add_actions(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="{list,run,show}")
    listing = actions.add_parser("list", help="the jobs, or the runs there have been")
    listing.add_argument("--runs", action="store_true", help="list runs, newest first")
    listing.set_defaults(run=_list)
    show = actions.add_parser("show", help="a run's purpose, status and result")
    show.add_argument("name", metavar="RUN", help="its id, a beginning of it, or `latest`")
    show.set_defaults(run=_show)
    running = actions.add_parser("run", help="run a job and follow it; Ctrl+C cancels")
    names = running.add_subparsers(dest="job", required=True, metavar="NAME")
    for job in catalogue.JOBS:
        one = names.add_parser(job.name, help=job.title, description=job.description)
        one.add_argument("--purpose", default="", help="why, for the record")
        for parameter in job.parameters:
            _add_flag(one, parameter)
        _add_json(one)
        one.set_defaults(run=_run)
    _add_json(listing)
    _add_json(show)
    _add_insides(actions)


def _add_insides(actions: Any) -> None:
    """What this program starts itself with."""
    inside = actions.add_parser("child")
    inside.add_argument("folder", type=Path)
    inside.add_argument("supervisor", type=int)
    inside.set_defaults(run=lambda given: child.run(given.folder, given.supervisor))
    above = actions.add_parser("supervise")
    above.add_argument("folder", type=Path)
    above.set_defaults(run=lambda given: supervisor.main(given.folder))
    actions.add_parser("work").set_defaults(run=lambda _: queue.work())


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def _add_flag(parser: argparse.ArgumentParser, parameter: Parameter) -> None:
    default = "" if parameter.default in (None, False) else f" (default: {parameter.default})"
    text = (parameter.description + default).replace("%", "%%")
    if parameter.kind is bool:
        parser.add_argument(
            parameter.flag,
            dest=parameter.name,
            default=parameter.default,
            action=argparse.BooleanOptionalAction if parameter.default else "store_true",
            help=text,
        )
        return
    parser.add_argument(
        parameter.flag,
        dest=parameter.name,
        default=parameter.default,
        metavar=parameter.kind.__name__.upper(),
        choices=parameter.choices or None,
        help=text,
    )


def _run(arguments: argparse.Namespace) -> int:
    job = catalogue.find(arguments.job)
    given = {p.name: getattr(arguments, p.name) for p in job.parameters}
    process = JobProcess(job, given, purpose=arguments.purpose)
    if not arguments.json:
        print(f"run {process.run.name}", flush=True)
    reason = ""
    say = _say_json if arguments.json else _Voice().say
    # Ctrl+C while a report is being printed must not end this before the job has.
    before = signal.signal(signal.SIGINT, lambda *_: process.cancel())
    try:
        for report in _reports(process):
            say(report)
            if isinstance(report, Ended):
                reason = report.reason
    finally:
        signal.signal(signal.SIGINT, before)
        process.close()
    return _concluded(process, reason, arguments.json)


def _reports(process: JobProcess) -> Iterator[Report]:
    """Everything the job reports, until it has ended; Ctrl+C asks it to end."""
    while True:
        try:
            reports = process.poll()
            yield from reports
            if any(isinstance(report, Ended) for report in reports):
                return
            process.wait(_POLL_S)
        except KeyboardInterrupt:
            process.cancel()


def _concluded(process: JobProcess, reason: str, as_json: bool) -> int:
    run = process.run
    status, result = run.status(), run.result()
    if as_json:
        print_record(_summary(run, status, reason, result))
    if status is RunStatus.FAILED:
        print(f"FATAL: {reason}", file=sys.stderr)
    elif status is not RunStatus.FINISHED:
        print(f"pads: the run {run.name} was interrupted: {reason}", file=sys.stderr)
    elif not as_json:
        print(f"finished: {run.folder}")
    if status is RunStatus.FINISHED:
        return child.FINISHED
    return process.exit_code or child.FAILED


def _say_json(report: Report) -> None:
    if not isinstance(report, Ended):
        print(to_line(report), end="", flush=True)


class _Voice:
    """Reports for people: notes, and a phase when it begins and at every tenth of the job."""

    def __init__(self) -> None:
        self._said: tuple[str, int] | None = None

    def say(self, report: Report) -> None:
        """Print one report."""
        match report:
            case Phase(name=name, fraction=fraction, eta_s=eta_s):
                mark = (name, int((fraction or 0) * 10))
                if mark == self._said:
                    return
                self._said = mark
                done = "" if fraction is None else f"{fraction:4.0%} "
                left = "" if eta_s is None else f" (about {eta_s:.0f} s left)"
                print(f"{done}{name}{left}", file=sys.stderr, flush=True)
            case Note(text=text):
                print(text, flush=True)
            case Metric() | Ended():
                pass


def _list(arguments: argparse.Namespace) -> int:
    if arguments.runs:
        for run in runs.every(paths.runs()):
            manifest = run.manifest()
            if arguments.json:
                print_record({"type": "run", **manifest})
            else:
                print(f"{manifest['status']:12} {run.name}  {manifest['purpose']}")
        return 0
    for job in catalogue.JOBS:
        if arguments.json:
            print_record({"type": "job", **_described(job)})
        else:
            print(f"{job.name:24} {job.title}")
    return 0


def _show(arguments: argparse.Namespace) -> int:
    run = runs.find(paths.runs(), arguments.name)
    manifest, result = run.manifest(), run.result()
    status = RunStatus(manifest["status"])
    if arguments.json:
        print_record({**_summary(run, status, manifest.get("reason", ""), result), **manifest})
        return 0
    for name in ("run", "job", "purpose", "status", "reason", "started", "ended", "command"):
        if name in manifest:
            print(f"{name:10} {manifest[name]}")
    code = manifest["code"]
    print(f"{'code':10} {code['commit'] or code['version']}{' (changed)' * bool(code['changed'])}")
    print(f"{'folder':10} {run.folder}")
    if result is None:
        print(f"{'result':10} none: the run is {status}")
    else:
        _print_figures(result, "")
    return 0


def _summary(
    run: RunDirectory, status: RunStatus, reason: str, result: dict[str, Any] | None
) -> dict[str, Any]:
    return {
        "type": "summary",
        "run": run.name,
        "folder": str(run.folder),
        "status": status.value,
        "reason": reason,
        "result": result,
    }


def _described(job: Job) -> dict[str, Any]:
    return {
        "name": job.name,
        "title": job.title,
        "description": job.description,
        "parameters": [
            {
                "name": p.name,
                "flag": p.flag,
                "kind": p.kind.__name__,
                "default": str(p.default) if isinstance(p.default, Path) else p.default,
                "minimum": p.minimum,
                "maximum": p.maximum,
                "choices": list(p.choices),
                "description": p.description,
            }
            for p in job.parameters
        ],
    }


def _print_figures(record: dict[str, Any], prefix: str) -> None:
    for name, value in record.items():
        if is_figure(value):
            print(f"{prefix + name:40} {words(value)}")
        elif isinstance(value, dict):
            _print_figures(value, f"{prefix}{name}.")
