"""The sample clock: conversation time is audio heard, not time passed.

A replayed file therefore gives the same turns as the microphone that recorded it, on any
machine. Wall time appears only where work is measured, and `SampleClock` ties the two.
"""

from __future__ import annotations

import threading
import time

SAMPLE_RATE_HZ = 16_000
"""Rate of all audio inside the engine; every model used here expects it."""


class SampleClock:
    """Maps seconds of audio heard to `time.monotonic()` seconds and back.

    The audio source calls `mark` once per delivered block. `time.monotonic` is shared by all
    processes of a machine, so the decoder process's stamps can be placed on the same axis.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._heard_s = 0.0
        self._wall_s = time.monotonic()

    def mark(self, heard_s: float, wall_s: float | None = None) -> None:
        """Record that audio up to `heard_s` had arrived at `wall_s` (default: now)."""
        with self._lock:
            self._heard_s = heard_s
            self._wall_s = time.monotonic() if wall_s is None else wall_s

    def wall_s(self, heard_s: float) -> float:
        """Monotonic time at which the audio at `heard_s` arrived or will arrive."""
        with self._lock:
            return self._wall_s + (heard_s - self._heard_s)

    def heard_s(self, wall_s: float) -> float:
        """Position on the conversation's axis of the monotonic time `wall_s`."""
        with self._lock:
            return self._heard_s + (wall_s - self._wall_s)
