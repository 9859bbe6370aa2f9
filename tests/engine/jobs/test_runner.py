"""Real jobs in real processes: finishing, failing, cancelled, killed."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.errors import JobFailed
from engine.jobs import catalogue
from engine.jobs.launch import job_command
from engine.jobs.runner import JobProcess, ProgressReader
from engine.records.progress import Ended, Note, Phase, Report
from engine.records.runs import RunStatus

TRAIN = catalogue.find("train-dialogue-act")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / "runs"


def follow(process: JobProcess, limit_s: float = 120) -> Iterator[Report]:
    """Reports until the job has ended."""
    deadline_s = time.monotonic() + limit_s
    while time.monotonic() < deadline_s:
        for report in process.poll():
            yield report
            if isinstance(report, Ended):
                return
        process.wait(0.05)
    pytest.fail("the job did not end")


def until_fitting(process: JobProcess) -> None:
    for report in follow(process):
        if isinstance(report, Phase) and report.name == "Fitting":
            return
    pytest.fail("the job never reached its fit")


def test_a_job_reports_finishes_and_leaves_its_result(runs: Path, small_corpus: Path) -> None:
    with closing(JobProcess(TRAIN, {"data": small_corpus}, purpose="a test", runs=runs)) as process:
        reports = list(follow(process))
        assert process.wait(10)
        assert process.exit_code == 0
        assert process.poll() == []
    assert reports[-1] == Ended(status="finished")
    assert any(isinstance(r, Note) and "train utterances" in r.text for r in reports)
    assert process.run.status() is RunStatus.FINISHED
    result = process.run.result()
    assert result is not None
    assert result["counts_agree_with_published"] is False  # this is not the whole corpus
    assert result["test"]["dialogues"] == 60
    assert result["counts"]["shared_texts_left"]["value"] == 0
    manifest = process.run.manifest()
    assert manifest["purpose"] == "a test"
    assert manifest["command"].startswith("pads job run train-dialogue-act --data ")
    assert [line for line in process.run.metrics() if "accuracy" in line]


def test_missing_data_fails_with_a_fatal_line_and_no_result(runs: Path, tmp_path: Path) -> None:
    with closing(JobProcess(TRAIN, {"data": tmp_path / "nowhere"}, runs=runs)) as process:
        *_, ended = follow(process)
        process.wait(10)
    assert isinstance(ended, Ended)
    assert ended.status == "failed"
    assert "nowhere" in ended.reason
    assert process.exit_code == 1
    assert process.run.result() is None
    log = (process.run.folder / "log.txt").read_text("utf-8")
    assert log.splitlines()[-1].startswith("FATAL: ")
    assert not (process.run.folder / "weights").exists()


@pytest.mark.usefixtures("data")
def test_a_cancelled_job_ends_as_interrupted(runs: Path) -> None:
    with closing(JobProcess(TRAIN, {}, runs=runs)) as process:
        until_fitting(process)
        process.cancel()
        *_, ended = follow(process)
        process.wait(10)
    assert ended == Ended(status="interrupted", reason="cancelled")
    assert process.exit_code == 130
    assert process.run.status() is RunStatus.INTERRUPTED
    assert process.run.result() is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to kill with")
@pytest.mark.usefixtures("data")
def test_a_killed_job_is_interrupted_and_says_by_what(runs: Path) -> None:
    with closing(JobProcess(TRAIN, {}, runs=runs)) as process:
        until_fitting(process)
        os.kill(process.run.manifest()["process"], signal.SIGKILL)
        *_, ended = follow(process)
    assert isinstance(ended, Ended)
    assert ended.status == "interrupted"
    assert "signal 9" in ended.reason
    assert process.exit_code == 137
    assert process.run.status() is RunStatus.INTERRUPTED


def test_a_job_is_not_started_with_bad_parameters_or_without_room(
    runs: Path, tmp_path: Path
) -> None:
    with pytest.raises(JobFailed, match="--seed"):
        JobProcess(TRAIN, {"seed": -1}, runs=runs)
    assert not runs.exists()
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(JobFailed, match="cannot be started"):
        JobProcess(TRAIN, {}, runs=tmp_path / "file")


def test_reports_are_read_line_by_line_as_they_grow(tmp_path: Path) -> None:
    reader = ProgressReader(tmp_path)
    assert reader.poll() == []
    path = tmp_path / "progress.jsonl"
    path.write_text('{"type": "note", "text": "one"}\n{"type": "no', "utf-8")
    assert reader.poll() == [Note(text="one")]
    with path.open("a", encoding="utf-8") as file:
        file.write('te", "text": "two"}\nnot a report\n')
    assert reader.poll() == [Note(text="two")]
    assert reader.poll() == []


def test_a_frozen_application_starts_its_own_executable(monkeypatch: pytest.MonkeyPatch) -> None:
    assert job_command("list") == [sys.executable, "-m", "engine.jobs", "list"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert job_command("list") == [sys.executable, "job", "list"]
