"""The job compare on recordings in real processes."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import pytest

from engine import paths
from engine.evaluation.conversations.comparison import read_events
from engine.events import AudioHeard, TurnCommitted
from engine.jobs import catalogue
from engine.jobs.runner import JobProcess
from engine.records.progress import Ended, Phase, Report, from_line
from engine.records.runs import RunDirectory, RunStatus

COMPARE = catalogue.find("compare")
pytestmark = pytest.mark.usefixtures("models")


def reports(process: JobProcess, limit_s: float) -> list[Report]:
    deadline_s, seen = time.monotonic() + limit_s, list[Report]()
    while time.monotonic() < deadline_s:
        seen += process.poll()
        if seen and isinstance(seen[-1], Ended):
            return seen
        process.wait(0.05)
    pytest.fail("the job did not end")


def check(run: RunDirectory, turns: int) -> None:
    result = run.result()
    assert result is not None
    assert len(result["turns"]) == turns
    assert result["replies"] == {"same": turns}
    assert all(row["off"]["tokens"] == row["on"]["tokens"] != [] for row in result["turns"])
    assert not any(row["off"]["triggered"] for row in result["turns"])
    assert any(row["on"]["triggered"] for row in result["turns"])
    assert result["off"]["hidden_ms"]["value"] == 0
    assert result["earlier_ms"]["evidence"] == result["evidence"]
    assert result["earlier_ms"]["low"] <= result["earlier_ms"]["value"]
    for arm in ("off", "on"):
        seen = list(read_events(run.folder / f"{arm}.jsonl"))
        assert sum(isinstance(event, TurnCommitted) for event in seen) == turns
        assert sum(isinstance(event, AudioHeard) for event in seen) > 100


def test_three_turns_are_heard_twice_and_answered_the_same(compared: Path) -> None:
    check(RunDirectory(compared), 3)
    told = map(from_line, (compared / "progress.jsonl").read_text("utf-8").splitlines())
    phases = [report for report in told if isinstance(report, Phase)]
    assert [phase.fraction for phase in phases] == sorted(phase.fraction or 0.0 for phase in phases)
    assert {phase.name[:8] for phase in phases} == {
        "PADS off",
        "PADS on:",
    }


@pytest.mark.heavy
def test_a_whole_demo_is_heard_twice_and_answered_the_same() -> None:
    recording = paths.demos() / "first-guitar.flac"
    with closing(JobProcess(COMPARE, {"recording": recording})) as process:
        *_, ended = reports(process, 240)
    assert process.run.status() is RunStatus.FINISHED, ended
    check(process.run, 5)


def test_a_recording_that_is_none_is_named(tmp_path: Path) -> None:
    with closing(JobProcess(COMPARE, {"recording": tmp_path / "nothing.wav"})) as process:
        *_, ended = reports(process, 60)
    assert isinstance(ended, Ended)
    assert ended.status == "failed"
    assert "nothing.wav" in ended.reason


def test_a_comparison_can_be_cancelled(tmp_path: Path) -> None:
    deadline_s = time.monotonic() + 120
    with closing(JobProcess(COMPARE, {})) as process:
        while not any("listening" in getattr(r, "name", "") for r in process.poll()):
            assert time.monotonic() < deadline_s
            process.wait(0.05)
        process.cancel()
        *_, ended = reports(process, 30)
    assert isinstance(ended, Ended)
    assert (ended.status, ended.reason) == ("interrupted", "cancelled")
    assert process.exit_code == 130
