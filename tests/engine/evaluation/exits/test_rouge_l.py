from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.exits.rouge_l import longest_common, rouge_l


@pytest.mark.parametrize(
    ("reply", "reference", "expected"),
    [
        ("police killed the gunman", "police kill the gunman", 3 / 4),
        ("the gunman kill police", "police kill the gunman", 2 / 4),
        ("Yes, it's in Room 12.", "it s in room 12", 10 / 11),
        ("one two three", "four five", 0.0),
        ("", "something", 0.0),
        ("something", "...", 0.0),
        ("a b c d e", "b d", 4 / 7),
    ],
)
def test_worked_cases(reply: str, reference: str, expected: float) -> None:
    # By hand; the rouge-score package (0.1.2, no stemmer) gives the same to six digits.
    assert rouge_l(reply, reference) == pytest.approx(expected)


@given(st.text("ab", max_size=7), st.text("ab", max_size=7))
def test_the_longest_common_subsequence_is_the_longest(first: str, second: str) -> None:
    subsequences = {
        "".join(part) for n in range(len(first) + 1) for part in itertools.combinations(first, n)
    }

    def within(part: str) -> bool:
        letters = iter(second)
        return all(letter in letters for letter in part)

    assert longest_common(first, second) == max(len(part) for part in subsequences if within(part))
