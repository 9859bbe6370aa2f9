"""What `pads job` says while a job runs: sentences for people, or one JSON object a line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from engine.jobs.job import Job
from engine.records.progress import Ended, Metric, Note, Phase, Report, to_line
from engine.records.runs import RunDirectory, RunStatus


def say_json(report: Report) -> None:
    """Print one report as JSON; the end is told by the summary."""
    if not isinstance(report, Ended):
        print(to_line(report), end="", flush=True)


class Voice:
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


def summary(
    run: RunDirectory, status: RunStatus, reason: str, result: dict[str, Any] | None
) -> dict[str, Any]:
    """A run's last line of JSON."""
    return {
        "type": "summary",
        "run": run.name,
        "folder": str(run.folder),
        "status": status.value,
        "reason": reason,
        "result": result,
    }


def described(job: Job) -> dict[str, Any]:
    """A job and its parameters as JSON."""
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
