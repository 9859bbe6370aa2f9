"""What tests of the pictures share."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.jobs import catalogue
from engine.jobs.runner import JobProcess
from engine.records.runs import RunStatus


@pytest.fixture(scope="session")
def compared(
    recorded: Path, models: Path, halves: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A finished run of the job compare over the first turn of a demo."""
    home = tmp_path_factory.mktemp("compared")
    (home / "cache").mkdir()
    (home / "cache" / "halves").symlink_to(halves)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PADS_HOME", str(home))
        patch.setenv("PADS_MODELS", str(models))
        sound = recorded.parent.parent / "first turn.wav"
        job = JobProcess(catalogue.find("compare"), {"recording": sound})
        try:
            assert job.wait(250)
        finally:
            job.close()
    assert job.run.status() is RunStatus.FINISHED
    return job.run.folder
