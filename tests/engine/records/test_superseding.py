from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import JobFailed
from engine.records.folders import read_json
from engine.records.keeping import keep
from engine.records.plots import Table, shown
from engine.records.runs import RunDirectory, RunStatus
from engine.records.superseding import supersede

TABLES = (
    Table(title="Weights", columns=("grams",), rows=[[3]]),
    Table(title="What was said", columns=("said",), rows=[["hm"]], quotes=True),
)


def finished(parent: Path, started: str, job: str = "weigh") -> RunDirectory:
    run = RunDirectory.create(
        parent,
        job=job,
        purpose="to know",
        command=["pads"],
        parameters={},
        machine={},
        target_hardware=False,
    )
    run.finish({"grams": 3, "quoted": {"said": "hm"}, **shown(tables=TABLES)})
    run.update(started=started)
    return run


def test_the_older_run_names_the_newer_and_keeps_its_result(tmp_path: Path) -> None:
    older, newer = finished(tmp_path, "2026-01-01"), finished(tmp_path, "2026-01-02")
    supersede(older, newer)
    assert older.manifest()["superseded_by"] == newer.name
    assert "superseded_by" not in newer.manifest()
    assert (older.result() or {})["grams"] == 3


def test_only_a_newer_finished_run_of_the_same_job_supersedes(tmp_path: Path) -> None:
    older, newer = finished(tmp_path, "2026-01-01"), finished(tmp_path, "2026-01-02")
    with pytest.raises(JobFailed, match="did not begin earlier"):
        supersede(newer, older)
    with pytest.raises(JobFailed, match="did not begin earlier"):
        supersede(older, older)
    with pytest.raises(JobFailed, match="runs of weigh and of measure"):
        supersede(older, finished(tmp_path, "2026-01-03", job="measure"))
    stopped = finished(tmp_path, "2026-01-03")
    stopped.end(RunStatus.INTERRUPTED, "cancelled")
    with pytest.raises(JobFailed, match="has no result"):
        supersede(older, stopped)
    supersede(newer, finished(tmp_path, "2026-01-04"))
    with pytest.raises(JobFailed, match="that one is superseded by"):
        supersede(older, newer)
    assert "superseded_by" not in older.manifest()


def test_a_finished_run_is_kept_without_what_is_private(tmp_path: Path) -> None:
    older, newer = finished(tmp_path, "2026-01-01"), finished(tmp_path, "2026-01-02")
    kept = tmp_path / "kept"
    keep(older, kept)
    keep(newer, kept)
    result = read_json(kept / "result.json")
    assert result == {"run": newer.name, "grams": 3, **shown(tables=TABLES[:1])}
    record = read_json(kept / "run.json") or {}
    assert record["run"] == newer.name
    assert not {"command", "parameters", "process"} & record.keys()
    supersede(older, newer)
    with pytest.raises(JobFailed, match="is superseded"):
        keep(older, kept)
    newer.end(RunStatus.INTERRUPTED, "cancelled")
    with pytest.raises(JobFailed, match="has no result"):
        keep(newer, kept)


def test_the_command_marks_and_shows_it(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from engine import paths
    from engine.jobs.commands import main

    older = finished(paths.runs(), "2026-01-01")
    newer = finished(paths.runs(), "2026-01-02")
    assert main(["supersede", older.name, newer.name]) == 0
    assert main(["show", older.name]) == 0
    assert f"superseded by {newer.name}" in capsys.readouterr().out
    assert main(["list", "--runs"]) == 0
    assert f"superseded   {older.name}" in capsys.readouterr().out
    assert main(["supersede", newer.name, older.name]) == 1
