"""What a source of audio is to the engine."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.clock import SAMPLE_RATE_HZ


class Source(Protocol):
    """Writes mono 16 kHz audio into a ring and marks the sample clock for every block."""

    name: str
    kind: str
    """"microphone" or "file"."""
    seconds: float | None
    """Length of a file; None for a microphone."""

    def start(self) -> None:
        """Begin writing; raises `AudioUnavailable`."""
        ...

    def close(self) -> None:
        """Stop writing and free the device or file; harmless when repeated."""
        ...

    @property
    def overflows(self) -> int:
        """Blocks lost before they reached the ring."""
        ...

    @property
    def ended(self) -> bool:
        """Whether no more audio will be written."""
        ...

    @property
    def problem(self) -> str | None:
        """One sentence when it ended by a fault."""
        ...

    @property
    def warning(self) -> str | None:
        """One sentence when the sound is usable but worse than it should be."""
        ...


def mono(frames: NDArray[np.float32]) -> NDArray[np.float32]:
    """The channels of `frames`, shape [n, channels], averaged; finite and within -1..1.

    Damaged files and drivers do deliver NaN, and one NaN would stay in every model's state.
    """
    if frames.shape[1] == 1:
        averaged = frames[:, 0]
    else:
        averaged = np.nan_to_num(frames, posinf=1.0, neginf=-1.0).mean(axis=1)
    return np.clip(np.nan_to_num(averaged, posinf=1.0, neginf=-1.0), -1.0, 1.0)


def rate_warning(name: str, rate_hz: int) -> str | None:
    """What to tell of a source at `rate_hz`: below 16 kHz consonants are missing."""
    if rate_hz >= SAMPLE_RATE_HZ:
        return None
    return (
        f"{name} delivers only {rate_hz / 1000:g} kHz, as a telephone does, so words will be "
        "misheard: choose a source with 16 kHz or more"
    )
