"""The ring between an audio source and the engine: preallocated, never blocks its writer."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from engine.clock import SAMPLE_RATE_HZ


class Ring:
    """Mono float32 samples at 16 kHz, one writer and one reader.

    A reader that falls a whole ring behind loses the oldest samples; `dropped_blocks` counts
    the writes that cost it some.
    """

    def __init__(self, seconds: float = 30.0) -> None:
        self._samples = np.zeros(round(seconds * SAMPLE_RATE_HZ), np.float32)
        self._changed = threading.Condition()
        self._read = 0
        self.written = 0
        self.dropped_blocks = 0

    def write(self, block: NDArray[np.float32]) -> None:
        """Append samples of shape [n], n at most the ring's size."""
        size = len(self._samples)
        with self._changed:
            at = self.written % size
            first = min(len(block), size - at)
            self._samples[at : at + first] = block[:first]
            self._samples[: len(block) - first] = block[first:]
            self.written += len(block)
            if self.written - self._read > size:
                self._read = self.written - size
                self.dropped_blocks += 1
            self._changed.notify()

    def read(self, n: int) -> NDArray[np.float32] | None:
        """The oldest `n` unread samples, or None while fewer are there."""
        size = len(self._samples)
        with self._changed:
            if self.written - self._read < n:
                return None
            at = self._read % size
            first = min(n, size - at)
            block = np.concatenate((self._samples[at : at + first], self._samples[: n - first]))
            self._read += n
        return block

    def wait(self, n: int, timeout_s: float) -> bool:
        """Wait until `n` samples can be read; False if they did not arrive in time."""
        with self._changed:
            return self._changed.wait_for(lambda: self.written - self._read >= n, timeout_s)
