"""The inside of a job's own process: adopt the run, do the work, record how it ended."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from pathlib import Path
from typing import Any, TextIO

from engine.errors import PadsError
from engine.events import Evidence
from engine.jobs import catalogue, priority
from engine.records.evidence import Figure
from engine.records.progress import Ended
from engine.records.runs import ActiveRun, RunDirectory, RunStatus
from engine.telemetry.processes import proportional_mb
from engine.telemetry.readings import Unreadable

FINISHED, FAILED, CANCELLED = 0, 1, 130
"""Exit codes of a job's process."""

_asked = threading.Event()
"""Set once this process was told to cancel."""


class Cancelled(BaseException):
    """The user cancelled; not an `Exception`, so that no job swallows it by accident."""


def run(folder: Path, supervisor: int) -> int:
    """Do the job whose run directory is `folder`; returns the exit code.

    It ends with the process `supervisor`, its parent, where the system sees to that.

    Standard output carries the protocol of `engine.records.progress` and nothing else.
    Standard error is the raw log, and a failure ends it with one `FATAL:` line.
    """
    priority.end_with(supervisor)
    priority.lower()
    stream = _claim_output()
    for name in ("SIGTERM", "SIGINT", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _cancel)
    sys.unraisablehook = _cancel_again
    directory = RunDirectory(folder)
    try:
        manifest = directory.adopt()
        target = manifest["reportable_as_target_hardware"]
        active = ActiveRun(
            folder,
            evidence=Evidence.TARGET if target else Evidence.MEASURED,
            stream=stream,
        )
        job = catalogue.find(manifest["job"])
        result = job.function()(active, **job.resolved(manifest["parameters"]))
        _ignore_cancel()  # the result is there: nothing may come between it and its record
        directory.finish(_described(directory, manifest, active.evidence, result))
        active.report(Ended(status=RunStatus.FINISHED.value))
        return FINISHED
    except Cancelled:
        return _end(directory, stream, RunStatus.INTERRUPTED, "cancelled")
    except Exception as exc:  # noqa: BLE001 - the root of this process
        if _asked.is_set():  # native code, as of an import that is cut short, makes another of it
            return _end(directory, stream, RunStatus.INTERRUPTED, "cancelled")
        return _end(directory, stream, RunStatus.FAILED, _why(exc, folder))


def _why(exc: Exception, folder: Path) -> str:
    match exc:
        case PadsError():
            return str(exc)
        case MemoryError():
            return "not enough memory: close other programs"
    traceback.print_exception(exc)
    return f"an unexpected error ({type(exc).__name__}: {exc}): see {folder / 'log.txt'}"


def _described(
    directory: RunDirectory, manifest: dict[str, Any], evidence: Evidence, result: dict[str, Any]
) -> dict[str, Any]:
    return {
        "job": manifest["job"],
        "started": manifest["started"],
        "evidence": evidence.value,
        **result,
        "peak_memory": _peak_memory(directory, evidence).record(),
    }


def _peak_memory(directory: RunDirectory, evidence: Evidence) -> Figure:
    """The most memory this job's processes used: as its supervisor saw it, or just now."""
    seen = directory.memory().get("peak_mb", 0.0)
    try:
        seen = max(seen, proportional_mb())
    except Unreadable as exc:
        if not seen:
            return Figure(value=None, evidence=Evidence.UNAVAILABLE, unit="MB", reason=str(exc))
    return Figure(value=round(seen, 1), evidence=evidence, unit="MB")


def _end(directory: RunDirectory, stream: TextIO, status: RunStatus, reason: str) -> int:
    _ignore_cancel()
    if status is RunStatus.FAILED:
        print(f"FATAL: {reason}", file=sys.stderr, flush=True)
    try:
        directory.end(status, reason)
        ActiveRun(directory.folder, evidence=Evidence.UNAVAILABLE, stream=stream).report(
            Ended(status=status.value, reason=reason)
        )
    except OSError as exc:
        print(f"FATAL: the run cannot be recorded ({exc})", file=sys.stderr, flush=True)
    return CANCELLED if status is RunStatus.INTERRUPTED else FAILED


def _claim_output() -> TextIO:
    """Keep standard output for the protocol, and send whatever a library prints to the log."""
    protocol = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return protocol


def _cancel(*_: object) -> None:
    _ignore_cancel()  # first: a second one would wait for ever within the first
    _asked.set()
    raise Cancelled


def _cancel_again(unraisable: Any) -> None:
    """Native code called Python and swallowed the cancellation: it comes once more, soon."""
    if not isinstance(unraisable.exc_value, Cancelled):
        sys.__unraisablehook__(unraisable)
        return
    signal.signal(signal.SIGINT, _cancel)
    threading.Timer(0.05, _interrupt).start()


def _interrupt() -> None:
    """Signal the main thread, which then also wakes from waiting where the system can do that."""
    main = threading.main_thread().ident
    if sys.platform == "win32" or main is None:
        signal.raise_signal(signal.SIGINT)
    else:
        signal.pthread_kill(main, signal.SIGINT)


def _ignore_cancel() -> None:
    for name in ("SIGTERM", "SIGINT", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
