"""The process above a job's own: lets it in, watches it, ends it when asked or when it must.

It writes the last word about a job that could not say one itself.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.errors import JobFailed
from engine.jobs import catalogue, guard
from engine.jobs.child import CANCELLED, FAILED
from engine.jobs.guard import Watchdog
from engine.jobs.launch import job_command
from engine.records import provenance
from engine.records.progress import Ended, Note, Report, from_line, to_line
from engine.records.runs import RunDirectory, RunStatus

GRACE_S = 10.0
"""How long a cancelled job may take to end before it is killed."""
BREACH = 137
"""Exit code of a job that was ended because of its memory: 128 + SIGKILL."""

_PERIOD_S = 0.2


def main(folder: Path) -> int:
    """Supervise the run in `folder` in a process of its own; a signal cancels it."""
    run = RunDirectory(folder)
    for name in ("SIGTERM", "SIGINT", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: run.request_cancel())
    return supervise(folder)


def supervise(folder: Path) -> int:
    """Do the run in `folder` from admission to its last word; returns the job's exit code.

    0 finished, 1 failed, 130 cancelled, 137 took too much memory, 128 + n ended by signal n.
    """
    run = RunDirectory(folder)
    manifest = run.adopt()
    if run.cancel_requested:
        return _conclude(run, RunStatus.INTERRUPTED, "cancelled before it began", CANCELLED)
    try:
        job = catalogue.find(manifest["job"])
        admission = guard.admit(job, folder, manifest.get("memory_limit_mb"))
    except JobFailed as exc:
        return _conclude(run, RunStatus.FAILED, str(exc), FAILED)
    scope = guard.scope_available()
    run.update(
        code=provenance.code(),
        environment=provenance.environment(),
        guard={**asdict(admission), "enforced_by": "systemd scope" if scope else "watchdog"},
    )
    for warning in admission.warnings:
        _report(run, Note(text=warning))
    process = _start(folder, admission.limit_mb if scope else None)
    watchdog = Watchdog(process.pid, admission.limit_mb, folder)
    taken_mb = _watch(process, run, watchdog)
    code = process.returncode if process.returncode >= 0 else 128 - process.returncode
    if taken_mb is None and scope and code == BREACH:
        taken_mb = watchdog.peak_mb  # the kernel was faster than the watchdog
    if taken_mb is not None:
        reason = (
            f"it was ended because it used {taken_mb:.0f} MB of memory and might use "
            f"{admission.limit_mb:.0f} MB: close other programs or choose smaller parameters"
        )
        run.update(breach={"used_mb": round(taken_mb, 1), "limit_mb": admission.limit_mb})
        return _conclude(run, RunStatus.FAILED, reason, BREACH, watchdog)
    return _believe(run, code, watchdog)


def _start(folder: Path, scope_mb: float | None) -> subprocess.Popen[bytes]:
    # A group of its own, so that a kill reaches what the job has started and nothing else.
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    command = job_command("child", str(folder), str(os.getpid()))
    if scope_mb is not None:
        command = guard.scoped(command, scope_mb)
    with (folder / "progress.jsonl").open("ab") as out, (folder / "log.txt").open("ab") as log:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=log, **apart)


def _watch(process: subprocess.Popen[bytes], run: RunDirectory, watchdog: Watchdog) -> float | None:
    """Wait for the end of the job; the memory it took when that was too much."""
    asked_s: float | None = None
    while True:
        try:
            process.wait(_PERIOD_S)
            return None
        except subprocess.TimeoutExpired:
            pass
        taken_mb = watchdog.look()
        if taken_mb is not None:
            _signal(process, "SIGKILL")
            process.wait()
            return taken_mb
        if asked_s is None and run.cancel_requested:
            asked_s = time.monotonic()
            _signal(process, "SIGTERM")
        if asked_s is not None and time.monotonic() - asked_s > GRACE_S:
            _signal(process, "SIGKILL")


def _believe(run: RunDirectory, code: int, watchdog: Watchdog) -> int:
    """Keep what the job said about its end; say it for one that was killed or crashed."""
    if run.cancel_requested and code not in (0, FAILED):
        code = CANCELLED
    if _has_ended(run):
        run.update(exit_code=code, **_peak(watchdog))
        return code
    reason = f"its process ended by exit code {code} before it was done"
    if code == CANCELLED:
        reason = "cancelled"
    elif code > 128:
        reason = f"its process ended by signal {code - 128} before it was done"
    return _conclude(run, RunStatus.INTERRUPTED, reason, code or FAILED, watchdog)


def _conclude(
    run: RunDirectory,
    status: RunStatus,
    reason: str,
    code: int,
    watchdog: Watchdog | None = None,
) -> int:
    run.end(status, reason)
    run.update(exit_code=code, **({} if watchdog is None else _peak(watchdog)))
    _report(run, Ended(status=status.value, reason=reason))
    return code


def _peak(watchdog: Watchdog) -> dict[str, float]:
    return {"peak_memory_mb": round(watchdog.peak_mb, 1)} if watchdog.peak_mb else {}


def _has_ended(run: RunDirectory) -> bool:
    with (run.folder / "progress.jsonl").open("rb") as file:
        file.seek(max(file.seek(0, os.SEEK_END) - 4096, 0))
        lines = file.read().decode("utf-8", "replace").splitlines()
    return bool(lines) and isinstance(from_line(lines[-1]), Ended)


def _report(run: RunDirectory, report: Report) -> None:
    with (run.folder / "progress.jsonl").open("a", encoding="utf-8") as file:
        file.write(to_line(report))


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
