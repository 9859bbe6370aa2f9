"""Programs that are measured from outside: they end well, in time and with every figure, or it is
an error that carries what they said. No missing number ever becomes 0 or a guess.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import psutil

from engine.errors import JobFailed
from engine.telemetry.processes import proportional_mb
from engine.telemetry.readings import Unreadable

_POLL_S = 0.05
_SHOWN = 2000  # characters of output that an error quotes


@dataclass(frozen=True, slots=True)
class Finished:
    """A program that ended well: its output, and the most memory its first process took."""

    output: str
    seconds: float
    peak_mb: float
    """Proportional set size, read every 50 ms, without child processes."""


def run(
    command: Sequence[str], *, timeout_s: float, environment: Mapping[str, str] | None = None
) -> Finished:
    """Run a program and watch its memory; `environment` is added to this process's own.

    Raises `JobFailed` with the output when it cannot start, ends badly, takes longer than
    `timeout_s` (it is then killed with its descendants), or its memory could not be read.
    """
    began_s = time.monotonic()
    with tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
            )
        except OSError as exc:
            raise JobFailed(
                f"The program {command[0]} cannot be started ({exc})",
                remedy="check that PADS Live is completely installed",
            ) from exc
        try:
            peak_mb, reason = _watch(process, began_s + timeout_s)
        finally:
            _end(process)
        said.seek(0)
        output = said.read().decode("utf-8", "replace")
    seconds = time.monotonic() - began_s
    if process.returncode != 0:
        how = (
            f"did not end within {timeout_s:.0f} s"
            if seconds >= timeout_s
            else f"ended with status {process.returncode}"
        )
        raise _failed(command, how, output)
    if peak_mb is None:
        raise _failed(command, f"gave no memory figure ({reason})", output)
    return Finished(output, seconds, peak_mb)


def _watch(process: subprocess.Popen[bytes], deadline_s: float) -> tuple[float | None, str]:
    """Wait for the end, or the deadline; the most memory seen, or why there is none."""
    peak_mb: float | None = None
    reason = "it ended before its memory was read"
    while process.poll() is None and time.monotonic() < deadline_s:
        try:
            peak_mb = max(proportional_mb(process.pid, children=False), peak_mb or 0.0)
        except Unreadable as exc:
            reason = str(exc)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_POLL_S)
    return peak_mb, reason


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill what still runs, with everything it started."""
    if process.poll() is not None:
        return
    root = psutil.Process(process.pid)
    for member in [*root.children(recursive=True), root]:
        with suppress(psutil.NoSuchProcess):
            member.kill()
    process.wait()


def _failed(command: Sequence[str], how: str, output: str) -> JobFailed:
    said = output.strip()[-_SHOWN:] or "nothing"
    return JobFailed(
        f"The program {' '.join(command)} {how}; it said: {said}",
        remedy="put right what it names and run the job again",
    )
