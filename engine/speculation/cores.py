"""Performance cores of processors that have two kinds: decoding runs there alone.

A step waits for its slowest thread, so one thread on an efficiency core slows all of them.
"""

from __future__ import annotations

import os
from pathlib import Path

_SYSTEM = Path("/sys/devices")


def performance(devices: Path = _SYSTEM) -> frozenset[int]:
    """Numbers of the performance cores; empty where all cores are alike or nothing is known.

    Linux names Intel's in `cpu_core/cpus`, and rates those of other makers in `cpu_capacity`.
    """
    try:
        return _numbers((devices / "cpu_core" / "cpus").read_text("ascii"))
    except (OSError, ValueError):
        pass  # no processor of that kind
    capacities: dict[int, int] = {}
    for file in (devices / "system" / "cpu").glob("cpu[0-9]*/cpu_capacity"):
        try:
            capacities[int(file.parent.name.removeprefix("cpu"))] = int(file.read_text("ascii"))
        except (OSError, ValueError):
            return frozenset()
    best = max(capacities.values(), default=0)
    fastest = frozenset(number for number, value in capacities.items() if value == best)
    return fastest if len(fastest) < len(capacities) else frozenset()


def pin(devices: Path = _SYSTEM) -> frozenset[int]:
    """Keep this process to the performance cores it may use; the cores, none if not pinned."""
    if not hasattr(os, "sched_setaffinity"):
        return frozenset()
    wanted = performance(devices) & os.sched_getaffinity(0)
    if wanted:
        os.sched_setaffinity(0, wanted)
    return wanted


def _numbers(text: str) -> frozenset[int]:
    """The numbers of a kernel list such as `0-3,8`."""
    numbers: set[int] = set()
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    return frozenset(numbers)
