"""Alignments done by hand, and what holds of any."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.turns.word_alignment import Errors, align, words

SPOKEN = st.lists(st.sampled_from("abcd"), max_size=8)


@pytest.mark.parametrize(
    ("said", "heard", "errors"),
    [
        ("the cat sat on the mat", "the cat sat on the mat", Errors(6, 0, 0, 0)),
        ("the cat sat on the mat", "the bat sat the mat now", Errors(4, 1, 1, 1)),
        ("a b c", "", Errors(0, 0, 3, 0)),
        ("", "a b", Errors(0, 0, 0, 2)),
        ("a b", "b a", Errors(1, 0, 1, 1)),  # as cheap as two substitutions, and one hit
        ("a b c d", "x a b c d", Errors(4, 0, 0, 1)),
        ("", "", Errors()),
    ],
)
def test_alignments_done_by_hand(said: str, heard: str, errors: Errors) -> None:
    assert align(said.split(), heard.split()) == errors
    assert errors.reference == len(said.split())


@given(SPOKEN, SPOKEN)
def test_counts_add_up_and_errors_are_a_distance(said: list[str], heard: list[str]) -> None:
    there, back = align(said, heard), align(heard, said)
    assert there.reference == len(said)
    assert there.hits + there.substitutions + there.insertions == len(heard)
    assert there.total == back.total
    assert (there.total == 0) == (said == heard)
    assert abs(len(said) - len(heard)) <= there.total <= max(len(said), len(heard))


@given(SPOKEN, SPOKEN, SPOKEN)
def test_no_detour_is_shorter(a: list[str], b: list[str], c: list[str]) -> None:
    assert align(a, c).total <= align(a, b).total + align(b, c).total


def test_words_are_compared_without_case_punctuation_and_fillers() -> None:
    assert words("Um, I don’t KNOW: twenty-five?") == ["i", "don't", "know", "twenty", "five"]
    assert words("Mm-hmm.") == []
    assert words("'Cause it's 25 Euros") == ["cause", "it's", "25", "euros"]
