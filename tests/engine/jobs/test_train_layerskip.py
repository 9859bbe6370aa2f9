"""The job train-layerskip in small: cancelled, killed, gone on with, contaminated, exported."""

from __future__ import annotations

import importlib.util
import io
import math
import os
import signal
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.events import Evidence
from engine.jobs import catalogue
from engine.jobs.runner import JobProcess
from engine.records.progress import Ended, Metric
from engine.records.runs import ActiveRun, RunStatus
from engine.speculation import gguf
from engine.training.layerskip import exporting
from tests.engine.jobs.conftest import SMALL

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None,
    reason="torch is not installed: pip install 'pads-live[train]'",
)
JOB = catalogue.find("train-layerskip")


def until_step(process: JobProcess, step: int) -> dict[int, dict[str, float]]:
    """The steps' metrics up to `step` or the job's end."""
    deadline_s, found = time.monotonic() + 250, {}
    while time.monotonic() < deadline_s:
        for report in process.poll():
            if isinstance(report, Metric) and "loss" in report.values:
                found[report.values["step"]] = report.values
            if isinstance(report, Ended):
                return found
        if step in found:
            return found
        process.wait(0.05)
    pytest.fail("the job took no such step")


def figures(line: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in line.items() if name != "elapsed_s"}


def killed(process: JobProcess) -> None:
    os.killpg(process._process.pid, signal.SIGKILL)
    process.wait(20)
    process.poll()


@pytest.mark.timeout(900)
def test_a_killed_run_loses_the_steps_since_its_checkpoint_only(
    corpora: Path, shallow: Path
) -> None:
    given = SMALL | {"data": corpora, "model": shallow, "steps": 1000, "checkpoint_steps": 2}
    with closing(JobProcess(JOB, given)) as process:
        first = until_step(process, 5)
        killed(process)
    assert process.run.status() is RunStatus.INTERRUPTED
    assert process.run.result() is None
    assert first[5]["loss"] < first[1]["loss"]
    with closing(JobProcess(JOB, given | {"resume": process.run.name})) as resumed:
        again = until_step(resumed, 5)
        resumed.cancel()
        assert resumed.wait(20)
        assert resumed.exit_code == 130
    assert math.isfinite(again[5]["loss"])
    for step in (3, 5):  # one of before the kill, or computed again to the last digit
        assert figures(again[step]) == figures(first[step])
    assert (resumed.run.folder / "checkpoint.pt").exists()


@pytest.mark.timeout(600)
def test_a_contaminated_run_is_refused(corpora: Path, shallow: Path) -> None:
    given = SMALL | {"data": corpora, "model": shallow, "exclude": "none"}
    with closing(JobProcess(JOB, given)) as process:
        assert until_step(process, 1) == {}
        assert process.wait(20)
    assert process.run.status() is RunStatus.FAILED
    reason = process.run.manifest()["reason"]
    assert "contaminated" in reason
    assert "of 40 evaluation prompts" in reason
    assert not (process.run.folder / "checkpoint.pt").exists()


@pytest.mark.timeout(900)
@pytest.mark.parametrize("objective", ["text", pytest.param("replies", marks=pytest.mark.heavy)])
def test_a_finished_run_is_exported_and_compared(
    corpora: Path, shallow: Path, tmp_path: Path, objective: str
) -> None:
    given = SMALL | {"data": corpora, "model": shallow, "steps": 3, "objective": objective}
    given |= {"replies": 4, "tokens": 64 if objective == "text" else 128}
    with closing(JobProcess(JOB, given | {"formats": "Q8_0"})) as process:
        steps = until_step(process, 4)
    result = process.run.result()
    assert result is not None, process.run.manifest()
    assert list(steps) == [1, 2, 3]
    check_report(result, process.run.folder)
    if objective == "text":
        job = ActiveRun(tmp_path, evidence=Evidence.MEASURED, stream=io.StringIO())
        exported = exporting.run(job, trained=process.run.name, formats="Q4_0")
        assert list(exported["models"]) == ["F16", "Q4_0"]
        ours, theirs = (
            folder / result["models"]["F16"] for folder in (tmp_path, process.run.folder)
        )
        assert ours.read_bytes() == theirs.read_bytes()


def check_report(result: dict[str, Any], folder: Path) -> None:
    assert result["exits"] == [2]
    assert result["learned_from"]["left"]["prompts"] == 0
    assert result["learned_from"]["excluded_meetings"] == ["EN2001a", "ES2014c"]
    table = next(table for table in result["tables"] if table["title"] == "Before and after")
    rows = {row[0]: row[1:] for row in table["rows"]}
    for name in ("AMI", "DailyDialog"):
        for what in ("greedy acceptance at exit 2", "sampled acceptance at exit 2"):
            before, after, change, verdict = rows[f"{name}: {what}"]
            assert change["value"] == pytest.approx(after["value"] - before["value"], abs=1e-6)
            assert verdict in ("gain", "loss", "not resolved")
        assert f"{name}: greedy acceptance at exit 2, empty generations charged 0" in rows
        assert f"{name}: share of empty generations" in rows
        assert f"{name}: ROUGE-L of full depth's replies" in rows
    assert "validation loss at full depth, float weights" in rows
    report = (folder / "report.md").read_text("utf-8")
    assert "Replies side by side" in report
    assert "evaluation items in the token stream: 0/40 prompts, 0/40 responses" in report
    with gguf.File(folder / result["models"]["F16"]) as file:
        assert all(file.matrix(name).kind in gguf.FLOATS for name in file.tensors())
