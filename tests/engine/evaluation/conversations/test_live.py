"""What the live bench makes of two runs of the same recording."""

import json
from argparse import ArgumentParser
from pathlib import Path

import pytest

from engine.evaluation.conversations import live
from engine.evaluation.conversations.conversation import Summary
from engine.evaluation.conversations.live import Pair, summarise
from engine.events import (
    BranchDiscarded,
    BranchStarted,
    DecoderWorked,
    Event,
    TokenDecoded,
    TokenOutcome,
    TurnAccounted,
    TurnCommitted,
)


def accounted(perceived_ms: float) -> TurnAccounted:
    return TurnAccounted(
        heard_s=2.0,
        turn=1,
        triggered=True,
        from_branch=True,
        extra_starts=0,
        hidden_ms=0.0,
        visible_ms=0.0,
        wasted_ms=0.0,
        post_confirmation_ttft_ms=0.0,
        without_pads_ttft_ms=0.0,
        perceived_ttft_ms=perceived_ms,
    )


def worked(branch: int, head_ms: float, tail_ms: float, depth: str = "deep") -> DecoderWorked:
    return DecoderWorked(
        heard_s=1.0,
        turn=1,
        branch=branch,
        depth=depth,
        start_s=0.9,
        head_ms=head_ms,
        tail_ms=tail_ms,
        tokens=4,
    )


def summed(pads: bool, seen: list[Event]) -> Summary:
    summary = Summary(pads=pads)
    for event in seen:
        summary.take(event)
    return summary


def conversation(pads: bool, perceived_ms: list[float], discards: int) -> Summary:
    seen: list[Event] = []
    for turn, ms in enumerate(perceived_ms, 1):
        text = f"turn {turn}"
        seen += [
            TurnCommitted(heard_s=1.0, turn=turn, text=text, from_branch=False),
            accounted(ms),
        ]
    seen += [BranchDiscarded(heard_s=1.0, turn=1, branch=1, reason="")] * discards
    return summed(pads, seen)


def test_what_an_extra_start_buys() -> None:
    pairs = [
        Pair(
            Path("a"),
            conversation(False, [900.0, 800.0], 0),
            conversation(True, [700.0, 700.0], 1),
        ),
        Pair(Path("b"), conversation(False, [1000.0], 0), conversation(True, [1060.0], 1)),
    ]
    total = summarise(pairs)
    assert total["perceived_ms"] == {"on": 700.0, "off": 900.0}
    assert total["saved_ms_a_turn"] == 80.0  # (200 + 100 - 60) / 3
    assert total["extra_starts_percent"] == pytest.approx(66.7)
    assert total["saved_ms_an_extra_start"] == 120.0


def test_turns_that_were_understood_otherwise_are_not_compared() -> None:
    off, on = conversation(False, [900.0], 0), conversation(True, [100.0], 1)
    on.transcripts[0] = "something else"
    total = summarise([Pair(Path("a"), off, on)])
    assert total["saved_ms_a_turn"] is total["saved_ms_an_extra_start"] is None
    assert not total["same_replies"]


@pytest.mark.parametrize(
    ("off", "on", "same", "compared"),
    [
        ([[1, 2], [3]], [[1, 2], [3]], True, 2),
        ([[1, 2, 5], [3]], [[1, 2], [4]], True, 1),  # spoken into: the next one answers otherwise
        ([[1, 2, 5], [3]], [[1, 6], [3]], False, 1),
        ([[1, 2], [3, 4]], [[1, 2], [3]], False, 2),  # nobody spoke into the last one
        ([], [], True, 0),
    ],
)
def test_replies_are_compared_as_long_as_the_conversations_are_the_same(
    off: list[list[int]], on: list[list[int]], same: bool, compared: int
) -> None:
    first, second = conversation(False, [900.0], 0), conversation(True, [800.0], 0)
    first.reply_tokens[:], second.reply_tokens[:] = off, on
    pair = Pair(Path("a"), first, second)
    assert (pair.same_replies, pair.compared_replies) == (same, compared)


def test_prefill_is_what_a_branch_reads_before_its_first_token() -> None:
    token = TokenDecoded(
        heard_s=1.0,
        turn=1,
        branch=5,
        index=0,
        token=7,
        text="a",
        outcome=TokenOutcome.DEEP,
        layers_used=30,
        layers_total=30,
    )
    summary = summed(
        True,
        [
            worked(4, 50.0, 0.0, "shallow"),
            BranchStarted(heard_s=1.0, turn=1, branch=5, speculative=True),
            worked(5, 8.0, 0.0),
            worked(5, 3.0, 0.0),
            worked(5, 0.0, 9.0),
            token,
            worked(5, 2.0, 0.0),
            BranchStarted(heard_s=1.0, turn=2, branch=6, speculative=False),
        ],
    )
    assert summary.prefill_ms == {5: 11.0, 6: 0.0}
    assert summary.record()["prefill_ms"] == {"median": 5.5}


@pytest.mark.usefixtures("models")
def test_a_recording_is_heard_with_the_patience_that_was_asked_for(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = ArgumentParser()
    live.add_parser(parser.add_subparsers())
    file = data / "audio" / "livekit_weather_question.wav"
    arguments = parser.parse_args(["live", str(file), "--patience", "eager", "--json"])
    assert arguments.run(arguments) == 0
    *replays, total = map(json.loads, capsys.readouterr().out.splitlines())
    assert [replay["pads"] for replay in replays] == [False, True]
    assert total["patience"] == "eager"
    assert total["turns"] == 1
    assert total["perceived_ms"]["off"] >= 384  # no answer before the shortest silence
    assert total["prefill_ms"]["on"] is not None
    assert total["published"]["human_gap_ms"]["evidence"] == "published"
