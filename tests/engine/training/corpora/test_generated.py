"""Spoken turns: the same every time, and what is in them is as labelled."""

import numpy as np
import pytest

from engine.errors import DataUnavailable
from engine.training.corpora import generated

TEXTS = [
    "Where did you go last night? I was looking for you.",
    "I would like a cup of coffee with some milk, please.",
    "No",
    "We should have left the house much earlier this morning. It is late.",
]

pytestmark = pytest.mark.skipif(not generated.installed(), reason="espeak-ng is not installed")


def test_the_same_arguments_give_the_same_sound() -> None:
    first, second = (list(generated.conversations(TEXTS, 3, 7)) for _ in range(2))
    other = list(generated.conversations(TEXTS, 3, 8))
    assert np.array_equal(first[0].audio, second[0].audio)
    assert first[0].spoken == second[0].spoken
    assert first[0].spoken != other[0].spoken


def test_there_is_speech_where_it_says_so_and_silence_elsewhere() -> None:
    (found,) = generated.conversations(TEXTS, 9, 1)
    assert [int(spoken.speaker) for spoken in found.spoken[:-1]] == sorted(
        int(spoken.speaker) for spoken in found.spoken[:-1]
    )
    assert len({spoken.speaker for spoken in found.spoken}) == 4  # "No" is too short; + the next
    loud = np.zeros(len(found.audio), bool)
    for spoken in found.spoken:
        loud[round(spoken.start_s * 16_000) : round(spoken.end_s * 16_000)] = True
    assert found.audio[loud].std() > 20 * found.audio[~loud].std() > 0
    gaps = [
        (later.start_s - earlier.end_s, earlier.speaker == later.speaker)
        for earlier, later in zip(found.spoken, found.spoken[1:], strict=False)
    ]
    assert all(0.15 < gap <= 2.5 if same else gap == pytest.approx(2) for gap, same in gaps)
    assert sum(same for _, same in gaps) >= 2


def test_a_voice_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated, "VOICES", ("martian",))
    with pytest.raises(DataUnavailable, match="martian"):
        list(generated.conversations(TEXTS, 1, 1))
