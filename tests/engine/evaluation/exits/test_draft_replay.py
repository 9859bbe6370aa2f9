from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.exits.draft_replay import Rounds, replayed

END = 99


def replay(proposed: list[int], reply: list[int], draft_tokens: int, **bounds: int) -> Rounds:
    limits = {"max_tokens": 50, "widest": 64} | bounds
    return replayed(proposed, reply, draft_tokens=draft_tokens, ends=lambda t: t == END, **limits)


def test_a_round_drafts_after_the_last_served_token() -> None:
    # The first token is full depth's own; then 2 is kept and 3 follows, 7 is wrong and 4 follows.
    assert replay([0, 2, 0, 7, 5], [1, 2, 3, 4, 5], 1) == Rounds(3, 3, 2)


def test_nothing_after_a_wrong_draft_is_kept() -> None:
    assert replay([0, 2, 7, 4, 5], [1, 2, 3, 4, 5], 4) == Rounds(2, 8, 3)


def test_a_drafted_end_is_the_last_draft() -> None:
    assert replay([0, 2, END], [1, 2, END], 6) == Rounds(1, 2, 2)
    assert replay([0, END, 3], [1, 2, 3], 6) == Rounds(2, 7, 1)


def test_drafts_fit_into_what_is_left_and_into_the_widest_batch() -> None:
    reply = [1, 2, 3, 4, 5]
    assert replay(reply, reply, 6, max_tokens=5) == Rounds(1, 3, 3)
    assert replay(reply, reply, 6, widest=2) == Rounds(2, 2, 2)


def test_an_empty_generation_drafts_nothing() -> None:
    found = replay([END], [END], 6)
    assert found == Rounds(0, 0, 0)
    assert found.acceptance is None


@given(st.lists(st.booleans(), min_size=1, max_size=30), st.integers(1, 5))
def test_every_token_is_served_once(right: list[bool], draft_tokens: int) -> None:
    reply = list(range(len(right)))
    proposed = [token if same else -1 for token, same in zip(reply, right, strict=True)]
    found = replay(proposed, reply, draft_tokens, max_tokens=len(reply))
    assert 1 + found.rounds + found.accepted == len(reply)
    assert found.accepted <= found.drafted <= draft_tokens * found.rounds
