"""Speech detection on recordings with word times, and on sounds that are not speech."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.errors import ModelUnavailable
from engine.turntaking.vad import CHUNK, SpeechDetector
from tests.engine.turntaking.conftest import Recording

RATE = 16_000


@pytest.fixture(scope="module")
def detector(models: Path) -> SpeechDetector:
    return SpeechDetector(models / "silero_vad.onnx")


def probabilities(detector: SpeechDetector, audio: NDArray[np.float32]) -> NDArray[np.float64]:
    detector.reset()
    ends = range(CHUNK, len(audio) + 1, CHUNK)
    return np.array([detector.update(audio[end - CHUNK : end]) for end in ends])


@pytest.mark.parametrize("meeting", ["EN2001e", "EN2004a", "EN2005a", "ES2003a"])
def test_words_are_speech(
    detector: SpeechDetector,
    recording: Recording,
    words: Callable[[str], list[dict[str, Any]]],
    meeting: str,
) -> None:
    heard = probabilities(detector, recording(f"ami_{meeting}_first30s.wav"))
    spoken = np.zeros(len(heard), bool)
    for word in words(meeting):
        spoken[int(word["start_s"] * RATE / CHUNK) : int(word["end_s"] * RATE / CHUNK) + 1] = True
    assert (heard[spoken] > 0.5).mean() > 0.6  # far-field meetings, whispered ends included
    assert heard[spoken].mean() > heard[~spoken].mean() + 0.3


def music(seconds: int) -> NDArray[np.float64]:
    """Chords of decaying harmonics, two a second."""
    random, t = np.random.default_rng(1), np.arange(RATE // 2) / RATE
    chords = []
    for _ in range(2 * seconds):
        root = 220 * 2 ** (random.integers(24) / 12)
        tones = [root * ratio * h for ratio in (1, 1.25, 1.5) for h in range(1, 6)]
        chords.append(sum(np.sin(2 * np.pi * hz * t) / hz for hz in tones) * np.exp(-3 * t))
    played = np.concatenate(chords)
    return played / np.abs(played).max() * 0.3


def not_speech(kind: str, seconds: int) -> NDArray[np.float32]:
    t = np.arange(seconds * RATE) / RATE
    sounds = {
        "silence": lambda: np.zeros(len(t)),
        "faint noise": lambda: np.random.default_rng(2).normal(size=len(t)) * 0.01,
        "loud noise": lambda: np.random.default_rng(3).normal(size=len(t)) * 0.1,
        "hum": lambda: 0.1 * np.sin(2 * np.pi * 100 * t) + 0.05 * np.sin(2 * np.pi * 300 * t),
        "music": lambda: music(seconds),
    }
    return sounds[kind]().astype(np.float32)


@pytest.mark.parametrize("kind", ["silence", "faint noise", "loud noise", "hum", "music"])
def test_other_sounds_open_no_turn_and_do_not_deafen(
    detector: SpeechDetector, recording: Recording, kind: str
) -> None:
    before, speech = not_speech(kind, 20), recording("whisper_jfk.flac")
    alone = probabilities(detector, speech) > 0.5
    heard = probabilities(detector, np.concatenate((before, speech))) > 0.5
    quiet, after = heard[: len(before) // CHUNK], heard[len(before) // CHUNK :]
    consecutive = quiet[:-2] & quiet[1:-1] & quiet[2:]
    assert not consecutive.any()  # a turn needs 96 ms of speech
    assert abs(int(alone.argmax()) - int(after.argmax())) <= 2
    assert after.sum() > 0.95 * alone.sum()


def test_a_reset_forgets(detector: SpeechDetector, recording: Recording) -> None:
    speech = recording("livekit_hello_world.wav")
    first = probabilities(detector, speech)
    assert np.array_equal(first, probabilities(detector, speech))


@pytest.mark.parametrize("content", [b"", b"not a model", None])
def test_a_bad_model_file_is_named_with_its_remedy(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "silero_vad.onnx"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ModelUnavailable, match=r"silero_vad\.onnx.*pads models fetch"):
        SpeechDetector(file)
