"""Pauses of the real recordings, heard once for all tests of a session."""

import io
from pathlib import Path

import pytest

from engine.events import Evidence
from engine.records.runs import ActiveRun
from engine.training.classifiers.turn_end import Material, gather


@pytest.fixture(scope="session")
def material(data: Path, models: Path, tmp_path_factory: pytest.TempPathFactory) -> Material:
    """The meetings' pauses, without generated speech."""
    folder = tmp_path_factory.mktemp("material")
    job = ActiveRun(folder, evidence=Evidence.MEASURED, stream=io.StringIO())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PADS_MODELS", str(models))
        return gather(job, data, None, 0, 1)
