"""Making readings: a value with its evidence, or the reason there is none."""

from __future__ import annotations

from pathlib import Path

from engine.events import Evidence, Reading

SYS = Path("/sys")
PROC = Path("/proc")


class Unreadable(Exception):
    """A sensor gives no value; the message says why in plain words, with a remedy if any."""


def unavailable(unit: str, reason: str) -> Reading:
    """A reading without a value."""
    return Reading(value=None, unit=unit, evidence=Evidence.UNAVAILABLE, reason=reason)


def number(path: Path) -> int:
    """The whole number in a kernel file.

    Raises `FileNotFoundError`, `PermissionError` or another `OSError` as the file does, and
    `ValueError` when it holds no number.
    """
    return int(path.read_text("ascii").strip())


def text(path: Path) -> str | None:
    """The text of a kernel file without its line end, or None when it cannot be read."""
    try:
        return path.read_text("utf-8", errors="replace").strip()
    except OSError:
        return None
