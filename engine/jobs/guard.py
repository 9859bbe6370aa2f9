"""Guard: a job is let in when there is room for it, and ends alone when it takes more (seed, §9).

Where systemd keeps a manager for the user, the job runs in a scope of its own whose limit the
kernel enforces. Everywhere a watchdog reads the memory of the job's processes besides: it is
what remains where there is no systemd, and it keeps the peak for the record.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from engine.errors import JobFailed
from engine.jobs.job import Job
from engine.records.folders import replace_json
from engine.telemetry import thermal
from engine.telemetry.processes import proportional_mb
from engine.telemetry.readings import Unreadable

FLOOR_MB = 1000.0
"""Memory that stays free for the desktop and the conversation, in MB (10⁶ bytes)."""
SWAP_MB = 2000.0
"""Swap that a job in a scope may use (the seed's 2G)."""
DISK_FLOOR_MB = 500.0
"""Disk that stays free."""
WARM_C = 90.0
"""Temperature from which on a starting job is warned about."""

_REFRESH_S, _LATEST_S = 1.0, 5.0
_SHARE = 0.01  # of its time that a walk over all processes and the job's pages may take


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """What a job may use, and what the reader of its figures should know."""

    limit_mb: float
    warnings: tuple[str, ...]


def admit(job: Job, folder: Path, limit_mb: float | None = None) -> Admission:
    """Let a job in, or raise `JobFailed` when memory or disk would not suffice.

    `limit_mb` is the most that it may use; without it, all that is free above the floor.
    """
    free_mb = psutil.virtual_memory().available / 1e6
    room_mb = free_mb - FLOOR_MB
    need_mb = job.memory_mb if limit_mb is None else min(job.memory_mb, limit_mb)
    if room_mb < need_mb:
        raise JobFailed(
            f"The job {job.name} needs {need_mb:.0f} MB of memory and {FLOOR_MB:.0f} MB are kept "
            f"free for everything else, but only {free_mb:.0f} MB are free",
            remedy="close other programs, then start it again",
        )
    disk_mb = shutil.disk_usage(folder).free / 1e6
    if disk_mb < job.disk_mb + DISK_FLOOR_MB:
        raise JobFailed(
            f"The job {job.name} needs {job.disk_mb + DISK_FLOOR_MB:.0f} MB of disk, but only "
            f"{disk_mb:.0f} MB are free in {folder.parent}",
            remedy="make room, then start it again",
        )
    return Admission(
        limit_mb=room_mb if limit_mb is None else min(limit_mb, room_mb),
        warnings=_heat_warning(),
    )


def _heat_warning() -> tuple[str, ...]:
    try:
        temperature_c = thermal.temperature_c()
    except Unreadable:
        return ()
    if temperature_c < WARM_C:
        return ()
    return (
        f"The processor is at {temperature_c:.0f} °C before the job begins: what it measures "
        "may be slowed down by heat",
    )


def scope_available() -> bool:
    """Whether systemd opens scopes for this user's programs."""
    if shutil.which("systemd-run") is None:
        return False
    try:
        asked = subprocess.run(_scope("true", 64.0), capture_output=True, timeout=5, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return asked.returncode == 0


def scoped(command: list[str], limit_mb: float) -> list[str]:
    """The command in a scope of its own, of which the kernel ends what takes more memory."""
    return [*_scope(command[0], limit_mb), *command[1:]]


def _scope(program: str, limit_mb: float) -> list[str]:
    limits = [f"MemoryMax={limit_mb * 1e6:.0f}", f"MemorySwapMax={SWAP_MB * 1e6:.0f}"]
    options = [word for limit in limits for word in ("-p", limit)]
    return ["systemd-run", "--user", "--scope", "--quiet", "--collect", *options, "--", program]


class Watchdog:
    """Reads what a job's processes use; shared pages are divided among those who share them."""

    def __init__(self, process: int, limit_mb: float, folder: Path) -> None:
        self.peak_mb = 0.0
        """The most that was seen; 0 before the first look."""
        self._root, self._limit_mb, self._folder = process, limit_mb, folder
        self._members: list[psutil.Process] = []
        self._due_s = float("-inf")

    def look(self) -> float | None:
        """The memory used in MB if it is more than the limit; None while all is well."""
        began_s = time.monotonic()
        due = began_s >= self._due_s
        if due:
            self._members = self._tree()
        # Resident pages count shared ones more than once, but are read a hundred times faster.
        used_mb = self._resident_mb()
        if due or used_mb > self._limit_mb:
            used_mb = self._proportional_mb(used_mb)
            self.peak_mb = max(self.peak_mb, used_mb)
            self._tell(used_mb)
        if due:
            spent_s = time.monotonic() - began_s
            self._due_s = began_s + min(max(spent_s / _SHARE, _REFRESH_S), _LATEST_S)
        return used_mb if used_mb > self._limit_mb else None

    def _tree(self) -> list[psutil.Process]:
        try:
            root = psutil.Process(self._root)
            return [root, *root.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def _resident_mb(self) -> float:
        total = 0
        for member in self._members:
            try:
                total += member.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        return total / 1e6

    def _proportional_mb(self, resident_mb: float) -> float:
        """Proportional memory, or what is resident where the system keeps no such figure."""
        try:
            return proportional_mb(self._root)
        except Unreadable:
            return resident_mb

    def _tell(self, used_mb: float) -> None:
        """Keep the reading for whoever looks at the run, and for the job's own result."""
        reading = {
            "now_mb": round(used_mb, 1),
            "peak_mb": round(self.peak_mb, 1),
            "limit_mb": round(self._limit_mb, 1),
        }
        with suppress(OSError):  # a disk that is full for a while ends no job
            replace_json(self._folder / "memory.json", reading)
