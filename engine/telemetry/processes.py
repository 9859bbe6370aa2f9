"""What the application itself uses: processor time and memory of its process tree."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

import psutil

from engine.telemetry.readings import PROC, Unreadable

_REFRESH_S = 5.0
"""Age at which the process tree and its memory are read anew.

Both cost the kernel milliseconds: the tree a walk over all processes, proportional memory a
walk over every page of ours.
"""


class ProcessTree:
    """This process and its descendants, or another `root` and its own."""

    def __init__(self, root: int | None = None) -> None:
        self._root = psutil.Process(root)
        self._members: list[psutil.Process] = []
        self._memory: float | None = None
        self._reason = ""
        self._refreshed_s = float("-inf")
        self._refresh(time.monotonic())
        self._times = self._processor_times()
        self._read_s = time.monotonic()

    def load_percent(self) -> float:
        """Processor time used since the last call, in percent of one core."""
        now_s = time.monotonic()
        self._refresh(now_s)
        times, before = self._processor_times(), self._times
        passed_s = now_s - self._read_s
        self._times, self._read_s = times, now_s
        used_s = sum(value - before.get(key, 0.0) for key, value in times.items())
        return max(100 * used_s / passed_s, 0.0) if passed_s > 0 else 0.0

    def memory_mb(self) -> float:
        """Proportional set size in MB (10⁶ bytes): shared pages are divided among sharers.

        At most five seconds old. Raises `Unreadable` where the system keeps no such figure.
        """
        self._refresh(time.monotonic())
        if self._memory is None:
            raise Unreadable(self._reason)
        return self._memory / 1e6

    def _refresh(self, now_s: float) -> None:
        if now_s - self._refreshed_s < _REFRESH_S:
            return
        self._refreshed_s = now_s
        self._members = [self._root, *self._root.children(recursive=True)]
        self._memory, self._reason = None, ""
        try:
            self._memory = _proportional_bytes(self._members)
        except Unreadable as exc:
            self._reason = str(exc)

    def _processor_times(self) -> dict[tuple[int, float], float]:
        """Seconds of processor time by process; those that just ended are left out."""
        times = {}
        for member in self._members:
            try:
                spent = member.cpu_times()
                times[member.pid, member.create_time()] = spent.user + spent.system
            except psutil.NoSuchProcess:
                continue
        return times


def proportional_mb(root: int | None = None, *, children: bool = True) -> float:
    """Proportional set size of a process (this one) and its descendants now, in MB (10⁶ bytes).

    Raises `Unreadable` where the system keeps no such figure, or the process is gone.
    """
    try:
        process = psutil.Process(root)
        members = [process, *(process.children(recursive=True) if children else ())]
    except psutil.NoSuchProcess as exc:
        raise Unreadable("the process has ended") from exc
    used = _proportional_bytes(members)
    if not used:
        raise Unreadable("the process has ended")
    return used / 1e6


def private_mb(process: psutil.Process) -> float:
    """What a process has written itself, in MB (10⁶ bytes), other than into files.

    Unlike the proportional size it does not depend on which other programs share its libraries
    and models. Where the system does not tell it, memory that nobody else has at the moment.
    """
    rollup = PROC / str(process.pid) / "smaps_rollup"
    try:
        found = re.search(r"^Pss_Anon:\s+(\d+) kB$", rollup.read_text("ascii"), re.MULTILINE)
    except OSError:
        found = None
    if found is not None:
        return int(found[1]) * 1024 / 1e6
    return float(process.memory_full_info().uss) / 1e6


def _proportional_bytes(members: Sequence[psutil.Process]) -> float:
    total = 0
    for member in members:
        try:
            total += member.memory_full_info().pss
        except psutil.NoSuchProcess:
            continue
        except psutil.AccessDenied as exc:
            raise Unreadable(
                "the system does not let this program read its own memory map"
            ) from exc
        except AttributeError as exc:
            raise Unreadable("this system does not tell how processes share memory") from exc
    return float(total)
