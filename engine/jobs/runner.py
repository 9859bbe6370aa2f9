"""Starting a job, and following what it reports without ever blocking.

The job's standard output and error go straight into files of its run directory, and its reports
are read from there. So nothing is lost when the reader is slow, no thread is needed, a job
outlives the window that started it, and a new window follows it on.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine import reading
from engine.errors import JobFailed
from engine.jobs.child import CANCELLED
from engine.jobs.job import Job, Value
from engine.jobs.launch import job_command, job_directory
from engine.jobs.supervisor import GRACE_S
from engine.records.progress import Ended, Report, from_line
from engine.records.runs import RunStatus

_MERCY_S = GRACE_S + 5.0
"""How long the supervisor of a cancelled job may take; it kills the job before that."""


class ProgressReader:
    """Reports of a run as they are appended to its progress.jsonl."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "progress.jsonl"
        self._read = 0

    def poll(self) -> list[Report]:
        """The reports since the last call; lines still being written wait for the next."""
        try:
            with reading.regular(self._path) as file:
                file.seek(self._read)
                content = file.read(reading.LINE)
        except OSError:
            return []
        whole = content[: content.rfind(b"\n") + 1]
        # So much without a line's end is none of a job's reports.
        self._read += len(whole) or (len(content) // reading.LINE * reading.LINE)
        lines = whole.decode("utf-8", "replace").splitlines()
        return [report for line in lines if (report := from_line(line)) is not None]


class JobProcess:
    """One job that runs at once. `poll` it, `cancel` it; `close` cancels and waits."""

    def __init__(
        self,
        job: Job,
        given: Mapping[str, Value],
        *,
        purpose: str = "",
        memory_limit_mb: float | None = None,
        runs: Path | None = None,
    ) -> None:
        """Check the parameters, make the run directory and start; `JobFailed` otherwise."""
        self.run = job_directory(
            job, given, purpose=purpose, memory_limit_mb=memory_limit_mb, runs=runs
        )
        self._reader = ProgressReader(self.run.folder)
        try:
            self._process = _start(self.run.folder)
        except OSError as exc:
            self.run.end(RunStatus.FAILED, f"its process cannot be started ({exc})")
            raise JobFailed(
                f"The job {job.name} cannot be started ({exc})",
                remedy="close other programs, then start it again",
            ) from exc
        self._killed_after_s: float | None = None
        self._ended = False

    @property
    def running(self) -> bool:
        """Whether the process has not ended yet."""
        return self._process.poll() is None

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called while it ran."""
        return self._killed_after_s is not None

    @property
    def exit_code(self) -> int | None:
        """0 finished, 1 failed, 130 cancelled, 137 out of memory; None while it runs."""
        code = self._process.poll()
        if code and self.cancelled:
            return CANCELLED
        return 128 - code if code is not None and code < 0 else code

    def poll(self) -> list[Report]:
        """What was reported since the last call; after the last comes exactly one `Ended`."""
        ended = not self.running
        if self._killed_after_s is not None and time.monotonic() > self._killed_after_s:
            self._kill()
        reports = self._reader.poll()
        if any(isinstance(report, Ended) for report in reports):
            self._ended = True
        elif ended and not self._ended:
            self._ended = True
            reports.append(self._without_a_word())
        return reports

    def cancel(self) -> None:
        """Ask the job to stop; after a grace period it is killed."""
        if self.running and not self.cancelled:
            self._killed_after_s = time.monotonic() + _MERCY_S
            self.run.request_cancel()

    def wait(self, timeout_s: float) -> bool:
        """Wait for the process to end; False when it still runs after `timeout_s`."""
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """Cancel unless it has ended, and wait; a job that does not obey is killed."""
        if not self._ended:  # its last words may be out while the process still winds up
            self.cancel()
        if not self.wait(_MERCY_S):
            self._kill()
            self._process.wait()

    def _kill(self) -> None:
        """End a supervisor that does not obey; the kernel ends the job with it."""
        if self.running:
            self._process.kill()

    def _without_a_word(self) -> Ended:
        """The supervisor is gone and nobody said how the job ended."""
        try:
            manifest = self.run.manifest()
        except JobFailed as exc:  # its folder was deleted
            return Ended(status=RunStatus.INTERRUPTED.value, reason=exc.thing)
        if manifest["status"] in (RunStatus.FINISHED, RunStatus.FAILED):
            return Ended(status=manifest["status"], reason=manifest.get("reason", ""))
        reason = "cancelled" if self.cancelled else "its supervisor ended before it was done"
        try:
            self.run.end(RunStatus.INTERRUPTED, reason)
        except OSError as exc:  # a full disk may be what ended it
            reason += f", which cannot be recorded ({exc.strerror}): make room, then resume it"
        return Ended(status=RunStatus.INTERRUPTED.value, reason=reason)


def _start(folder: Path) -> subprocess.Popen[bytes]:
    # A group of its own: Ctrl+C in a terminal reaches this process alone, which then cancels.
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    with (folder / "log.txt").open("ab") as log:
        return subprocess.Popen(
            job_command("supervise", str(folder)),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            **apart,
        )
