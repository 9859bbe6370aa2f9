"""`pads rehearse`: the job rehearse with its lights, ending green or saying what to do."""

from __future__ import annotations

import argparse
import signal
import sys
from typing import Any

from engine.errors import JobFailed
from engine.evaluation.machine.rehearsal import Light
from engine.jobs import catalogue
from engine.jobs.runner import JobProcess
from engine.records.output import print_record
from engine.records.progress import Ended, Metric, Note, Phase

_POLL_S = 0.1


def add_parser(verbs: Any) -> None:
    """Add `rehearse` to the verbs."""
    parser = verbs.add_parser(
        "rehearse", help="check microphone, models, one turn, heat and power before presenting"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    """0 when nothing is red, else 1. Raises `JobFailed` when the rehearsal broke off."""
    process = JobProcess(catalogue.find("rehearse"), {})
    before = signal.signal(signal.SIGINT, lambda *_: process.cancel())
    try:
        ended = _follow(process, as_json=arguments.json)
    finally:
        signal.signal(signal.SIGINT, before)
        process.close()
    result = process.run.result()
    if result is None:
        raise JobFailed(
            f"The rehearsal broke off ({ended.reason})", remedy=f"see {process.run.folder}"
        )
    if arguments.json:
        summary = {name: result[name] for name in ("light", "verdict", "evidence")}
        print_record({"type": "summary", "run": process.run.name, **summary})
    return 1 if result["light"] == Light.RED else 0


def _follow(process: JobProcess, *, as_json: bool) -> Ended:
    """Tell each check as it is made; returns how it ended."""
    while True:
        for report in process.poll():
            match report:
                case Note(text=text) if not as_json:
                    print(text, flush=True)
                case Metric(values={"check": dict(check)}) if as_json:
                    print_record({"type": "check", **check})
                case Phase(name=name) if not as_json:
                    print(f"{name} …", file=sys.stderr, flush=True)
                case Ended():
                    return report
        process.wait(_POLL_S)
