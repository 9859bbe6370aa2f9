"""The job train-exit-adapter in small: it learns, is cancelled, goes on, and reports."""

from __future__ import annotations

import importlib.util
import json
import math
import shutil
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.jobs import catalogue
from engine.jobs.resuming import resumption
from engine.jobs.runner import JobProcess
from engine.records.progress import Ended, Metric
from engine.records.runs import RunStatus
from engine.speculation import adapter

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None,
    reason="torch is not installed: pip install 'pads-live[train]'",
)
JOB = catalogue.find("train-exit-adapter")
SMALL = {"exits": "4", "batch": 2, "replies": 4, "prompts": 2, "threads": 1, "vocabulary": 4096}


def until_step(process: JobProcess, step: int) -> dict[int, dict[str, float]]:
    """The steps' metrics up to `step` or the job's end."""
    deadline_s, found = time.monotonic() + 400, {}
    while time.monotonic() < deadline_s:
        for report in process.poll():
            if isinstance(report, Metric) and "step" in report.values:
                found[report.values["step"]] = report.values
            if isinstance(report, Ended):
                return found
        if step in found:
            return found
        process.wait(0.05)
    pytest.fail("the job took no such step")


@pytest.mark.timeout(900)
def test_the_job_learns_is_cancelled_and_goes_on(small_corpus: Path, home: Path) -> None:
    given = SMALL | {"data": small_corpus}
    # A step takes a tenth of a second: seconds lie between the cancel and the next checkpoint.
    long = given | {"steps": 1000, "checkpoint_steps": 40}
    with closing(JobProcess(JOB, long)) as process:
        first = until_step(process, 41)
        process.cancel()
        assert process.wait(20)
        assert process.exit_code == 130
        name = process.run.name
    assert process.run.status() is RunStatus.INTERRUPTED
    assert process.run.result() is None
    answered = process.run.folder / "held_out.json"
    replies = json.loads(answered.read_text("utf-8"))
    replies["items"][0]["text"] = "as answered before"
    answered.write_text(json.dumps(replies), "utf-8")
    job, more = resumption(process.run)
    assert (job, more["resume"], more["steps"]) == (JOB, name, 1000)
    with closing(JobProcess(job, more)) as resumed:
        again = until_step(resumed, 41)
        resumed.cancel()
        assert resumed.wait(20)
    assert 1 not in again
    assert json.loads((resumed.run.folder / "held_out.json").read_text("utf-8")) == replies
    assert math.isfinite(first[41]["loss_4"])
    for figure in ("loss_4", "agreement_4", "learning_rate", "positions"):
        assert again[41][figure] == first[41][figure]
    short = given | {"steps": 6, "conversations": name, "install": True}
    with closing(JobProcess(JOB, short)) as finished:
        steps = until_step(finished, 7)
    assert steps[6]["loss_4"] < steps[1]["loss_4"]
    result = finished.run.result()
    assert result is not None
    check_result(result, finished.run.folder)
    shutil.rmtree(process.run.folder)


def check_result(result: dict[str, Any], folder: Path) -> None:
    acceptance = result["acceptance"]
    assert acceptance["30"]["full depth"]["greedy_acceptance"]["value"] > 0.8
    for way in ("off the shelf", "adapter", "adapter, draft vocabulary"):
        figure = acceptance["4"][way]["greedy_acceptance"]
        assert 0 <= figure["low"] <= figure["value"] <= figure["high"] <= 1
        assert figure["evidence"] in ("measured", "target")
    by_exit, losses = result["plots"]
    drawn = {line["name"]: line["y"] for line in by_exit["series"]}
    assert drawn["adapter"] == [acceptance["4"]["adapter"]["greedy_acceptance"]["value"]]
    assert [line["name"] for line in losses["series"]] == ["exit 4"]
    assert result["leak_check"]["left"] == {"dailydialog_test": 0, "ami_items": 0, "replies": 0}
    report = (folder / "report.md").read_text("utf-8")
    assert "| 4 of 30 | adapter |" in report
    tensors = list(adapter.matrices(folder / "exit-4.gguf", 4))
    assert len(tensors) == 10
    assert {tensor.name for tensor in tensors} >= {"blk.4.attn_q.weight", "output_norm.weight"}
    assert list(adapter.installed().glob("*-exit-4.gguf"))
