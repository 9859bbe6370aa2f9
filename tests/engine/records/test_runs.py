"""Run directories: complete records, and no result for what did not finish."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from engine.errors import JobFailed
from engine.events import Evidence
from engine.records import runs
from engine.records.folders import alive, birth
from engine.records.progress import Note, Phase, from_line
from engine.records.runs import ActiveRun, RunDirectory, RunStatus


def create(parent: Path, **changes: Any) -> RunDirectory:
    given: dict[str, Any] = {
        "job": "weigh",
        "purpose": "to know",
        "command": ["pads", "job", "run", "weigh", "--what", "an apple"],
        "parameters": {"what": "an apple"},
        "machine": {"product": "test bench"},
        "target_hardware": False,
    }
    return RunDirectory.create(parent, **given | changes)


def test_a_run_records_what_produced_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADS_DATA", "/a b/c")
    run = create(tmp_path)
    manifest = run.manifest()
    assert run.name.endswith("Z-weigh")
    assert manifest["run"] == run.name
    assert manifest["purpose"] == "to know"
    assert manifest["status"] == "running"
    assert manifest["reportable_as_target_hardware"] is False
    assert manifest["code"]["commit"] or manifest["code"]["version"]
    assert manifest["environment"]["libraries"]["numpy"]
    assert shlex.split(manifest["command"])[-1] == "an apple"
    script = (run.folder / "cmd.sh").read_text("utf-8")
    assert "export PADS_DATA='/a b/c'\n" in script
    assert script.endswith("pads job run weigh --what 'an apple'\n")


def test_a_result_appears_with_the_finish(tmp_path: Path) -> None:
    run = create(tmp_path)
    assert run.result() is None
    run.finish({"apple_g": 150})
    assert run.status() is RunStatus.FINISHED
    assert run.result() == {"run": run.name, "apple_g": 150}


@pytest.mark.parametrize("status", [RunStatus.FAILED, RunStatus.INTERRUPTED])
def test_a_run_that_did_not_finish_has_no_result(tmp_path: Path, status: RunStatus) -> None:
    run = create(tmp_path)
    (run.folder / "result.json").write_text('{"apple_g": 150}', "utf-8")
    run.end(status, "the scale broke")
    assert run.status() is status
    assert run.result() is None


def test_a_run_whose_process_is_gone_is_interrupted(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.engine.records.test_runs import create; "
        "create(Path(sys.argv[1])).folder.joinpath('result.json').write_text('{}')"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True)
    (run,) = runs.every(tmp_path)
    assert json.loads((run.folder / "manifest.json").read_text("utf-8"))["status"] == "running"
    assert run.status() is RunStatus.INTERRUPTED
    assert run.result() is None
    stored = json.loads((run.folder / "manifest.json").read_text("utf-8"))
    assert stored["status"] == "interrupted"


def test_a_run_on_a_full_disk_is_interrupted_though_that_cannot_be_stored(tmp_path: Path) -> None:
    run = create(tmp_path)
    path = run.folder / "manifest.json"
    lost = json.loads(path.read_text("utf-8")) | {"process_started": 0.0}
    path.write_text(json.dumps(lost), "utf-8")
    partial = path.with_suffix(f".{os.getpid()}.partial")
    partial.symlink_to("/dev/full")
    assert run.status() is RunStatus.INTERRUPTED
    assert json.loads(path.read_text("utf-8")) == lost
    assert not partial.is_symlink()


def test_another_process_with_the_same_id_is_not_the_owner() -> None:
    started = birth()
    assert alive(os.getpid(), started)
    assert not alive(os.getpid(), birth(1))
    assert not alive(None, started)
    seconds = psutil.Process().create_time()
    assert alive(os.getpid(), seconds)
    assert not alive(os.getpid(), seconds - 100)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system keeps the moment itself")
def test_a_clock_that_is_set_anew_makes_nobody_another(monkeypatch: pytest.MonkeyPatch) -> None:
    started, boot_s = birth(), psutil.boot_time()
    monkeypatch.setattr("psutil._pslinux.boot_time", lambda: boot_s + 3600)
    assert alive(os.getpid(), started)


def test_runs_of_one_second_get_folders_of_their_own(tmp_path: Path) -> None:
    made = {create(tmp_path).name for _ in range(4)}
    assert len(made) == 4
    assert {run.name for run in runs.every(tmp_path)} == made


def test_runs_are_found_by_name_beginning_and_age(tmp_path: Path) -> None:
    with pytest.raises(JobFailed, match="No runs match latest"):
        runs.find(tmp_path, "latest")
    for name in ("2026-01-01T00-00-00Z-a", "2026-01-02T00-00-00Z-a", "2026-01-02T00-00-00Z-a-2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").write_text("{}", "utf-8")
    assert runs.find(tmp_path, "2026-01-01").name == "2026-01-01T00-00-00Z-a"
    assert runs.find(tmp_path, "2026-01-02T00-00-00Z-a").name == "2026-01-02T00-00-00Z-a"
    assert runs.find(tmp_path, "latest").name == "2026-01-02T00-00-00Z-a-2"
    with pytest.raises(JobFailed, match="2 runs match 2026-01-02"):
        runs.find(tmp_path, "2026-01-02")


def test_the_latest_run_of_another_job_is_one_that_finished(tmp_path: Path) -> None:
    with pytest.raises(JobFailed, match=r"No run of weigh has finished: run weigh first"):
        runs.find(tmp_path, "latest", "weigh")
    finished = create(tmp_path)
    finished.finish({"apple_g": 150})
    create(tmp_path).end(RunStatus.FAILED, "the scale broke")
    create(tmp_path, job="eat")
    assert runs.find(tmp_path, "latest", "weigh").name == finished.name


def test_a_damaged_manifest_names_its_folder(tmp_path: Path) -> None:
    run = create(tmp_path)
    (run.folder / "manifest.json").write_text('{"status": "run', "utf-8")
    with pytest.raises(JobFailed, match=run.name):
        run.status()


def test_metrics_are_appended_reported_and_survive_a_cut_line(tmp_path: Path) -> None:
    stream = io.StringIO()
    active = ActiveRun(tmp_path, evidence=Evidence.MEASURED, stream=stream)
    active.metric(loss=2.0)
    active.metric(loss=1.5)
    with (tmp_path / "metrics.jsonl").open("a", encoding="utf-8") as lines:
        lines.write('{"loss": 1.')
    assert [line["loss"] for line in RunDirectory(tmp_path).metrics()] == [2.0, 1.5]
    with (tmp_path / "metrics.jsonl").open("a", encoding="utf-8") as lines:
        lines.write("25}")  # who knows what else was to be written
    assert [line["loss"] for line in RunDirectory(tmp_path).metrics()] == [2.0, 1.5]
    assert len(stream.getvalue().splitlines()) == 2


def test_phases_are_thinned_but_never_a_new_one(tmp_path: Path) -> None:
    stream = io.StringIO()
    active = ActiveRun(tmp_path, evidence=Evidence.MEASURED, stream=stream)
    for step in range(1000):
        active.phase("Weighing", step / 1000)
    active.phase("Washing", 1.0)
    active.note("done")
    said = [from_line(line) for line in stream.getvalue().splitlines()]
    phases = [report for report in said if isinstance(report, Phase)]
    assert phases[0] == Phase(name="Weighing", fraction=0.0)
    assert phases[-1] == Phase(name="Washing", fraction=1.0, eta_s=0.0)
    assert len(phases) < 1000
    assert said[-1] == Note(text="done")
