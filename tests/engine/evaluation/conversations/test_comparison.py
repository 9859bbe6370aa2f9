"""What is made of two runs over one recording."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import events
from engine.evaluation.conversations.comparison import (
    Agreement,
    Heard,
    agree,
    compared,
    earlier_in_words,
    read_events,
    replies_in_words,
)
from engine.events import Event, Evidence


def turn(
    number: int,
    perceived_ms: float,
    *,
    text: str = "Why?",
    tokens: tuple[int, ...] = (5, 6, 7),
    ended: str = "eos",
) -> list[Event]:
    return [
        events.TurnCommitted(heard_s=2.0 * number, turn=number, text=text, from_branch=False),
        events.ReplyFinished(
            heard_s=2.0 * number + 1,
            turn=number,
            text="Because.",
            tokens=tokens,
            reason=ended,
            drafted=0,
            accepted=0,
        ),
        events.TurnAccounted(
            heard_s=2.0 * number + 1,
            turn=number,
            triggered=True,
            from_branch=True,
            extra_starts=0,
            hidden_ms=10.0,
            visible_ms=20.0,
            wasted_ms=1.0,
            post_confirmation_ttft_ms=0.0,
            without_pads_ttft_ms=0.0,
            perceived_ttft_ms=perceived_ms,
        ),
    ]


def heard(*seen: Event) -> Heard:
    result = Heard()
    for event in seen:
        result.take(event)
    return result


def test_the_difference_is_that_of_the_same_turns() -> None:
    off = heard(*turn(1, 900.0), *turn(2, 800.0), *turn(3, 700.0), *turn(4, 5000.0))
    on = heard(*turn(1, 700.0), *turn(2, 790.0), *turn(3, 650.0))
    result = compared(off, on, Evidence.MEASURED)
    assert [row["earlier_ms"]["value"] for row in result["turns"]] == [200.0, 10.0, 50.0, None]
    assert result["earlier_ms"]["value"] == 50.0
    assert (result["earlier_ms"]["low"], result["earlier_ms"]["high"]) == (10.0, 200.0)
    assert "3 turns" in result["earlier_ms"]["method"]
    assert result["on"]["hidden_ms"]["value"] == 30.0
    assert result["replies"] == {"same": 3, "missing": 1}
    assert earlier_in_words(result["earlier_ms"]).startswith("First word 50 ms earlier (median")
    json.dumps(result, allow_nan=False)


def test_a_difference_that_may_be_none_is_not_claimed() -> None:
    off = heard(*turn(1, 700.0), *turn(2, 800.0), *turn(3, 700.0))
    on = heard(*turn(1, 900.0), *turn(2, 790.0), *turn(3, 750.0))
    said = earlier_in_words(compared(off, on, Evidence.MEASURED)["earlier_ms"])
    assert "50 ms later" in said
    assert "no difference is proved" in said


def test_without_a_turn_nothing_is_claimed() -> None:
    result = compared(heard(), heard(), Evidence.MEASURED)
    assert result["earlier_ms"]["evidence"] == "unavailable"
    assert "cannot be compared" in earlier_in_words(result["earlier_ms"])
    assert "no replies to compare" in replies_in_words(result["replies"], "measured")


@pytest.mark.parametrize(
    ("on", "agreement"),
    [
        (turn(1, 1.0), Agreement.SAME),
        (turn(1, 1.0, tokens=(5, 6, 8)), Agreement.DIFFERENT),
        (turn(1, 1.0, tokens=(5, 6)), Agreement.DIFFERENT),
        (turn(1, 1.0, tokens=(5, 6), ended="interrupted"), Agreement.CUT_SHORT),
        (turn(1, 1.0, tokens=(5,), ended="timeout"), Agreement.CUT_SHORT),
        (turn(1, 1.0, tokens=(6,), ended="interrupted"), Agreement.DIFFERENT),
        (turn(1, 1.0, text="Why not?"), Agreement.HEARD_DIFFERENTLY),
        (turn(2, 1.0), Agreement.MISSING),
    ],
)
def test_replies_agree_by_their_tokens(on: list[Event], agreement: Agreement) -> None:
    off = heard(*turn(1, 1.0))
    assert agree(1, off, heard(*on)) is agreement
    said = replies_in_words(compared(off, heard(*on), Evidence.MEASURED)["replies"], "measured")
    assert (agreement is Agreement.SAME) == said.startswith("1 of 1 replies are identical")
    assert agreement in said or agreement is Agreement.SAME


def test_turns_that_were_heard_differently_give_no_difference() -> None:
    result = compared(
        heard(*turn(1, 900.0)), heard(*turn(1, 100.0, text="Why not?")), Evidence.MEASURED
    )
    assert result["earlier_ms"]["value"] is None


def test_a_reply_that_ran_out_of_time_gives_no_difference() -> None:
    late = turn(1, 30_000.0, tokens=(5,), ended="timeout")
    result = compared(heard(*late), heard(*turn(1, 100.0)), Evidence.MEASURED)
    assert "close other programs" in result["turns"][0]["earlier_ms"]["reason"]
    assert result["earlier_ms"]["value"] is None


def test_kept_events_come_back_but_for_a_line_cut_short(tmp_path: Path) -> None:
    lines = [json.dumps(events.to_record(event)) + "\n" for event in turn(1, 1.0)]
    kept = tmp_path / "on.jsonl"
    kept.write_text("".join(lines)[:-20], "utf-8")
    assert list(read_events(kept)) == turn(1, 1.0)[:2]
