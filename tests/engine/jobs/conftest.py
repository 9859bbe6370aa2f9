"""A small corpus cut from the real one, so that real jobs end in seconds."""

from __future__ import annotations

import zipfile
from pathlib import Path

import psutil
import pytest

from engine.training.corpora import dailydialog


@pytest.fixture(scope="session")
def small_corpus(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first dialogues of every split of DailyDialog, as a zip of the same layout."""
    small = tmp_path_factory.mktemp("corpus") / dailydialog.FILE
    with zipfile.ZipFile(data / dailydialog.FILE) as whole, zipfile.ZipFile(small, "w") as part:
        for name in whole.namelist():
            lines = whole.read(name).decode("utf-8").split("\n")
            part.writestr(name, "\n".join(lines[: 150 if "train" in name else 60]) + "\n")
    return small


def workers_gone() -> bool:
    """Whether no worker of the queue that a test has started is left."""
    return not any("engine.jobs" in _command(child) for child in psutil.Process().children())


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return ""
