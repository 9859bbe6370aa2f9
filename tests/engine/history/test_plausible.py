"""Which events that were read back can have happened."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from engine import events
from engine.events import Event
from engine.history.plausible import plausible

WORKED = events.DecoderWorked(
    heard_s=2.0, turn=1, branch=1, depth="deep", start_s=1.0, head_ms=1.0, tail_ms=0, tokens=3
)
REPLY = events.ReplyFinished(
    heard_s=2.0, turn=1, text="é", tokens=(1, 2), reason="eos", drafted=2, accepted=1
)
OPENED = events.SourceOpened(heard_s=0.0, name="a", kind="microphone", seconds=None)


@pytest.mark.parametrize("event", [WORKED, REPLY, OPENED])
def test_what_the_engine_tells_is(event: Event) -> None:
    assert plausible(event)
    assert plausible(replace(event, heard_s=3))  # JSON knows one kind of number


def test_a_number_that_json_did_not_know_may_be_missing_but_no_time() -> None:
    assert plausible(replace(WORKED, head_ms=math.nan))
    assert not plausible(replace(WORKED, start_s=math.nan))


@pytest.mark.parametrize(
    ("event", "changes"),
    [
        (WORKED, {"heard_s": 1e300}),
        (WORKED, {"heard_s": "1"}),
        (WORKED, {"head_ms": math.inf}),
        (WORKED, {"tokens": 10**400}),
        (WORKED, {"tokens": 1.5}),
        (WORKED, {"turn": True}),
        (REPLY, {"text": "\ud800"}),
        (REPLY, {"text": None}),
        (REPLY, {"tokens": ("a",)}),
        (OPENED, {"seconds": "long"}),
    ],
)
def test_what_cannot_be_is_not(event: Event, changes: dict[str, Any]) -> None:
    assert not plausible(replace(event, **changes))
