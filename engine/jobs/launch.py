"""Making a job's run directory, and how this program starts itself again for it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from engine import paths
from engine.errors import JobFailed
from engine.jobs.job import Job, Value
from engine.records.runs import RunDirectory
from engine.telemetry import target


def job_command(*words: str) -> list[str]:
    """The command line of `pads job WORDS…` as a child process, from source and frozen alike.

    A frozen application has no interpreter beside it: its own executable takes the verbs.
    """
    if getattr(sys, "frozen", False):
        return [sys.executable, "job", *words]
    return [sys.executable, "-m", "engine.jobs", *words]


def job_directory(
    job: Job,
    given: Mapping[str, Value],
    *,
    purpose: str = "",
    memory_limit_mb: float | None = None,
    runs: Path | None = None,
    queued: bool = False,
) -> RunDirectory:
    """Check the parameters and make the run's folder; `JobFailed` otherwise."""
    values = job.resolved(given)
    machine = target.describe()
    try:
        return RunDirectory.create(
            runs or paths.runs(),
            job=job.name,
            purpose=purpose or job.description,
            command=_as_typed(job, values),
            parameters={n: str(v) if isinstance(v, Path) else v for n, v in values.items()},
            machine=machine.record(),
            target_hardware=machine.is_target,
            queued=queued,
            memory_limit_mb=memory_limit_mb,
        )
    except OSError as exc:
        raise JobFailed(
            f"The job {job.name} cannot be started ({exc})",
            remedy=f"check that {runs or paths.runs()} can be written and has space",
        ) from exc


def _as_typed(job: Job, values: Mapping[str, Value]) -> list[str]:
    """The command a user would type for this job."""
    command = ["pads", "job", "run", job.name]
    for parameter in job.parameters:
        value = values[parameter.name]
        if value is None or value is False or value == "":
            continue
        command.append(parameter.flag)
        if value is not True:
            command.append(str(value))
    return command
