"""Sentences out of a growing reply, and the words heard of it by samples played."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.voice.utterance import Utterance


def spoken(text: str, size: int = 3) -> list[str]:
    """The sentences of `text`, which arrives `size` characters at a time."""
    utterance = Utterance(1)
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    found = [s for piece in pieces for s in utterance.add(piece)]
    return [sentence.text for sentence in (*found, *utterance.end())]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Sure. It is 3.5 degrees!  Bring a coat", ["Sure.", "It is 3.5 degrees!", "Bring a coat"]),
        ("Ask Dr. Who or J. Bach. Fine?", ["Ask Dr. Who or J. Bach.", "Fine?"]),
        ('He said "no." Then left.', ['He said "no."', "Then left."]),
        ("1. **Water** it\n2. Wait", ["1.", "Water it", "2.", "Wait"]),
        ("...", []),
        ("", []),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert spoken(text) == sentences


def test_a_sentence_without_an_end_is_cut_at_a_comma_or_between_words() -> None:
    text = "one two three, " + "four five " * 60
    pieces = spoken(text)
    assert len(pieces) > 2
    assert all(len(piece) <= 240 for piece in pieces)
    assert " ".join(pieces).split() == text.split()


@given(st.text("ab .!?,\n*", max_size=400), st.integers(1, 40))
def test_no_word_is_lost_however_the_reply_arrives(text: str, size: int) -> None:
    letters = [c for c in "".join(spoken(text, size)) if c.isalpha()]
    assert letters == [c for c in text if c.isalpha()]


def test_what_was_heard_are_whole_words_and_grows_with_the_samples() -> None:
    utterance = Utterance(1)
    first, second = utterance.add("One two three. Four five. Si")
    utterance.sounds(first, 1000, 2000)
    utterance.sounds(second, 2100, 3000)
    heard = [utterance.text[: utterance.heard(at)] for at in range(900, 3200, 10)]
    assert heard[0] == ""
    assert heard[-1] == "One two three. Four five."
    assert all(later.startswith(earlier) for earlier, later in pairwise(heard))
    assert set(heard) == {
        "",
        "One",
        "One two",
        "One two three.",
        "One two three. Four",
        "One two three. Four five.",
    }
    assert utterance.text[: utterance.heard(1500)] == "One two"
    assert not utterance.begun(1000)
    assert utterance.begun(1001)
    assert utterance.end_sample == 3000
