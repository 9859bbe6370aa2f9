from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.speculation import drafting
from engine.speculation.chat import Chat
from tests.engine.speculation.conftest import SAID, Decoders, answer, say


@pytest.mark.parametrize(
    ("wanted", "emitted", "room", "widest", "expected"),
    [(3, 0, 50, 64, 3), (3, 8, 50, 64, 1), (3, 9, 50, 64, 0), (3, 0, 2, 64, 1), (3, 0, 50, 1, 0)],
)
def test_a_draft_fits_reply_context_and_proved_width(
    wanted: int, emitted: int, room: int, widest: int, expected: int
) -> None:
    length = drafting.draft_length(wanted, emitted=emitted, max_tokens=10, room=room, widest=widest)
    assert length == expected


@pytest.mark.parametrize(
    ("tokens", "length", "expected"),
    [
        ([1, 2, 3, 1, 2], 3, [3, 1, 2]),
        ([1, 2, 3, 9, 2, 4, 1, 2], 1, [3]),
        ([5, 2, 7, 2], 2, [7, 2]),
        ([2, 6, 2, 7, 2], 1, [7]),
        ([1, 2, 3], 3, []),
        ([1], 3, []),
        ([], 3, []),
    ],
)
def test_lookup_continues_the_newest_longest_match(
    tokens: list[int], length: int, expected: list[int]
) -> None:
    assert drafting.lookup(tokens, length) == expected


@given(tokens=st.lists(st.integers(0, 3), max_size=20), length=st.integers(1, 4))
def test_lookup_copies_what_followed_the_last_token(tokens: list[int], length: int) -> None:
    draft = drafting.lookup(tokens, length)
    assert len(draft) <= length
    if draft:
        copied = [tokens[-1], *draft]
        places = range(len(tokens) - len(copied) + 1)
        assert any(tokens[i : i + len(copied)] == copied for i in places)
    else:
        assert tokens[-1:] == [] or tokens[-1] not in tokens[:-1]


def test_looked_up_drafts_change_nothing(new_decoder: Decoders, chat: Chat) -> None:
    plain, looking = new_decoder(), new_decoder(draft_tokens=3)
    looking.lookup = True
    prompt = chat.prompt(say("Say this again: the sea is blue, the sea is deep, the sea")).tokens
    steps = list(looking.decode(prompt, 32))
    assert sum(step.drafted for step in steps) > 0
    assert [i.token for s in steps for i in s.served] == answer(plain, prompt, 32)
    assert answer(looking, chat.prompt(say(SAID[0])).tokens, 8)
