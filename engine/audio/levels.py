"""How loud the input is: a meter with peak hold and a clipping lamp, and a say-something test.

Levels are dBFS: a full-scale square wave is 0, digital silence `FLOOR_DBFS`. Time is samples
heard, so a recording gives the same readings as the microphone that made it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from engine.clock import SAMPLE_RATE_HZ

FLOOR_DBFS = -100.0

_HOLD_S = 1.5
_FALL_DB_PER_S = 20.0
_LAMP_S = 2.0
_FULL_SCALE = 0.999  # 16-bit converters stop a step short of 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """The meter after a block: its RMS and peak, the held peak, and the clipping lamp."""

    rms_dbfs: float
    peak_dbfs: float
    held_dbfs: float
    clipping: bool


class LevelMeter:
    """Peaks are held 1.5 s and then fall 20 dB/s; the lamp stays on for 2 s."""

    def __init__(self) -> None:
        self._held_dbfs = FLOOR_DBFS
        self._since_peak_s = 0.0
        self._lamp_s = 0.0
        self._last_full = np.zeros(2, bool)

    def update(self, block: NDArray[np.float32]) -> Level:
        """Take the next samples, mono 16 kHz, shape [n] with n > 0."""
        seconds = len(block) / SAMPLE_RATE_HZ
        peak_dbfs = dbfs(float(np.abs(block).max()))
        self._fall(seconds)
        if peak_dbfs >= self._held_dbfs:
            self._held_dbfs, self._since_peak_s = peak_dbfs, 0.0
        self._lamp_s = _LAMP_S if self._clipped(block) else max(0.0, self._lamp_s - seconds)
        return Level(
            rms_dbfs=dbfs(_rms(block)),
            peak_dbfs=peak_dbfs,
            held_dbfs=self._held_dbfs,
            clipping=self._lamp_s > 0.0,
        )

    def _fall(self, seconds: float) -> None:
        held_on_s = max(0.0, _HOLD_S - self._since_peak_s)
        self._since_peak_s += seconds
        falling_s = max(0.0, seconds - held_on_s)
        self._held_dbfs = max(FLOOR_DBFS, self._held_dbfs - _FALL_DB_PER_S * falling_s)

    def _clipped(self, block: NDArray[np.float32]) -> bool:
        """Whether three full-scale samples follow each other, across blocks too."""
        full = np.concatenate((self._last_full, np.abs(block) >= _FULL_SCALE))
        self._last_full = full[-2:]
        return bool((full[:-2] & full[1:-1] & full[2:]).any())


def dbfs(amplitude: float) -> float:
    """An amplitude of 0..1 in dBFS, not below `FLOOR_DBFS`."""
    if amplitude <= 0.0:
        return FLOOR_DBFS
    return max(FLOOR_DBFS, 20.0 * float(np.log10(amplitude)))


def _rms(block: NDArray[np.float32]) -> float:
    return float(np.sqrt(np.mean(np.square(block, dtype=np.float64))))


class Loudness(StrEnum):
    """What the say-something test found."""

    SILENT = "silent"
    """Nothing, or next to nothing, arrives."""
    NO_SPEECH = "no speech"
    """Something arrives, but nobody was heard speaking."""
    TOO_QUIET = "too quiet"
    TOO_LOUD = "too loud"
    FINE = "fine"


ADVICE = {
    Loudness.SILENT: "nothing arrives; check that the microphone is connected and not muted",
    Loudness.NO_SPEECH: "say a sentence, closer to the microphone",
    Loudness.TOO_QUIET: "come closer, or turn the microphone up",
    Loudness.TOO_LOUD: "speech distorts; turn the microphone down",
    Loudness.FINE: "speech is heard well",
}
"""What follows from each verdict, to be read after it."""

# Telephony aims at an active speech level of -26 dBFS (ITU-T P.56); 18 dB below, the words
# drown in the noise of a laptop's microphone, and above -10 dBFS speech cannot but clip.
_QUIET_DBFS = -44.0
_LOUD_DBFS = -10.0
_SILENT_DBFS = -60.0
_LEAST_SPEECH_S = 0.3


class SaySomething:
    """Listens for three seconds and says whether the microphone is set well."""

    def __init__(self, seconds: float = 3.0) -> None:
        self._left = round(seconds * SAMPLE_RATE_HZ)
        self._meter = LevelMeter()
        self._clipped = False
        self._peak_dbfs = FLOOR_DBFS
        self._speech_samples = 0
        self._speech_energy = 0.0

    @property
    def done(self) -> bool:
        """Whether the time is over."""
        return self._left <= 0

    def update(self, block: NDArray[np.float32], speech: bool) -> Level:
        """Take the next samples, shape [n] with n > 0, with the speech detector's flag."""
        level = self._meter.update(block)
        self._left -= len(block)
        self._clipped |= level.clipping
        self._peak_dbfs = max(self._peak_dbfs, level.peak_dbfs)
        if speech:
            self._speech_samples += len(block)
            self._speech_energy += float(np.square(block, dtype=np.float64).sum())
        return level

    @property
    def speech_dbfs(self) -> float | None:
        """RMS level of the speech alone; None while too little was spoken."""
        if self._speech_samples < _LEAST_SPEECH_S * SAMPLE_RATE_HZ:
            return None
        return dbfs(float(np.sqrt(self._speech_energy / self._speech_samples)))

    @property
    def verdict(self) -> Loudness:
        """What was found so far."""
        speech_dbfs = self.speech_dbfs
        if self._clipped or (speech_dbfs is not None and speech_dbfs > _LOUD_DBFS):
            return Loudness.TOO_LOUD
        if speech_dbfs is None:
            quiet = self._peak_dbfs < _SILENT_DBFS
            return Loudness.SILENT if quiet else Loudness.NO_SPEECH
        return Loudness.TOO_QUIET if speech_dbfs < _QUIET_DBFS else Loudness.FINE
