"""`pads job`: list, run, show, compare, supersede, keep, follow, cancel and resume."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine import paths
from engine.errors import JobFailed, PadsError
from engine.jobs import catalogue, child, queue, showing, supervisor
from engine.jobs.following import Follower
from engine.jobs.job import Job, Parameter, Value
from engine.jobs.resuming import resumption
from engine.jobs.runner import JobProcess
from engine.jobs.telling import Voice, described, say_json, summary
from engine.records import runs
from engine.records.keeping import keep
from engine.records.output import print_record
from engine.records.progress import Ended, Report
from engine.records.runs import RunStatus
from engine.records.superseding import supersede

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
    verbs = "{list,run,show,compare,supersede,keep,follow,cancel,resume}"
    actions = parser.add_subparsers(dest="action", required=True, metavar=verbs)
    listing = actions.add_parser("list", help="the jobs, or the runs there have been")
    listing.add_argument("--runs", action="store_true", help="list runs, newest first")
    listing.set_defaults(run=_list)
    running = actions.add_parser("run", help="run a job and follow it; Ctrl+C cancels")
    names = running.add_subparsers(dest="job", required=True, metavar="NAME")
    for job in catalogue.JOBS:
        one = names.add_parser(job.name, help=job.title, description=job.description)
        one.add_argument("--purpose", default="", help="why, for the record")
        for parameter in job.parameters:
            _add_flag(one, parameter)
        _add_start(one)
        one.set_defaults(run=_run)
    comparing = actions.add_parser("compare", help="two runs of a job side by side")
    comparing.add_argument("names", nargs=2, metavar="RUN", help="as for show")
    comparing.set_defaults(run=_compare)
    superseding = actions.add_parser("supersede", help="say that a newer run replaces an older")
    superseding.add_argument("names", nargs=2, metavar="RUN", help="the older, then the newer")
    superseding.set_defaults(run=_supersede)
    keeping = actions.add_parser("keep", help="copy a run's result and record into a folder")
    keeping.add_argument("name", metavar="RUN", help="as for show")
    keeping.add_argument("folder", type=Path, help="where to keep them, as an example report")
    keeping.set_defaults(run=_keep)
    about = {
        "show": ("a run's purpose, status and result", _show),
        "follow": ("what a run in the background reports; Ctrl+C only stops following", _follow),
        "cancel": ("end a run that waits or runs in the background", _cancel),
        "resume": ("go on with an interrupted run from its last checkpoint", _resume),
    }
    ones = {}
    for name, (text, function) in about.items():
        ones[name] = actions.add_parser(name, help=text)
        ones[name].add_argument(
            "name", metavar="RUN", help="its id, a beginning of it, or `latest`"
        )
        ones[name].set_defaults(run=function)
    _add_start(ones["resume"])
    for action in (listing, ones["show"], ones["follow"]):
        _add_json(action)
    _add_insides(actions)


def _add_start(parser: argparse.ArgumentParser) -> None:
    """How a job is started."""
    parser.add_argument(
        "--queue", action="store_true", help="run it in the background, after those that wait"
    )
    parser.add_argument(
        "--memory-limit",
        type=float,
        metavar="MB",
        help="end it when it uses more (default: what is free)",
    )
    _add_json(parser)


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
    return _begin(job, given, arguments, purpose=arguments.purpose)


def _begin(
    job: Job, given: Mapping[str, Value], arguments: argparse.Namespace, *, purpose: str
) -> int:
    """Queue a job, or run it at once and follow it."""
    limit_mb = arguments.memory_limit
    if arguments.queue:
        run = queue.add(job, given, purpose=purpose, memory_limit_mb=limit_mb)
        print(f"run {run.name} is queued: `pads job follow {run.name}` follows it")
        return 0
    process = JobProcess(job, given, purpose=purpose, memory_limit_mb=limit_mb)
    if not arguments.json:
        print(f"run {process.run.name}", flush=True)
    reason = ""
    say = say_json if arguments.json else Voice().say
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
        print_record(summary(run, status, reason, result))
    if status is RunStatus.FAILED:
        print(f"FATAL: {reason}", file=sys.stderr)
    elif status is not RunStatus.FINISHED:
        print(f"pads: the run {run.name} was interrupted: {reason}", file=sys.stderr)
    elif not as_json:
        print(f"finished: {run.folder}")
    if status is RunStatus.FINISHED:
        return child.FINISHED
    return process.exit_code or child.FAILED


def _list(arguments: argparse.Namespace) -> int:
    if arguments.runs:
        for run in runs.every(paths.runs()):
            try:
                manifest = run.manifest()
            except JobFailed as exc:
                print(f"pads: {exc}", file=sys.stderr)
                continue
            if arguments.json:
                print_record({"type": "run", **manifest})
            else:
                standing = "superseded" if manifest.get("superseded_by") else manifest["status"]
                print(f"{standing:12} {run.name}  {manifest['purpose']}")
        return 0
    for job in catalogue.JOBS:
        if arguments.json:
            print_record({"type": "job", **described(job)})
        else:
            print(f"{job.name:24} {job.title}")
    return 0


def _show(arguments: argparse.Namespace) -> int:
    run = runs.find(paths.runs(), arguments.name)
    if arguments.json:
        manifest = run.manifest()
        status, reason = RunStatus(manifest["status"]), manifest.get("reason", "")
        print_record({**summary(run, status, reason, run.result()), **manifest})
        return 0
    for line in showing.described(run):
        print(line)
    return 0


def _compare(arguments: argparse.Namespace) -> int:
    first, second = (runs.find(paths.runs(), name) for name in arguments.names)
    for run in (first, second):
        if run.result() is None:
            raise JobFailed(
                f"The run {run.name} has no result", remedy="compare runs that have finished"
            )
    for line in showing.compared(first, second):
        print(line)
    return 0


def _supersede(arguments: argparse.Namespace) -> int:
    older, newer = (runs.find(paths.runs(), name) for name in arguments.names)
    supersede(older, newer)
    print(f"the run {older.name} is superseded by {newer.name}")
    return 0


def _keep(arguments: argparse.Namespace) -> int:
    run = runs.find(paths.runs(), arguments.name)
    keep(run, arguments.folder)
    print(f"the run {run.name} is kept in {arguments.folder}")
    return 0


def _cancel(arguments: argparse.Namespace) -> int:
    run = runs.find(paths.runs(), arguments.name)
    if run.status() not in (RunStatus.QUEUED, RunStatus.RUNNING):
        raise JobFailed(
            f"The run {run.name} is {run.status()}", remedy="only a queued or running one can end"
        )
    run.request_cancel()
    print(f"the run {run.name} is being cancelled")
    return 0


def _follow(arguments: argparse.Namespace) -> int:
    """Print what a run reports, from its beginning, until it is over; Ctrl+C only stops this."""
    follower = Follower(runs.find(paths.runs(), arguments.name))
    say = say_json if arguments.json else Voice().say
    while True:
        for report in follower.poll():
            say(report)
        if follower.over:
            break
        time.sleep(_POLL_S)
    if arguments.json:
        run, reason = follower.run, follower.manifest.get("reason", "")
        print_record(summary(run, follower.status, reason, run.result()))
    else:
        print(f"{follower.status}: {follower.run.folder}")
    return child.FINISHED if follower.status is RunStatus.FINISHED else child.FAILED


def _resume(arguments: argparse.Namespace) -> int:
    run = runs.find(paths.runs(), arguments.name)
    job, given = resumption(run)
    return _begin(job, given, arguments, purpose=f"go on with {run.name}")
