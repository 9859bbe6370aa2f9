"""Record folders on disk: one new folder a record, JSON replaced whole, owner alive or gone."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from engine import reading

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_LARGEST_BYTES = 2**26
"""Of a JSON file; a result with many plots has some megabytes."""


def stamp() -> str:
    """Now in UTC, to the second, as it appears in records."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def new_folder(parent: Path, label: str = "") -> Path:
    """Make `parent/<time in UTC>[-label][-n]`, readable by its owner only."""
    name = stamp().replace(":", "-") + (f"-{label}" if label else "")
    parent.mkdir(parents=True, exist_ok=True)
    for number in range(1, 1000):
        folder = parent / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            continue
        return folder
    raise FileExistsError(parent / name)


def replace_json(path: Path, content: dict[str, Any]) -> None:
    """Write a JSON file so that a reader sees the old content or the new, never a part."""
    partial = path.with_suffix(f".{os.getpid()}.partial")  # another process may write it too
    try:
        partial.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", "utf-8")
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


def read_json(path: Path) -> dict[str, Any] | None:
    """The object in a JSON file; None when there is no such file or it holds no object."""
    try:
        content = json.loads(reading.text(path, _LARGEST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def birth(process: int | None = None) -> str:
    """When a process (this one) started: with its id it is told from any later process.

    Linux derives that time from the clock, which may be set anew while the process runs; what no
    correction moves is the time since the boot. Raises `psutil.Error`.
    """
    started_s = psutil.Process(process).create_time()
    if sys.platform == "linux":
        return f"{_BOOT.read_text('ascii').strip()} {started_s - psutil.boot_time():.2f}"
    return f"{started_s:.2f}"


def alive(process: Any, started: Any) -> bool:
    """Whether the process with this id still runs and is the one whose `birth` is `started`."""
    if not isinstance(process, int) or process < 1:
        return False
    try:
        found = psutil.Process(process)
        if found.status() == psutil.STATUS_ZOMBIE:
            return False
        if isinstance(started, (int, float)):  # seconds since the epoch, in older records
            return bool(abs(found.create_time() - started) < 1.0)
        return bool(birth(process) == started)
    except psutil.NoSuchProcess:
        return False
