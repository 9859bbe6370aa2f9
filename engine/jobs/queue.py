"""Jobs one after another: a worker process of its own does what waits, and ends when all is done.

What waits are run folders with the status `queued`, so the queue outlives windows, workers and
the machine's restart. A lock file that the kernel releases keeps a second worker away.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from engine import paths
from engine.errors import JobFailed
from engine.jobs import supervisor
from engine.jobs.job import Job, Value
from engine.jobs.launch import job_command, job_directory
from engine.records import runs
from engine.records.folders import read_json
from engine.records.runs import RunDirectory, RunStatus


def add(
    job: Job,
    given: Mapping[str, Value],
    *,
    purpose: str = "",
    memory_limit_mb: float | None = None,
) -> RunDirectory:
    """Queue a job and see to it that the queue is worked off; `JobFailed` for bad parameters."""
    run = job_directory(job, given, purpose=purpose, memory_limit_mb=memory_limit_mb, queued=True)
    start_worker()
    return run


def waiting() -> list[RunDirectory]:
    """Runs that wait, the next one first."""
    queued = []
    for run in runs.every(paths.runs()):
        stored = read_json(run.folder / "manifest.json") or {}  # a damaged one waits for nothing
        if stored.get("status") == RunStatus.QUEUED and run.status() is RunStatus.QUEUED:
            queued.append((stored.get("queued_ns", 0), run))
    return [run for _, run in sorted(queued, key=lambda one: one[0])]


def start_worker() -> None:
    """Start a worker that outlives this process; it ends at once if another is at work."""
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        # A console of its own, unseen: without one each job would open another, out of its reach.
        apart = {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
    try:
        with (paths.runs() / "queue.log").open("ab") as log:
            worker = subprocess.Popen(
                job_command("work"),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                **apart,
            )
    except OSError as exc:
        raise JobFailed(
            f"The queue of jobs cannot be started ({exc})",
            remedy=f"check that {paths.runs()} can be written and has space",
        ) from exc
    # Somebody has to take its exit status, else it stays in the process table as a zombie.
    threading.Thread(target=worker.wait, name="queue-worker", daemon=True).start()


def work() -> int:
    """Do what waits, one after another, until nothing does or can be begun; returns 0 or 1."""
    # After the lock is given back one more look: a run queued meanwhile met a locked door.
    while waiting():
        with _alone() as alone:
            if not alone:
                return 0
            while left := waiting():
                if not _done(left[0]):
                    return 1
    return 0


def _done(run: RunDirectory) -> bool:
    """Do one run; False where it still waits, since not even its beginning can be recorded."""
    try:
        supervisor.supervise(run.folder)
    except (OSError, JobFailed) as exc:  # its folder was deleted, or the disk is full
        traceback.print_exc()
        with suppress(OSError):
            run.end(RunStatus.FAILED, f"it could not be recorded ({exc})")
        return run.folder not in [left.folder for left in waiting()]
    return True


@contextmanager
def _alone() -> Iterator[bool]:
    """Whether this process is the only worker while the block lasts."""
    with (paths.runs() / "queue.lock").open("ab") as file:
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True
