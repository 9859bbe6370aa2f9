"""The ring between an audio source and its reader: preallocated, never blocks its writer."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from engine.clock import SAMPLE_RATE_HZ


class Ring:
    """Float32 samples, one writer and one reader; mono at 16 kHz unless both agree otherwise.

    A reader that falls a whole ring behind loses the oldest samples; `dropped_blocks` counts
    the writes that cost it some.
    """

    def __init__(self, seconds: float = 30.0) -> None:
        """A ring that holds `seconds` of mono 16 kHz audio."""
        self._samples = np.zeros(max(1, round(seconds * SAMPLE_RATE_HZ)), np.float32)
        self._changed = threading.Condition()
        self.read_samples = 0
        """Samples ever read, or lost unread."""
        self.written = 0
        """Samples ever written."""
        self.dropped_blocks = 0

    @property
    def unread(self) -> int:
        """Samples that can be read now."""
        return self.written - self.read_samples

    def write(self, block: NDArray[np.float32]) -> None:
        """Append samples of shape [n]; the lock is held for a copy, never for a reader's work."""
        size, n = len(self._samples), len(block)
        kept = block[-size:]  # all that could be read again of a block longer than the ring
        with self._changed:
            at = (self.written + n - len(kept)) % size
            first = min(len(kept), size - at)
            self._samples[at : at + first] = kept[:first]
            self._samples[: len(kept) - first] = kept[first:]
            self.written += n
            if self.written - self.read_samples > size:
                self.read_samples = self.written - size
                self.dropped_blocks += 1
            self._changed.notify()

    def read(self, n: int) -> NDArray[np.float32] | None:
        """The oldest `n` unread samples, or None while fewer are there."""
        size = len(self._samples)
        block = np.empty(n, np.float32)
        with self._changed:
            if self.unread < n:
                return None
            at = self.read_samples % size
            first = min(n, size - at)
            block[:first] = self._samples[at : at + first]
            block[first:] = self._samples[: n - first]
            self.read_samples += n
        return block

    def wait(self, n: int, timeout_s: float) -> bool:
        """Wait until `n` samples can be read; False if they did not arrive in time."""
        with self._changed:
            return self._changed.wait_for(lambda: self.unread >= n, timeout_s)
