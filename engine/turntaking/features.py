"""What smart-turn hears: the last 8 s as a log-mel spectrogram."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.audio.mel import log_mel
from engine.clock import SAMPLE_RATE_HZ

CONTEXT = 8 * SAMPLE_RATE_HZ
"""Samples the model looks back."""
_VARIANCE_FLOOR = 1e-7


def turn_features(audio: NDArray[np.float32]) -> NDArray[np.float32]:
    """Features of shape [1, 80, 800] of the last 8 s of mono 16 kHz `audio`, shape [n].

    Less than 8 s is preceded by zeros, so that the newest sound always lies at the end, where
    the model was trained to expect it. The window, zeros included, is brought to zero mean and
    unit variance before the spectrogram: loudness must not matter (smart-turn v3).
    """
    window = np.zeros(CONTEXT, np.float32)
    heard = audio[-CONTEXT:]
    window[CONTEXT - len(heard) :] = heard
    window -= window.mean()
    window /= np.sqrt(window.var() + _VARIANCE_FLOOR)
    return log_mel(window)[None]
