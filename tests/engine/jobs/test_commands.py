"""`pads job` as a user types it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine import paths
from engine.jobs import catalogue
from engine.jobs.launch import job_command
from engine.records import runs


def job(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        job_command(*words), capture_output=True, text=True, timeout=120, check=False
    )


def test_list_names_every_job_with_its_parameters() -> None:
    listed = [json.loads(line) for line in job("list", "--json").stdout.splitlines()]
    assert [one["name"] for one in listed] == [one.name for one in catalogue.JOBS]
    train = next(one for one in listed if one["name"] == "train-dialogue-act")
    assert {"name": "seed", "kind": "int", "default": 42, "minimum": 0}.items() <= next(
        p.items() for p in train["parameters"] if p["name"] == "seed"
    )
    assert "train-dialogue-act" in job("list").stdout


def test_run_prints_the_counts_and_show_the_record(small_corpus: Path) -> None:
    done = job("run", "train-dialogue-act", "--data", str(small_corpus), "--purpose", "a test")
    assert done.returncode == 0, done.stderr
    assert "train utterances: " in done.stdout
    assert "zero" not in done.stdout
    assert "test accuracy: 0." in done.stdout
    shown = job("show", "latest")
    assert "a test" in shown.stdout
    assert "finished" in shown.stdout
    assert "test › accuracy  " in shown.stdout
    assert "MB at most (measured)" in shown.stdout
    record = json.loads(job("show", "latest", "--json").stdout)
    assert record["result"]["test"]["figures"]["accuracy"]["evidence"] == "measured"
    (listed,) = job("list", "--runs", "--json").stdout.splitlines()
    assert json.loads(listed)["run"] == record["run"]


def test_run_with_json_is_one_object_a_line_and_a_summary(small_corpus: Path) -> None:
    done = job("run", "train-dialogue-act", "--data", str(small_corpus), "--json")
    *reports, summary = [json.loads(line) for line in done.stdout.splitlines()]
    assert {report["type"] for report in reports} == {"phase", "note", "metric"}
    assert summary["type"] == "summary"
    assert summary["status"] == "finished"
    assert summary["result"]["test"]["dialogues"] == 60


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_missing_data_is_fatal(flags: list[str]) -> None:
    done = job("run", "train-dialogue-act", *flags)  # PADS_DATA is unset here
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("FATAL: The corpus dailydialog.zip")
    (run,) = runs.every(paths.runs())
    assert run.result() is None
    shown = job("show", run.name)
    assert "the run is failed" in shown.stdout


def test_a_bad_value_is_one_sentence() -> None:
    done = job("run", "train-dialogue-act", "--seed", "soon")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "--seed" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
@pytest.mark.usefixtures("data")
def test_ctrl_c_cancels_the_job_too() -> None:
    command = job_command("run", "train-dialogue-act", "--json")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        while b'"Fitting"' not in process.stdout.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert json.loads(out.splitlines()[-1])["status"] == "interrupted"
    assert b"interrupted: cancelled" in err


def test_a_queued_run_is_followed_and_compared(small_corpus: Path) -> None:
    for seed in ("1", "2"):
        asked = ["--data", str(small_corpus), "--seed", seed, "--queue"]
        queued = job("run", "train-dialogue-act", *asked)
        assert queued.returncode == 0, queued.stderr
    name = queued.stdout.split()[1]
    followed = job("follow", name)
    assert followed.returncode == 0, followed.stderr
    assert "Fitting" in followed.stderr
    assert "test accuracy: 0." in followed.stdout
    assert followed.stdout.splitlines()[-1].startswith("finished: ")
    second, first = (run.name for run in runs.every(paths.runs()))
    assert second == name
    lines = job("compare", first, second).stdout.splitlines()
    assert lines[0].split() == [first, second, "difference"]
    (accuracy,) = [line for line in lines if line.startswith("test › accuracy  ")]
    assert "(measured)" in accuracy
    assert "(derived); intervals overlap" in accuracy
    assert lines[-1] == "the two runs agree within their own intervals"
    assert job("cancel", first).returncode == 1


@pytest.mark.usefixtures("data")
def test_a_run_in_the_background_is_cancelled_and_cannot_be_compared_or_resumed() -> None:
    name = job("run", "train-dialogue-act", "--queue").stdout.split()[1]
    assert job("cancel", name).returncode == 0
    assert job("follow", name, "--json").returncode == 1
    assert "interrupted" in job("show", name).stdout
    assert "has no result" in job("compare", name, name).stderr
    assert "keeps no checkpoints" in job("resume", name).stderr
