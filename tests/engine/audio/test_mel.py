"""The log-mel against a second derivation: a plain DFT sum and filters built bin by bin."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.audio.mel import log_mel

RATE, WINDOW, HOP, BANDS = 16_000, 400, 160, 80


def slaney_mel(hz: float) -> float:
    return hz / (200 / 3) if hz < 1000 else 15 + 27 * math.log(hz / 1000, 6.4)


def inverse(mel: float) -> float:
    return mel * 200 / 3 if mel < 15 else 1000 * 6.4 ** ((mel - 15) / 27)


def filters() -> NDArray[np.float64]:
    top = slaney_mel(RATE / 2)
    corners = [inverse(top * i / (BANDS + 1)) for i in range(BANDS + 2)]
    weights = np.zeros((BANDS, WINDOW // 2 + 1))
    for band in range(BANDS):
        left, middle, right = corners[band : band + 3]
        for k in range(WINDOW // 2 + 1):
            hz = k * RATE / WINDOW
            if left < hz <= middle:
                weights[band, k] = (hz - left) / (middle - left)
            elif middle < hz < right:
                weights[band, k] = (right - hz) / (right - middle)
        weights[band] *= 2 / (right - left)
    return weights


def reference(audio: NDArray[np.float32]) -> NDArray[np.float64]:
    """The same spectrogram in float64 by multiplication with a DFT matrix."""
    mirrored = np.concatenate(
        (audio[WINDOW // 2 : 0 : -1], audio, audio[-2 : -WINDOW // 2 - 2 : -1])
    )
    n = np.arange(WINDOW)
    hann = np.sin(np.pi * n / WINDOW) ** 2
    dft = np.exp(-2j * np.pi * np.outer(np.arange(WINDOW // 2 + 1), n) / WINDOW)
    columns = []
    for start in range(0, len(audio) - len(audio) % HOP, HOP):
        spectrum = dft @ (hann * mirrored[start : start + WINDOW].astype(np.float64))
        columns.append(filters_ @ np.abs(spectrum) ** 2)
    mel = np.log10(np.maximum(np.array(columns).T, 1e-10))
    floored: NDArray[np.float64] = (np.maximum(mel, mel.max() - 8) + 4) / 4
    return floored


filters_ = filters()


@settings(max_examples=25, deadline=None)
@given(
    n=st.integers(201, 6000),
    seed=st.integers(0, 2**32 - 1),
    loudness=st.floats(1e-4, 1.0),
    hz=st.floats(50, 7900),
)
def test_it_agrees_with_a_plain_fourier_sum(n: int, seed: int, loudness: float, hz: float) -> None:
    noise = np.random.default_rng(seed).normal(size=n) * 0.05
    audio = (loudness * (noise + np.sin(2 * np.pi * hz * np.arange(n) / RATE))).astype(np.float32)
    features = log_mel(audio)
    assert features.dtype == np.float32
    assert features.flags.c_contiguous
    np.testing.assert_allclose(features, reference(audio), atol=2e-4)


@pytest.mark.parametrize("hz", [200.0, 440.0, 1000.0, 3000.0, 7000.0])
def test_a_tone_lies_in_its_band(hz: float) -> None:
    tone = np.sin(2 * np.pi * hz * np.arange(RATE) / RATE).astype(np.float32)
    loudest = log_mel(tone)[:, 5:-5].mean(axis=1).argmax()
    centre = inverse(slaney_mel(RATE / 2) * (loudest + 1) / (BANDS + 1))
    assert abs(slaney_mel(centre) - slaney_mel(hz)) <= slaney_mel(RATE / 2) / BANDS


def test_silence_is_flat() -> None:
    assert np.ptp(log_mel(np.zeros(RATE, np.float32))) == 0.0


@settings(max_examples=50, deadline=None)
@given(n=st.integers(1, 3000), more=st.integers(0, 3000), seed=st.integers(0, 2**32 - 1))
def test_zeros_that_follow_may_be_left_to_it(n: int, more: int, seed: int) -> None:
    audio = np.random.default_rng(seed).normal(size=n).astype(np.float32)
    length = max(n + more, 201)
    written_out = np.pad(audio, (0, length - n))
    # Matrix products of another height may round their last bit differently.
    np.testing.assert_allclose(log_mel(audio, length), log_mel(written_out), atol=1e-5)
