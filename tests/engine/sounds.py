"""Sounds to put an engine to the test: real speech cut and spliced, and noises made from numbers.

All are mono, 16 kHz, float32, shape [n].
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from engine.clock import SAMPLE_RATE_HZ as RATE

Sound = NDArray[np.float32]


def silence(seconds: float) -> Sound:
    return np.zeros(round(seconds * RATE), np.float32)


def load(file: Path, from_s: float = 0.0, to_s: float | None = None) -> Sound:
    samples, rate = soundfile.read(file, dtype="float32", always_2d=True)
    heard = np.asarray(soxr.resample(samples.mean(axis=1), rate, RATE), np.float32)
    return heard[round(from_s * RATE) : None if to_s is None else round(to_s * RATE)]


def segment(demo: Path, text: str) -> Sound:
    """One utterance of a demo, by its first words."""
    (one,) = (s for s in _segments(demo) if s["text"].startswith(text))
    return load(demo, one["start_s"], one["end_s"])


def texts(demo: Path) -> list[str]:
    """What is said in a demo, utterance by utterance."""
    return [str(one["text"]) for one in _segments(demo)]


def _segments(demo: Path) -> list[dict[str, Any]]:
    facts: dict[str, Any] = json.loads(demo.with_suffix(".json").read_text("utf-8"))
    return list(facts["segments"])


def levelled(sound: Sound, dbfs: float = -26.0) -> Sound:
    """The same at the active speech level that telephony aims at."""
    rms = float(np.sqrt(np.mean(np.square(sound, dtype=np.float64))))
    return np.clip(sound * np.float32(10 ** (dbfs / 20) / rms), -1.0, 1.0)


def mixed(*sounds: Sound) -> Sound:
    length = max(map(len, sounds))
    added = np.sum([np.pad(sound, (0, length - len(sound))) for sound in sounds], axis=0)
    return np.clip(added, -1.0, 1.0).astype(np.float32)


def slam(seed: int = 1) -> Sound:
    """A door: low noise that sets in at once and rings off."""
    return _burst(0.5, (30, 900), attack_s=0.002, decay_s=0.08, seed=seed) * np.float32(0.9)


def cough(seed: int = 2) -> Sound:
    """A burst of breath through the throat, and a second, softer one."""
    first = _burst(0.22, (300, 4500), attack_s=0.01, decay_s=0.07, seed=seed)
    second = _burst(0.22, (300, 3500), attack_s=0.03, decay_s=0.06, seed=seed + 1)
    return np.concatenate((0.7 * first, silence(0.06), 0.5 * second)).astype(np.float32)


def music(seconds: float) -> Sound:
    """Plucked chords, two a second."""
    chords = ((220, 277, 330), (196, 247, 294), (175, 220, 262), (196, 247, 294))
    tune = silence(seconds + 1.0)
    for beat in range(int(2 * seconds)):
        start, t = beat * RATE // 2, np.arange(RATE) / RATE
        for hertz in chords[beat % 4]:
            for partial in range(1, 6):
                tone = np.sin(2 * np.pi * hertz * partial * t) / partial * np.exp(-t / 0.35)
                tune[start : start + RATE] += tone.astype(np.float32)
    return 0.5 * tune[: round(seconds * RATE)] / np.abs(tune).max()


def _burst(
    seconds: float, band_hz: tuple[int, int], *, attack_s: float, decay_s: float, seed: int
) -> Sound:
    n = round(seconds * RATE)
    spectrum = np.fft.rfft(np.random.default_rng(seed).normal(size=n))
    hertz = np.fft.rfftfreq(n, 1 / RATE)
    spectrum[(hertz < band_hz[0]) | (hertz > band_hz[1])] = 0
    noise, t = np.fft.irfft(spectrum, n), np.arange(n) / RATE
    shaped = noise / np.abs(noise).max() * np.minimum(t / attack_s, 1) * np.exp(-t / decay_s)
    return shaped.astype(np.float32)
