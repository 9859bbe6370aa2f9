"""Log-mel spectrogram as Whisper and the models built on its encoder expect it.

Radford et al. 2022, §2.2: 25 ms Hann windows every 10 ms, 80 Slaney mel bands to 8 kHz,
log10 floored 8 below the maximum, scaled by (x + 4) / 4.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from engine.clock import SAMPLE_RATE_HZ

BANDS = 80
HOP = 160
_WINDOW = 400
_FLOOR = 1e-10


def log_mel(audio: NDArray[np.float32], length: int | None = None) -> NDArray[np.float32]:
    """Features of shape [80, n // 160] for `n` > 200 samples of mono 16 kHz audio.

    With a `length`, as if zeros followed the audio up to `length` samples; they cost nothing.
    """
    length = len(audio) if length is None else length
    # Frames that touch a sample of the audio; its mirror image at the end only if it ends there.
    sounding = min(length // HOP, -(-(len(audio) + _WINDOW // 2) // HOP))
    padded = np.pad(audio, (0, min(length - len(audio), _WINDOW)))
    padded = np.pad(padded, _WINDOW // 2, mode="reflect")
    frames = sliding_window_view(padded, _WINDOW)[::HOP][:sounding]
    spectrum = np.fft.rfft(frames * _hann(), axis=1)
    power = (spectrum.real**2 + spectrum.imag**2).astype(np.float32)
    mel = np.full((BANDS, length // HOP), np.log10(_FLOOR), np.float32)
    mel[:, :sounding] = np.log10(np.maximum(power @ _filters(), _FLOOR)).T
    np.maximum(mel, mel.max() - 8.0, out=mel)
    return (mel + 4.0) / 4.0


@lru_cache(maxsize=1)
def _hann() -> NDArray[np.float32]:
    """Periodic Hann window."""
    phase = 2 * np.pi * np.arange(_WINDOW) / _WINDOW
    return (0.5 - 0.5 * np.cos(phase)).astype(np.float32)


@lru_cache(maxsize=1)
def _filters() -> NDArray[np.float32]:
    """Triangular filters of unit area, shape [201, 80], centres even on Slaney's mel scale."""
    bins = np.linspace(0, SAMPLE_RATE_HZ / 2, _WINDOW // 2 + 1)
    edges = _mel_to_hz(np.linspace(0, _hz_to_mel(SAMPLE_RATE_HZ / 2), BANDS + 2))
    low, centre, high = edges[:-2], edges[1:-1], edges[2:]
    rising = (bins[:, None] - low) / (centre - low)
    falling = (high - bins[:, None]) / (high - centre)
    triangles = np.maximum(0, np.minimum(rising, falling))
    return (triangles * 2.0 / (high - low)).astype(np.float32)


# Slaney's scale: linear to 1 kHz (200/3 Hz a mel), logarithmic above (27 mels per factor 6.4).
_KNEE_HZ, _KNEE_MEL, _STEP = 1000.0, 15.0, np.log(6.4) / 27.0


def _hz_to_mel(hz: float) -> float:
    if hz < _KNEE_HZ:
        return hz * 3 / 200
    return float(_KNEE_MEL + np.log(hz / _KNEE_HZ) / _STEP)


def _mel_to_hz(mel: NDArray[np.float64]) -> NDArray[np.float64]:
    above = _KNEE_HZ * np.exp((mel - _KNEE_MEL) * _STEP)
    return np.where(mel < _KNEE_MEL, mel * 200 / 3, above)
