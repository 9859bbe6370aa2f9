from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import TokenOutcome
from engine.speculation.drafting import draft_length
from engine.speculation.verifying import kept_prefix, served

_TOKENS = st.lists(st.integers(0, 3), max_size=6)


@pytest.mark.parametrize(
    ("draft", "target", "kept"),
    [
        ([], [7], 0),
        ([1, 2, 3], [1, 2, 3, 4], 3),
        ([1, 2, 3], [1, 9, 3, 4], 1),
        ([1, 2, 3], [9, 2, 3, 4], 0),
        ([1, 2], [1], 1),
    ],
)
def test_kept_prefix(draft: list[int], target: list[int], kept: int) -> None:
    assert kept_prefix(draft, target) == kept


@given(_TOKENS, _TOKENS)
def test_what_is_kept_agrees_and_the_next_does_not(draft: list[int], target: list[int]) -> None:
    kept = kept_prefix(draft, target)
    assert draft[:kept] == target[:kept]
    assert kept in (len(draft), len(target)) or draft[kept] != target[kept]


@given(_TOKENS, st.integers(0, 3))
def test_served_tokens_are_the_deep_layers_own(target: list[int], last: int) -> None:
    draft = [(token + 1) % 4 if i == 2 else token for i, token in enumerate(target)]
    tokens = [item.token for item in served(draft, [*target, last])]
    assert tokens == [*target, last][: len(tokens)]


def test_a_wrong_draft_is_corrected_once() -> None:
    items = served([5, 6, 7], [5, 1, 2, 3])
    assert [(item.token, item.outcome) for item in items] == [
        (5, TokenOutcome.KEPT),
        (1, TokenOutcome.CORRECTED),
    ]


def test_a_right_draft_brings_one_more_token() -> None:
    assert [item.outcome for item in served([5], [5, 6])] == [TokenOutcome.KEPT, TokenOutcome.DEEP]


def test_without_a_draft_the_token_is_deep() -> None:
    assert [item.outcome for item in served([], [6])] == [TokenOutcome.DEEP]


def test_targets_must_fit_the_draft() -> None:
    with pytest.raises(ValueError, match="2 targets"):
        served([5], [5])


@pytest.mark.parametrize(
    ("emitted", "room", "widest", "expected"),
    [(0, 100, 64, 3), (46, 100, 64, 1), (47, 100, 64, 0), (0, 2, 64, 1), (0, 100, 2, 1)],
)
def test_draft_length_respects_reply_context_and_width(
    emitted: int, room: int, widest: int, expected: int
) -> None:
    assert draft_length(3, emitted=emitted, max_tokens=48, room=room, widest=widest) == expected
