"""The report before and after: losses are called losses, and empty generations cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import JobFailed
from engine.evaluation.exits.exit_acceptance import EVERY, SAMPLED
from engine.evaluation.exits.exit_reading import SHELF, TRAINED, Way
from engine.evaluation.exits.prompt_sets import Item
from engine.events import Evidence
from engine.records.evidence import Figure, Interval
from engine.speculation.messages import Message

pytest.importorskip("torch", reason="torch is not installed: pip install 'pads-live[train]'")

from engine.training.layerskip import layerskip, layerskip_report
from engine.training.layerskip.layerskip_report import GAIN, LOSS, OPEN, verdict

MEASURED = Evidence.MEASURED
BASE, AFTER = Path("base.gguf"), Path("after.gguf")


def change(low: float, high: float) -> Figure:
    interval = Interval(low=low, high=high, level=0.95, method="")
    return Figure(value=(low + high) / 2, evidence=MEASURED, interval=interval)


@pytest.mark.parametrize(
    ("low", "high", "wanted", "expected"),
    [
        (0.1, 0.2, 1, GAIN),
        (0.1, 0.2, -1, LOSS),
        (-0.2, -0.1, 1, LOSS),
        (-0.2, -0.1, -1, GAIN),
        (-0.1, 0.2, 1, OPEN),
    ],
)
def test_a_change_is_a_gain_a_loss_or_open(
    low: float, high: float, wanted: int, expected: str
) -> None:
    assert verdict(change(low, high), wanted=wanted) == expected


def test_what_is_unavailable_is_open() -> None:
    nothing = Figure(value=None, evidence=Evidence.UNAVAILABLE, reason="no replies")
    assert verdict(nothing, wanted=1) == OPEN


def test_empty_generations_turn_a_gain_into_a_loss_when_they_are_charged() -> None:
    # As the seed's trained arm: better where it answers, silent on half of the prompts.
    before = [0.4 + 0.01 * n for n in range(10)]
    after = [value + 0.1 if n % 2 else None for n, value in enumerate(before)]
    shares = {
        ("AMI", Way(SHELF, BASE, 8)): {EVERY: before, SAMPLED: before},
        ("AMI", Way(TRAINED, AFTER, 8)): {EVERY: after, SAMPLED: before},
    }
    greedy, charged, sampled = layerskip_report._acceptance_rows(shares, BASE, AFTER, [8], MEASURED)
    assert (greedy[0], greedy[-1]) == ("AMI: greedy acceptance at exit 8", GAIN)
    assert (charged[0], charged[-1]) == (
        "AMI: greedy acceptance at exit 8, empty generations charged 0",
        LOSS,
    )
    assert sampled[-1] == OPEN


def test_replies_are_compared_with_what_people_said() -> None:
    items = [Item((Message("user", "How are you?"),), "fine thank you") for _ in range(6)]
    said = {
        (BASE, "AMI"): ["fine thank you"] * 6,
        (AFTER, "AMI"): ["fine thank you"] * 3 + [""] * 3,
    }
    rows = layerskip_report._reply_rows(said, {"AMI": items}, BASE, AFTER, MEASURED)
    verdicts = {row[0]: row[-1] for row in rows}
    assert verdicts == {
        "AMI: ROUGE-L of full depth's replies": OPEN,
        "AMI: ROUGE-L of full depth's replies, empty generations charged 0": LOSS,
        "AMI: share of empty generations": LOSS,
    }


def test_a_validation_loss_that_rises_is_a_loss() -> None:
    curve = [{"step": 0, "validation_loss": 3.0}, {"step": 9, "validation_loss": 3.5}]
    (row,) = layerskip_report._validation_rows(curve, MEASURED)
    assert row[-1] == LOSS
    assert layerskip_report._validation_rows(curve[:1], MEASURED) == []


def test_exits_are_shares_of_the_depth_within_the_model() -> None:
    shares = layerskip.shares("25,37.5,50,62.5,75")
    assert layerskip.layers(shares, 16) == (4, 6, 8, 10, 12)
    assert layerskip.layers(shares, 30) == (8, 11, 15, 19, 22)
    assert layerskip.layers([0.01, 0.99], 4) == (1, 3)


@pytest.mark.parametrize("text", ["", "half", "0", "100", "25,-5", "nan"])
def test_exits_that_are_no_shares_of_the_depth_are_refused(text: str) -> None:
    with pytest.raises(JobFailed, match="not percentages of the depth"):
        layerskip.shares(text)


def test_corpora_and_formats_that_nobody_knows_are_refused() -> None:
    assert layerskip._known(" b, a", ("a", "b"), "corpora") == ["b", "a"]
    with pytest.raises(JobFailed, match="The corpora c, d are not known: choose among a, b"):
        layerskip._known("d,a,c", ("a", "b"), "corpora")
