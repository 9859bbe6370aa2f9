"""smart-turn's features: where the sound lies, that loudness does not matter, their scale."""

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.audio.mel import log_mel
from engine.turntaking.features import CONTEXT, turn_features
from tests.engine.turntaking.conftest import Recording


@pytest.mark.parametrize("seconds", [0.5, 3.0, 8.0, 9.5])
def test_the_last_eight_seconds_end_at_the_right(recording: Recording, seconds: float) -> None:
    speech = recording("whisper_jfk.flac")[: round(seconds * 16_000)]
    features = turn_features(speech)
    assert features.shape == (1, 80, 800)
    assert features.dtype == np.float32
    assert np.allclose(features, expected(speech), atol=1e-4)


def expected(speech: NDArray[np.float32]) -> NDArray[np.float32]:
    window = np.concatenate((np.zeros(CONTEXT), speech.astype(np.float64)))[-CONTEXT:]
    standard = (window - np.mean(window)) / np.std(window)
    return log_mel(standard.astype(np.float32))[None]


def test_loudness_and_offset_do_not_matter(recording: Recording) -> None:
    speech = recording("whisper_jfk.flac")[: 8 * 16_000]
    usual = turn_features(speech)
    assert np.allclose(turn_features(0.05 * speech), usual, atol=2e-3)
    assert np.allclose(turn_features(speech + np.float32(0.1)), usual, atol=2e-3)


def test_the_audio_is_left_as_it_was(recording: Recording) -> None:
    speech = recording("whisper_jfk.flac")[: 8 * 16_000]
    before = speech.copy()
    turn_features(speech)
    assert np.array_equal(speech, before)


def test_silence_and_nothing_have_finite_features() -> None:
    assert np.isfinite(turn_features(np.zeros(CONTEXT, np.float32))).all()
    assert np.isfinite(turn_features(np.zeros(0, np.float32))).all()
