"""Which utterances leave the floor where it is."""

import pytest

from engine.trigger.backchannel import gives_no_floor


@pytest.mark.parametrize(
    "text", ["Mm-hmm.", "Mmmmmm", "Mm-m-m-", "Uh-huh", "Oh", "you", "Hmm. Mm."]
)
def test_a_sound_without_words_is_never_a_turn(text: str) -> None:
    assert gives_no_floor(text, 0.4, replying=False, asked=False)
    assert gives_no_floor(text, 0.4, replying=True, asked=False)


@pytest.mark.parametrize(
    "text", ["Yeah", "Yeah, yeah.", "Okay.", "Mm, right.", "I see.", "Oh, I see.", "Oh, wow!"]
)
def test_agreement_is_a_turn_only_when_nothing_is_being_said(text: str) -> None:
    assert gives_no_floor(text, 0.6, replying=True, asked=False)
    assert not gives_no_floor(text, 0.6, replying=False, asked=False)


@pytest.mark.parametrize(
    "text",
    ["", "No.", "Stop", "Yeah, but why?", "Okay, what about Sunday?", "How?", "I see a bird"],
)
def test_other_words_are_a_turn(text: str) -> None:
    assert not gives_no_floor(text, 0.6, replying=True, asked=False)


@pytest.mark.parametrize("text", ["Yeah.", "Mm-hmm."])
def test_after_a_question_everything_is_an_answer(text: str) -> None:
    assert not gives_no_floor(text, 0.4, replying=True, asked=True)


def test_long_speech_of_which_one_word_was_understood_is_a_turn() -> None:
    assert not gives_no_floor("Yeah", 2.5, replying=True, asked=False)
