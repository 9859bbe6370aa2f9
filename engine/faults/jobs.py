"""A job that is killed while it works, or the process that supervises it."""

from __future__ import annotations

import os
import shutil
import signal
import time
from contextlib import closing
from pathlib import Path

import psutil

from engine import paths
from engine.faults.case import NotAsExpected, Observed, running, until
from engine.jobs import catalogue
from engine.jobs.runner import JobProcess
from engine.records.progress import Ended, Phase
from engine.records.runs import RunStatus


def supervisor_killed(_: Path) -> Observed:
    """A check: SIGKILL to a job's supervisor; the job ends with it, and claims no result."""
    job = catalogue.find("bandwidth")
    with closing(JobProcess(job, {}, runs=paths.runs())) as process:
        at_work = _at_work(process)
        began_s = time.monotonic()
        os.kill(at_work.ppid(), signal.SIGKILL)
        try:
            until(lambda: not running(at_work), "the job works on alone", 10.0)
        finally:
            if running(at_work):
                at_work.kill()
        until(lambda: any(isinstance(r, Ended) for r in process.poll()), "nobody noticed")
        took_s = time.monotonic() - began_s
    run = process.run
    if run.status() is not RunStatus.INTERRUPTED or run.result() is not None:
        raise NotAsExpected(f"the run is called {run.status()}, its result {run.result()}")
    return Observed(
        words=f"the job ended, too, and its run is interrupted ({run.manifest().get('reason')})",
        recovery_s=took_s,
        lost="the job's work since its last checkpoint",
    )


def folder_deleted(_: Path) -> Observed:
    """A check: a job's run is deleted while it works; its end is told, and no process is left."""
    job = catalogue.find("bandwidth")
    with closing(JobProcess(job, {}, runs=paths.runs())) as process:
        at_work = _at_work(process)
        above = at_work.parent()
        shutil.rmtree(process.run.folder)
        began_s = time.monotonic()
        ends: list[Ended] = []

        def ended() -> bool:
            ends.extend(report for report in process.poll() if isinstance(report, Ended))
            return bool(ends)

        until(ended, "nobody noticed", 120.0)
        took_s = time.monotonic() - began_s
        left = [one for one in (at_work, above) if one is not None]
        until(lambda: not any(running(one) for one in left), "it works on", 10.0)
    if ends[0].status != RunStatus.INTERRUPTED:
        raise NotAsExpected(f"the run is called {ends[0].status} ({ends[0].reason})")
    return Observed(
        words=f"the run is interrupted ({ends[0].reason})", recovery_s=took_s, lost="the run"
    )


def _at_work(process: JobProcess) -> psutil.Process:
    """The job's own process, once it has begun."""
    until(lambda: any(isinstance(r, Phase) for r in process.poll()), "the job never began", 120.0)
    return psutil.Process(process.run.manifest()["process"])


def killed(_: Path) -> Observed:
    """A check: SIGKILL to a job at work; its run says by what it ended, and claims no result."""
    job = catalogue.find("bandwidth")
    with closing(JobProcess(job, {}, runs=paths.runs())) as process:
        at_work = _at_work(process)
        began_s = time.monotonic()
        at_work.kill()
        until(lambda: any(isinstance(r, Ended) for r in process.poll()), "nobody noticed")
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
