"""Whether the machine is hot, so that work nobody has to wait for is better left undone."""

from __future__ import annotations

import time
from pathlib import Path

from engine.telemetry import thermal
from engine.telemetry.readings import SYS, Unreadable
from engine.telemetry.thermal import ThrottleCounter

HOT_C = 90.0
"""Laptop processors slow down at 95 to 105 °C."""
_COOLING_S = 30.0  # a throttle event counts for so long


class HeatWatch:
    """Tells heat by the temperature and by what the kernel counts as thermal throttling.

    A machine without either sensor is never hot. `root` is where the kernel's files lie.
    """

    def __init__(self, root: Path = SYS) -> None:
        self._root, self._throttles = root, ThrottleCounter(root)
        self._seen = 0
        self._throttled_s = float("-inf")

    def hot(self, now_s: float | None = None) -> bool:
        """Whether the processor is at `HOT_C` or was throttled within the last half minute.

        `now_s` is `time.monotonic()` seconds, read here when None.
        """
        now_s = time.monotonic() if now_s is None else now_s
        try:
            events = self._throttles.events()
        except Unreadable:
            events = 0
        if events > self._seen:
            self._seen, self._throttled_s = events, now_s
        if now_s - self._throttled_s < _COOLING_S:
            return True
        try:
            return thermal.temperature_c(self._root) >= HOT_C
        except Unreadable:
            return False
