"""How speech sounds just before it falls silent: pitch, energy, pace."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from engine.clock import SAMPLE_RATE_HZ

LOOK_BACK = SAMPLE_RATE_HZ
"""Samples that are looked at: the last second."""
NAMES = ("energy_fall_db", "pitch_fall_semitones", "final_voiced_s", "nuclei_per_s")
"""What `prosody` measures, in its order."""

_FRAME = 640  # 40 ms holds two periods of 50 Hz
_HOP = 160
_LOWEST_HZ, _HIGHEST_HZ = 70, 400
_VOICED = 0.5
"""Normalised autocorrelation from which a frame counts as voiced."""
_NEARLY = 0.9
_FINAL_FRAMES = 25  # a quarter of a second
_FLOOR = 1e-8
_NUCLEUS_DB = 3.0
"""How far a peak of energy rises above the valley before it: a syllable's nucleus
(de Jong & Wempe 2009 use 2 dB and voicing on clean speech)."""


def prosody(speech: NDArray[np.float32]) -> NDArray[np.float64]:
    """`NAMES` of the end of mono 16 kHz `speech`, shape [n]; float64 [4].

    Falls are what the last quarter of a second lies below what precedes it in `LOOK_BACK`; a
    fall is 0 where there is nothing to compare. Only differences and durations are measured, so
    that neither a loud microphone nor a high voice matters.
    """
    frames = _frames(speech)
    power = (frames**2).mean(axis=1)
    level_db = 10 * np.log10(power + _FLOOR)
    pitch = _pitch_semitones(frames, power)
    voiced = np.isfinite(pitch)
    return np.array(
        [
            _fall(level_db, np.ones(len(frames), bool)),
            _fall(pitch, voiced),
            _last_run(voiced) * _HOP / SAMPLE_RATE_HZ,
            _nuclei(level_db) * SAMPLE_RATE_HZ / (len(frames) * _HOP),
        ]
    )


def _frames(speech: NDArray[np.float32]) -> NDArray[np.float64]:
    """The last second in frames of 40 ms every 10 ms; zeros stand before a shorter one."""
    window = np.zeros(LOOK_BACK)
    heard = speech[-LOOK_BACK:]
    window[LOOK_BACK - len(heard) :] = heard
    frames = sliding_window_view(window, _FRAME)[::_HOP]
    return np.asarray(frames - frames.mean(axis=1, keepdims=True), np.float64)


def _pitch_semitones(
    frames: NDArray[np.float64], power: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Pitch of each frame on a logarithmic scale, NaN where it has none (autocorrelation)."""
    spectrum = np.fft.rfft(frames, 2 * _FRAME, axis=1)
    correlation = np.fft.irfft(np.abs(spectrum) ** 2, axis=1)[:, :_FRAME]
    # A lag leaves fewer products to sum; without the correction short lags would win.
    correlation *= _FRAME / (_FRAME - np.arange(_FRAME))
    strength = correlation / (correlation[:, :1] + _FLOOR)
    shortest, longest = SAMPLE_RATE_HZ // _HIGHEST_HZ, SAMPLE_RATE_HZ // _LOWEST_HZ
    strength = strength[:, shortest : longest + 1]
    best = strength.max(axis=1)
    # Two periods fit as well as one: the shortest lag that nearly reaches the best is the pitch.
    lags = (strength >= _NEARLY * best[:, None]).argmax(axis=1) + shortest
    audible = power > 0.01 * power.max() + _FLOOR
    pitch = 12 * np.log2(SAMPLE_RATE_HZ / lags)
    return np.where((best >= _VOICED) & audible, pitch, np.nan)


def _fall(values: NDArray[np.float64], usable: NDArray[np.bool_]) -> float:
    """Median of the usable frames before the final ones minus theirs."""
    final, before = values[-_FINAL_FRAMES:], values[:-_FINAL_FRAMES]
    final, before = final[usable[-_FINAL_FRAMES:]], before[usable[:-_FINAL_FRAMES]]
    return float(np.median(before) - np.median(final)) if len(final) and len(before) else 0.0


def _last_run(voiced: NDArray[np.bool_]) -> int:
    """Frames in the last unbroken run of voiced ones: a syllable drawn out is a long run."""
    places = np.flatnonzero(voiced)
    if not len(places):
        return 0
    breaks = np.flatnonzero(np.diff(places) > 1)
    return len(places) - (int(breaks[-1]) + 1 if len(breaks) else 0)


def _nuclei(level_db: NDArray[np.float64]) -> int:
    """Peaks of the smoothed energy that rise clear of the valley before them."""
    smooth = np.convolve(level_db, np.ones(5) / 5, mode="same")
    found, valley, rising = 0, smooth[0], False
    for level in smooth:
        if level < valley:
            valley, rising = level, False
        elif not rising and level > valley + _NUCLEUS_DB:
            found, rising = found + 1, True
        if rising and level > valley:
            valley = level - _NUCLEUS_DB
    return found
