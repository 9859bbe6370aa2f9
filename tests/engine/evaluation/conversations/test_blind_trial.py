"""The blind trial: balance, blindness, statistics against scipy, and one trial by the engine."""

from __future__ import annotations

import csv
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest

from engine import commands, events
from engine.evaluation.conversations.blind_results import Book, outcome
from engine.evaluation.conversations.blind_trial import Choice, Round, Stage, Trial, plan
from engine.evaluation.conversations.questions import questions
from engine.evaluation.measurement.binomial import fair_coin_p, wilson_interval
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import Settings

SOUNDS = [(f"question-{i}", Path(f"{i}.wav")) for i in range(4)]


def choice(visitor: int = 1, *, right: bool = True, round: int = 1) -> Choice:
    return Choice(
        visitor=visitor,
        round=round,
        question="first-guitar-1",
        pads_in=1,
        chose=1 if right else 2,
        with_ms=600.0,
        without_ms=750.0,
        early=True,
        evidence="measured",
    )


def test_pads_comes_first_as_often_as_second_and_the_order_is_drawn() -> None:
    orders = set()
    for seed in range(200):
        rounds = plan(SOUNDS, random.Random(seed))
        assert Counter(one.pads_in for one in rounds) == {1: 2, 2: 2}
        assert sorted(one.question for one in rounds) == [name for name, _ in SOUNDS]
        orders.add(tuple(one.pads_in for one in rounds))
    assert len(orders) == 6  # every way to place two of four
    odd = [plan(SOUNDS[:3], random.Random(seed)) for seed in range(200)]
    firsts = Counter(sum(one.pads_in == 1 for one in rounds) for rounds in odd)
    assert set(firsts) == {1, 2}


@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 1), (3, 8), (31, 48), (48, 48), (500, 1000)])
def test_interval_and_test_are_those_of_scipy(k: int, n: int) -> None:
    reference = binomtest(k, n, 0.5)
    found = wilson_interval(k, n, unit="choices")
    wilson = reference.proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high))
    assert fair_coin_p(k, n) == pytest.approx(reference.pvalue)


def test_a_share_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no share"):
        wilson_interval(0, 0, unit="choices")
    with pytest.raises(ValueError, match="no share"):
        fair_coin_p(3, 2)


def played(trial: Trial, *, ms: float, early: bool = False, text: str = "Yes.") -> None:
    """What the engine tells of one answered question."""
    trial.listen()
    trial.take(events.TurnCommitted(heard_s=1.0, turn=1, text="How?", from_branch=early))
    trial.take(events.ReplyServed(heard_s=1.1, turn=1, text=text))
    trial.take(
        events.TurnAccounted(
            heard_s=1.2,
            turn=1,
            triggered=early,
            from_branch=early,
            extra_starts=0,
            hidden_ms=0.0,
            visible_ms=0.0,
            wasted_ms=0.0,
            post_confirmation_ttft_ms=0.0,
            without_pads_ttft_ms=0.0,
            perceived_ttft_ms=ms,
        )
    )
    trial.take(events.SourceEnded(heard_s=1.3, reason="closed"))


def test_a_round_plays_one_sound_twice_and_keeps_what_was_chosen_and_measured() -> None:
    sent: list[Any] = []
    rounds = plan(SOUNDS[:2], random.Random(1))
    trial = Trial(7, rounds, sent.append, evidence="measured")
    first = rounds[0]
    for interval in (1, 2):
        on = interval == first.pads_in
        assert (trial.stage, trial.round, trial.interval) == (Stage.READY, 1, interval)
        sent.clear()
        played(trial, ms=600.0 if on else 750.0, early=on)
        assert sent == [
            commands.ResetConversation(),
            commands.SwitchPads(on=on),
            commands.OpenFile(path=str(first.sound), aloud=True),
            commands.CloseSource(),
        ]
        assert (trial.heard, trial.reply) == ("How?", "Yes.")
    assert trial.stage is Stage.CHOOSING
    trial.choose(3)
    assert trial.stage is Stage.CHOOSING
    trial.choose(2)
    assert trial.choices == [
        Choice(
            visitor=7,
            round=1,
            question=first.question,
            pads_in=first.pads_in,
            chose=2,
            with_ms=600.0,
            without_ms=750.0,
            early=True,
            evidence="measured",
        )
    ]
    trial.choose(1)  # nothing of the next round was heard yet
    assert len(trial.choices) == 1
    for _ in (1, 2):
        played(trial, ms=1.0)
    trial.choose(1)
    assert trial.stage is Stage.DONE
    sent.clear()
    trial.listen()
    assert not sent


def test_a_question_that_is_not_understood_is_played_again_but_not_for_ever() -> None:
    trial = Trial(1, plan(SOUNDS, random.Random(1)), lambda _: None, evidence="measured")
    for _ in range(2):
        trial.listen()
        trial.take(events.SourceEnded(heard_s=1, reason="finished"))
        assert (trial.stage, trial.interval) == (Stage.READY, 1)
    trial.listen()
    trial.take(events.SourceEnded(heard_s=1, reason="finished"))
    assert trial.stage is Stage.BROKEN
    assert "try again" in trial.problem
    lost = Trial(1, plan(SOUNDS, random.Random(1)), lambda _: None, evidence="measured")
    lost.listen()
    lost.take(events.SourceEnded(heard_s=1, reason="The microphone is gone: connect it"))
    assert lost.problem == "The microphone is gone: connect it"


def test_a_visitor_may_ask_by_microphone() -> None:
    sent: list[Any] = []
    rounds = plan([("microphone", None)], random.Random(2))
    trial = Trial(1, rounds, sent.append, evidence="measured", microphone="Headset")
    trial.listen()
    assert trial.spoken
    assert commands.OpenMicrophone(name="Headset") in sent


def test_choices_are_kept_reset_with_a_copy_brought_back_and_exported(tmp_path: Path) -> None:
    book = Book(tmp_path / "trial")
    assert book.next_visitor() == 1
    book.add([choice(1), choice(1, right=False, round=2)])
    with book.file.open("a") as file:
        file.write('{"visitor": 9, "chos')  # a crash
    assert book.next_visitor() == 2
    book.add([choice(2)])
    assert [one.visitor for one in book.choices()] == [1, 1, 2]
    book.export(tmp_path / "all.csv")
    rows = list(csv.DictReader((tmp_path / "all.csv").read_text("utf-8").splitlines()))
    assert [row["for_pads"] for row in rows] == ["True", "False", "True"]
    assert rows[0]["without_ms"] == "750.0"
    assert not book.can_undo
    kept = book.reset()
    assert kept is not None
    assert kept.exists()
    assert book.choices() == []
    assert book.can_undo
    book.undo_reset()
    assert len(book.choices()) == 3
    book.reset()
    book.add([choice(1)])
    assert not book.can_undo
    assert Book(tmp_path / "trial").choices() == [choice(1)]
    assert book.reset() not in (None, kept)
    assert book.reset() is None
    Book(tmp_path / "trial").add([choice(3)])  # another window goes on
    book.undo_reset()
    assert book.choices() == [choice(3)]


def test_all_visitors_together_with_interval_and_latencies_beside_it() -> None:
    assert outcome([]).share.value is None
    assert outcome([]).earlier_ms.reason
    found = outcome([choice(v, right=r, round=r + 1) for v in range(1, 5) for r in (0, 1)])
    assert (found.visitors, found.choices, found.for_pads) == (4, 8, 4)
    assert found.share.interval is not None
    assert found.share.interval.method.startswith("Wilson: 8 choices of 4 visitors")
    assert found.chance_p.value == 1.0
    assert found.chance_p.evidence == "derived"
    assert (found.with_ms.value, found.without_ms.value, found.earlier_ms.value) == (600, 750, 150)
    assert found.earlier_ms.evidence == "measured"
    target = [replace(choice(v), evidence="target") for v in (1, 2)]
    assert outcome(target).with_ms.evidence == "target"
    assert outcome([*target, choice(3)]).with_ms.evidence == "measured"


def run(trial: Trial, outbox: Outbox) -> list[events.Event]:
    """Hear one interval; all that happened in it."""
    seen: list[events.Event] = []
    trial.listen()
    while trial.stage is Stage.LISTENING:
        assert outbox.wait(60.0), "the engine is silent"
        for event in outbox.drain()[0]:
            seen.append(event)
            trial.take(event)
    return seen


@pytest.mark.usefixtures("models")
def test_one_question_by_the_real_engine_is_answered_twice_alike_and_forgotten_between(
    tmp_path: Path,
) -> None:
    question = next(one for one in questions() if one.name == "first-guitar-1")
    sound = question.cut(tmp_path)
    rounds = [Round(question=question.name, sound=sound, pads_in=1)]
    outbox = Outbox()
    session = Session(Settings(), outbox, log_folder=None)
    trial = Trial(1, rounds, session.send, evidence="measured")
    session.start()
    replies: list[str] = []
    try:
        while not any(isinstance(e, events.EngineReady) for e in outbox.drain()[0]):
            assert outbox.wait(120.0), "the engine does not start"
        for _ in (1, 2):
            seen = run(trial, outbox)
            assert "guitar" in trial.heard
            replies.append(trial.reply)
        assert trial.stage is Stage.CHOOSING
        trial.choose(1)
    finally:
        assert session.stop(10)
    assert replies[0] == replies[1] != ""
    (found,) = trial.choices
    assert found.with_ms > 0
    assert found.without_ms > 0
    # Had the question been kept, its second answer would have had next to nothing to read.
    first = next(i for i, event in enumerate(seen) if isinstance(event, events.TokenDecoded))
    read = sum(e.tokens for e in seen[:first] if isinstance(e, events.DecoderWorked))
    assert read > 15
