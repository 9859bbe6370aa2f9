"""Why the processor runs slower than it could: heat, a held clock, turbo off, a battery."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from engine.telemetry import conditions
from engine.telemetry.readings import SYS, number
from engine.telemetry.thermal import ThrottleCounter

_HELD = 0.98  # of its highest clock: less is a limit, more a rounding


def reasons(throttles: ThrottleCounter, root: Path = SYS) -> str:
    """All that slows the processor now or has since the counter was made, in a few words.

    Empty when nothing is known to. `root` is where the kernel's files lie.
    """
    return "; ".join(_found(throttles, root))


def _found(throttles: ThrottleCounter, root: Path) -> Iterator[str]:
    if too_hot := throttles.parts():
        yield f"heat: {too_hot}"
    if (held := _held_mhz(root)) is not None:
        yield f"clock held at {held[0] / 1000:.1f} of {held[1] / 1000:.1f} GHz"
    now = conditions.read(root)
    if now.turbo is False:
        yield "turbo is off"
    if now.on_battery:
        yield "on battery"


def _held_mhz(root: Path) -> tuple[float, float] | None:
    """The clock a core is held at and its highest, for the core that is held most; or None."""
    found = []
    for folder in (root / "devices/system/cpu").glob("cpu[0-9]*/cpufreq"):
        try:
            limit = number(folder / "scaling_max_freq") / 1000
            highest = number(folder / "cpuinfo_max_freq") / 1000
        except (OSError, ValueError):
            continue
        if limit < _HELD * highest:
            found.append((limit, highest))
    return min(found, key=lambda pair: pair[0] / pair[1], default=None)
