"""Recordings with words: the real ones, and folders that cannot be used."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from engine.errors import DataUnavailable
from engine.training.corpora import conversations
from engine.training.corpora.conversations import Spoken


def write(folder: Path, words: Any, rate: int = 48_000) -> Path:
    """A second of stereo noise and its words."""
    noise = np.random.default_rng(0).normal(0, 0.1, (rate, 2))
    soundfile.write(folder / "talk.wav", noise, rate)
    record = {"meeting": "talk", "words": words}
    (folder / "talk.words.json").write_text(json.dumps(record), "utf-8")
    return folder


def word(speaker: str, start_s: float, end_s: float, punctuation: bool = False) -> dict[str, Any]:
    times = {"start_s": start_s, "end_s": end_s}
    return {"speaker": speaker, **times, "text": "a", "punctuation": punctuation}


def test_the_real_recordings(data: Path) -> None:
    found = conversations.read(conversations.find(data))
    assert len(found) == len({conversation.group for conversation in found}) == 9
    for conversation in found:
        assert len(conversation.audio) == pytest.approx(30 * 16_000, abs=10)
        starts = [spoken.start_s for spoken in conversation.spoken]
        assert starts == sorted(starts)
    assert sum(len(conversation.spoken) for conversation in found) > 400


def test_rates_and_channels_are_converted_and_words_without_length_dropped(tmp_path: Path) -> None:
    words = [word("B", 0.5, 0.9), word("A", 0.1, 0.4), word("A", 0.4, 0.4, True), word("A", 1, 1)]
    (found,) = conversations.read(write(tmp_path, words))
    assert found.audio.shape == (16_000,)
    assert found.audio.dtype == np.float32
    assert found.spoken == (Spoken("A", 0.1, 0.4, "a"), Spoken("B", 0.5, 0.9, "a"))


@pytest.mark.parametrize(
    "words", [None, [{"speaker": "A"}], [{**word("A", 0, 1), "start_s": "soon"}]]
)
def test_malformed_words_are_named(tmp_path: Path, words: Any) -> None:
    with pytest.raises(DataUnavailable, match=r"talk\.words\.json cannot be used"):
        conversations.read(write(tmp_path, words))


def test_words_without_sound_are_named(tmp_path: Path) -> None:
    write(tmp_path, [])
    (tmp_path / "talk.wav").unlink()
    with pytest.raises(DataUnavailable, match="cannot be used"):
        conversations.read(tmp_path)


def test_a_folder_without_recordings_says_what_is_wanted(tmp_path: Path) -> None:
    with pytest.raises(DataUnavailable, match=r"no recordings with words.*words\.json"):
        conversations.find(tmp_path)
