"""Whether the machine is hot, so that work nobody has to wait for is better left undone."""

from __future__ import annotations

import time
from pathlib import Path

from engine.telemetry import thermal
from engine.telemetry.readings import SYS, Unreadable
from engine.telemetry.thermal import ThrottleCounter

HOT_C = 90.0
"""Laptop processors slow down at 95 to 105 °C."""
COOL_C = 80.0
"""A processor that was hot is so until it has cooled down to this."""
_COOLING_S = 30.0  # a throttle event counts for so long
_LOOK_S = 1.0


class HeatWatch:
    """Tells heat by the temperature and by what the kernel counts as thermal throttling.

    A machine without either sensor is never hot. `root` is where the kernel's files lie.
    """

    def __init__(self, root: Path = SYS) -> None:
        self._root, self._throttles = root, ThrottleCounter(root)
        self._seen = 0
        self._throttled_s = self._looked_s = float("-inf")
        self.hot = False
        """As of the last look."""
        self.temperature_c: float | None = None
        """As of the last look; None where the machine does not tell."""

    @property
    def reason(self) -> str:
        """Why the machine is hot, in a few words; empty when it is not."""
        if not self.hot:
            return ""
        if self.temperature_c is None:
            return "the processor was throttled"
        return f"{self.temperature_c:.0f} °C"

    def look(self, now_s: float | None = None) -> bool:
        """Read the sensors, once a second at most; whether `hot` has changed.

        `now_s` is `time.monotonic()` seconds, read here when None.
        """
        now_s = time.monotonic() if now_s is None else now_s
        if now_s - self._looked_s < _LOOK_S:
            return False
        self._looked_s = now_s
        before = self.hot
        above = self._above(COOL_C if before else HOT_C)
        self.hot = self._throttled(now_s) or above
        return self.hot != before

    def _throttled(self, now_s: float) -> bool:
        try:
            events = self._throttles.events()
        except Unreadable:
            return False
        if events > self._seen:
            self._seen, self._throttled_s = events, now_s
        return now_s - self._throttled_s < _COOLING_S

    def _above(self, limit_c: float) -> bool:
        try:
            self.temperature_c = thermal.temperature_c(self._root)
        except Unreadable:
            self.temperature_c = None
            return False
        return self.temperature_c >= limit_c
