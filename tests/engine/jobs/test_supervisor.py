"""What the process above a job does without one: not begin it, and end one that will not end."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.jobs import catalogue, supervisor
from engine.jobs.guard import Watchdog
from engine.jobs.launch import job_directory
from engine.records.runs import RunDirectory, RunStatus

_DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); input()"


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    """A run of a job that somebody has asked to end."""
    run = job_directory(catalogue.find("pauses"), {}, runs=tmp_path)
    run.request_cancel()
    return run


def test_a_job_that_was_cancelled_before_it_began_is_not_begun(run: RunDirectory) -> None:
    assert supervisor.supervise(run.folder) == 130
    assert run.status() is RunStatus.INTERRUPTED
    assert run.manifest()["reason"] == "cancelled before it began"
    assert not (run.folder / "log.txt").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_job_that_does_not_end_when_asked_is_killed_after_its_grace(
    run: RunDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "GRACE_S", 0.3)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    deaf = [sys.executable, "-c", _DEAF]
    with subprocess.Popen(deaf, start_new_session=True, **pipes) as job:
        assert job.stdout is not None
        job.stdout.readline()
        assert supervisor._watch(job, run, Watchdog(job.pid, 10_000, run.folder)) is None
        assert job.returncode == -signal.SIGKILL
