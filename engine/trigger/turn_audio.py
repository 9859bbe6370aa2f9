"""The sound of the turn that is open, from its first syllable on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.clock import SAMPLE_RATE_HZ

CHUNK = 512
"""Samples a step, as speech detection needs them: 32 ms at 16 kHz."""

PRE_ROLL_S = 0.32
"""Kept from before the moment speech is sure, which the first syllable precedes."""
TAIL_S = 0.064
"""Silence left behind the last word; more costs the turn-end model accuracy."""
_PRE_ROLL_CHUNKS = round(PRE_ROLL_S * SAMPLE_RATE_HZ / CHUNK)
_LONGEST_CHUNKS = 120 * SAMPLE_RATE_HZ // CHUNK


class TurnAudio:
    """Chunks of [512] samples, the newest two minutes at most."""

    def __init__(self) -> None:
        self._chunks: deque[NDArray[np.float32]] = deque(maxlen=_LONGEST_CHUNKS)

    def __iter__(self) -> Iterator[NDArray[np.float32]]:
        return iter(self._chunks)

    def keep(self, chunk: NDArray[np.float32], *, in_turn: bool) -> None:
        """Add a chunk; what lies too far before a turn is dropped."""
        self._chunks.append(chunk)
        if not in_turn:
            while len(self._chunks) > _PRE_ROLL_CHUNKS:
                self._chunks.popleft()

    def clear(self) -> None:
        """Forget everything."""
        self._chunks.clear()

    def speech(self, silence_s: float) -> NDArray[np.float32]:
        """All up to the onset of the present silence, which has lasted `silence_s`, and a tail."""
        audio = np.concatenate(self._chunks)
        surplus = round((silence_s - TAIL_S) * SAMPLE_RATE_HZ)
        return audio[: len(audio) - max(surplus, 0)]
