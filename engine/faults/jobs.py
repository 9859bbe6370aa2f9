"""A job that is killed while it works."""

from __future__ import annotations

import os
import signal
import time
from contextlib import closing
from pathlib import Path

from engine import paths
from engine.faults.case import NotAsExpected, Observed, until
from engine.jobs import catalogue
from engine.jobs.runner import JobProcess
from engine.records.progress import Ended, Phase, Report
from engine.records.runs import RunStatus


def killed(_: Path) -> Observed:
    """A check: SIGKILL to a job at work; its run says by what it ended, and claims no result."""
    seen: list[Report] = []

    def poll(kind: type[Report]) -> bool:
        seen.extend(process.poll())
        return any(isinstance(report, kind) for report in seen)

    job = catalogue.find("bandwidth")
    with closing(JobProcess(job, {}, runs=paths.runs())) as process:
        until(lambda: poll(Phase), "the job never began")
        began_s = time.monotonic()
        os.kill(process.run.manifest()["process"], signal.SIGKILL)
        until(lambda: poll(Ended), "nobody noticed that the job died")
        took_s = time.monotonic() - began_s
    run = process.run
    if run.status() is not RunStatus.INTERRUPTED or run.result() is not None:
        raise NotAsExpected(f"the run is called {run.status()}, its result {run.result()}")
    reason = run.manifest().get("reason", "")
    if "9" not in reason:
        raise NotAsExpected(f"the run says {reason!r}")
    return Observed(
        words=f"the run is interrupted ({reason})",
        recovery_s=took_s,
        lost="the job's work since its last checkpoint",
    )
