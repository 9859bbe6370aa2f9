"""Job gate-ablation: thresholds, sums, paired differences, and one short real run."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.errors import DataUnavailable
from engine.evaluation.conversations import gate_ablation
from engine.evaluation.conversations.conversation import Summary
from engine.evaluation.conversations.gate_ablation import GATES, Tally
from engine.events import BranchDiscarded, Evidence, TurnAccounted, TurnDropped
from engine.records.runs import ActiveRun
from engine.settings import GateSettings
from engine.trigger import gate


@pytest.mark.parametrize(
    ("name", "starts"),
    [
        ("both", [True, False, False, False]),
        ("P(end) alone", [True, True, False, False]),
        ("P(deep) alone", [True, False, True, False]),
        ("neither", [True, True, True, True]),
    ],
)
def test_a_condition_that_is_taken_away_stops_nothing(name: str, starts: list[bool]) -> None:
    settings = gate_ablation.ablated(name, GateSettings())
    pauses = [(0.9, 0.9), (0.9, 0.0), (0.0, 0.9), (0.0, 0.0)]
    decided = [
        gate.decide(end, deep, settings, pads=True, free=True, words=True, backchannel=False)
        for end, deep in pauses
    ]
    assert [decision.triggered for decision in decided] == starts


def accounted(turn: int, *, from_branch: bool, hidden: float, wasted: float) -> TurnAccounted:
    return TurnAccounted(
        heard_s=1.0,
        turn=turn,
        triggered=from_branch,
        from_branch=from_branch,
        extra_starts=0,
        hidden_ms=hidden,
        visible_ms=5.0,
        wasted_ms=wasted,
        post_confirmation_ttft_ms=0.0 if from_branch else 90.0,
        without_pads_ttft_ms=90.0,
        perceived_ttft_ms=700.0,
    )


def test_a_runs_sums() -> None:
    summary = Summary(pads=True)
    for event in (
        accounted(1, from_branch=True, hidden=100.0, wasted=0.0),
        accounted(2, from_branch=False, hidden=0.0, wasted=30.0),
        accounted(4, from_branch=False, hidden=0.0, wasted=0.0),
        BranchDiscarded(heard_s=1.0, turn=2, branch=1, reason=""),
        TurnDropped(heard_s=1.0, turn=3, wasted_ms=7.0, reason=""),
    ):
        summary.take(event)
    tally = gate_ablation.tallied(summary, {1: True, 2: True, 3: True, 4: False})
    assert tally == Tally(
        turns=3,
        deep_turns=2,
        hidden_ms=100.0,
        wasted_ms=37.0,
        extra_starts=1,
        missed=2,
        missed_deep=1,
        first_word_ms=180.0,
    )


def tally(turns: int, hidden: float, missed: int = 0) -> Tally:
    return Tally(turns=turns, deep_turns=turns, hidden_ms=hidden, missed=missed, missed_deep=missed)


def test_differences_are_paired_by_recording() -> None:
    rng = np.random.default_rng(4)
    base = rng.uniform(0, 1000, 6)  # recordings differ far more than gates do
    tallies = {
        name: [tally(5, 5 * (hidden + 10 * number)) for hidden in base]
        for number, name in enumerate(GATES)
    }
    figures = gate_ablation.summarise(tallies, Evidence.MEASURED)
    alone = figures["neither"]["hidden_ms"]
    difference = figures["neither"]["hidden_ms_against_both"]
    assert difference.value == pytest.approx(30)
    assert difference.evidence is Evidence.DERIVED
    assert alone.interval is not None
    assert difference.interval is not None
    assert alone.interval.high - alone.interval.low > 100
    assert difference.interval.high - difference.interval.low < 1e-6
    assert "hidden_ms_against_both" not in figures["both"]


def test_a_figure_without_an_interval_takes_no_other_ones_away() -> None:
    tallies = {name: [tally(5, 100.0 * n) for n in range(1, 6)] for name in GATES}
    for each in tallies.values():
        each[0].deep_turns = each[1].deep_turns = 0  # a resample may hold these two alone
    found = gate_ablation.summarise(tallies, Evidence.MEASURED)["both"]
    assert found["missed_deep"].value == 0.0
    assert found["missed_deep"].interval is None
    assert found["hidden_ms"].interval is not None


def test_without_turns_nothing_is_claimed() -> None:
    silent = {name: [Tally(), Tally()] for name in GATES}
    figures = gate_ablation.summarise(silent, Evidence.MEASURED)
    assert figures["both"]["turns"].value == 0
    assert figures["both"]["hidden_ms"].value is None
    assert "no turn" in figures["neither"]["wasted_ms_against_both"].reason


def test_too_few_recordings_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.wav").touch()
    assert gate_ablation.found_recordings(tmp_path, 1) == [tmp_path / "a.wav"]
    with pytest.raises(DataUnavailable, match="1 recordings instead of 2"):
        gate_ablation.found_recordings(tmp_path, 2)
    with pytest.raises(DataUnavailable, match="ask for 0"):
        gate_ablation.found_recordings(None, 1)
    assert gate_ablation.found_recordings(None, 0) == []
    job = ActiveRun(tmp_path, evidence=Evidence.MEASURED, stream=io.StringIO())
    with pytest.raises(DataUnavailable, match="fewer than two recordings to hear"):
        gate_ablation.run(job, data=None, demos=1, recordings=0, strict=False)


def run(folder: Path, data: Path) -> dict[str, Any]:
    clips = folder / "clips"
    clips.mkdir()
    for name in ("livekit_weather_question.wav", "livekit_hello_world.wav"):
        shutil.copy(data / "audio" / name, clips)
    job = ActiveRun(folder, evidence=Evidence.MEASURED, stream=io.StringIO())
    result: dict[str, Any] = gate_ablation.run(job, data=clips, demos=0, recordings=2, strict=False)
    json.dumps(result, allow_nan=False)
    return result


@pytest.mark.usefixtures("models")
def test_two_recordings_are_heard_with_the_gates(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_ablation, "GATES", ("both", "neither"))  # the short form
    result = run(tmp_path, data)
    assert result["gates"]["both"]["missed"]["value"] == 0.5  # the statement needs no depth
    assert result["gates"]["both"]["missed_deep"]["value"] == 0
    assert result["gates"]["neither"]["missed"]["value"] == 0
    assert len(list(tmp_path.glob("livekit_*.jsonl"))) == 4


@pytest.mark.heavy
@pytest.mark.usefixtures("models")
def test_two_recordings_are_heard_with_every_gate(tmp_path: Path, data: Path) -> None:
    result = run(tmp_path, data)
    assert set(result["gates"]) == set(GATES)
    assert all(result["gates"][name]["turns"]["value"] == 2 for name in GATES)
    assert result["gates"]["neither"]["missed"]["value"] == 0
    assert len(list(tmp_path.glob("livekit_*.jsonl"))) == 8
