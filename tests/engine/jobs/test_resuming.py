"""Which runs can be gone on with."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import JobFailed
from engine.jobs import catalogue
from engine.jobs.launch import job_directory
from engine.jobs.resuming import resumption
from engine.records.folders import replace_json
from engine.records.runs import RunDirectory


def run_of(job: str, status: str, runs: Path) -> RunDirectory:
    """A run of a job that stands so, with a parameter that the job no longer has."""
    run = job_directory(catalogue.find(job), {}, runs=runs)
    manifest = run.manifest()
    parameters = {**manifest["parameters"], "given_up": 1}
    replace_json(
        run.folder / "manifest.json", {**manifest, "status": status, "parameters": parameters}
    )
    return run


@pytest.mark.parametrize("status", ["interrupted", "failed"])
def test_one_that_did_not_finish_goes_on_under_its_own_parameters(
    status: str, tmp_path: Path
) -> None:
    run = run_of("train-exit-adapter", status, tmp_path)
    job, given = resumption(run)
    assert job is catalogue.find("train-exit-adapter")
    assert given["resume"] == run.name
    assert "given_up" not in given
    assert given["steps"] == run.manifest()["parameters"]["steps"]


@pytest.mark.parametrize("status", ["finished", "queued"])
def test_others_do_not(status: str, tmp_path: Path) -> None:
    with pytest.raises(JobFailed, match=f"is {status}: only an interrupted or failed one"):
        resumption(run_of("train-exit-adapter", status, tmp_path))


def test_nor_does_a_job_without_checkpoints(tmp_path: Path) -> None:
    with pytest.raises(JobFailed, match="keeps no checkpoints"):
        resumption(run_of("pauses", "interrupted", tmp_path))
