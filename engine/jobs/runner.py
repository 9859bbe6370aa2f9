"""Starting a job as a child process, and following what it reports without ever blocking.

The child's standard output and error go straight into files of its run directory, and its
reports are read from there. So nothing is lost when the reader is slow, no thread is needed,
and a job outlives the window that started it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine import paths
from engine.errors import JobFailed
from engine.jobs.child import CANCELLED
from engine.jobs.job import Job, Value
from engine.jobs.launch import job_command
from engine.records.progress import Ended, Report, from_line
from engine.records.runs import RunDirectory, RunStatus
from engine.telemetry import target

GRACE_S = 10.0
"""How long a cancelled job may take to end before it is killed."""


class ProgressReader:
    """Reports of a run as they are appended to its progress.jsonl."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "progress.jsonl"
        self._read = 0

    def poll(self) -> list[Report]:
        """The reports since the last call; lines still being written wait for the next."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._read)
                content = file.read()
        except FileNotFoundError:
            return []
        whole = content[: content.rfind(b"\n") + 1]
        self._read += len(whole)
        lines = whole.decode("utf-8", "replace").splitlines()
        return [report for line in lines if (report := from_line(line)) is not None]


class JobProcess:
    """One running job. `poll` it, `cancel` it; `close` cancels and waits."""

    def __init__(
        self,
        job: Job,
        given: Mapping[str, Value],
        *,
        purpose: str = "",
        runs: Path | None = None,
    ) -> None:
        """Check the parameters, make the run directory and start; `JobFailed` otherwise."""
        values = job.resolved(given)
        machine = target.describe()
        try:
            self.run = RunDirectory.create(
                runs or paths.runs(),
                job=job.name,
                purpose=purpose or job.description,
                command=_as_typed(job, values),
                parameters={n: str(v) if isinstance(v, Path) else v for n, v in values.items()},
                machine=machine.record(),
                target_hardware=machine.is_target,
            )
            self._reader = ProgressReader(self.run.folder)
            self._process = _start(self.run.folder)
        except OSError as exc:
            raise JobFailed(
                f"The job {job.name} cannot be started ({exc})",
                remedy=f"check that {runs or paths.runs()} can be written and has space",
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
        """0 finished, 1 failed, 130 cancelled, 128 + n by signal n; None while it runs."""
        code = self._process.poll()
        if code and self.cancelled:
            return CANCELLED
        return 128 - code if code is not None and code < 0 else code

    def poll(self) -> list[Report]:
        """What was reported since the last call; after the last comes exactly one `Ended`."""
        ended = not self.running
        if self._killed_after_s is not None and time.monotonic() > self._killed_after_s:
            _signal(self._process, "SIGKILL")
        reports = self._reader.poll()
        if any(isinstance(report, Ended) for report in reports):
            self._ended = True
        elif ended and not self._ended:
            self._ended = True
            reports.append(self._without_a_word())
        return reports

    def cancel(self) -> None:
        """Ask the job to stop; after a grace period `poll` kills it."""
        if self.running and not self.cancelled:
            self._killed_after_s = time.monotonic() + GRACE_S
            _signal(self._process, "SIGTERM")

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
        if not self.wait(GRACE_S):
            _signal(self._process, "SIGKILL")
            self._process.wait()

    def _without_a_word(self) -> Ended:
        """The process is gone and did not say how it ended: killed, or crashed in native code."""
        manifest = self.run.manifest()
        if manifest["status"] in (RunStatus.FINISHED, RunStatus.FAILED):
            return Ended(status=manifest["status"], reason=manifest.get("reason", ""))
        code = self._process.returncode
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        reason = f"its process ended by {how} before it was done"
        if self.cancelled:
            reason = "cancelled"
        self.run.end(RunStatus.INTERRUPTED, reason)
        return Ended(status=RunStatus.INTERRUPTED.value, reason=reason)


def _start(folder: Path) -> subprocess.Popen[bytes]:
    # A group of its own: Ctrl+C in a terminal reaches the parent, which cancels, and a kill
    # reaches what the job itself has started.
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    with (folder / "progress.jsonl").open("wb") as out, (folder / "log.txt").open("wb") as log:
        return subprocess.Popen(
            job_command("child", str(folder)),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=log,
            **apart,
        )


def _signal(process: subprocess.Popen[bytes], name: str) -> None:
    if process.poll() is not None:
        return
    if sys.platform == "win32":
        if name == "SIGKILL":
            process.kill()
        else:
            process.send_signal(signal.CTRL_BREAK_EVENT)
        return
    try:
        os.killpg(process.pid, getattr(signal, name))
    except ProcessLookupError:
        return  # it ended in between


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
