"""Small corpora and a small model cut from the real ones, so that real jobs end in seconds."""

from __future__ import annotations

import zipfile
from pathlib import Path

import psutil
import pytest

from engine.speculation import split
from engine.store import manifest
from engine.training.corpora import ami, dailydialog

SMALL = {"tokens": 64, "rank": 4, "exits": "50", "prompts": 2, "validation_blocks": 2, "threads": 1}
"""Parameters of a training that takes a second a step."""


@pytest.fixture(scope="session")
def small_corpus(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first dialogues of every split of DailyDialog, as a zip of the same layout."""
    small = tmp_path_factory.mktemp("corpus") / dailydialog.FILE
    with zipfile.ZipFile(data / dailydialog.FILE) as whole, zipfile.ZipFile(small, "w") as part:
        for name in whole.namelist():
            lines = whole.read(name).decode("utf-8").split("\n")
            part.writestr(name, "\n".join(lines[: 150 if "train" in name else 60]) + "\n")
    return small


@pytest.fixture(scope="module")
def shallow(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first four layers of the default model, under its own norm and head."""
    whole = models / manifest.find("smollm2-135m-instruct-q4_1").file
    target = tmp_path_factory.mktemp("shallow") / "shallow.Q4_1.gguf"
    split._cut(whole, target, range(4, 30))
    return target


@pytest.fixture
def corpora(small_corpus: Path, data: Path, tmp_path: Path) -> Path:
    """A few of DailyDialog's dialogues and three AMI meetings, one of them evaluation's."""
    folder = tmp_path / "corpora"
    folder.mkdir()
    (folder / small_corpus.name).symlink_to(small_corpus)
    kept = ("words/EN2001a.", "words/ES2014c.", "words/TS3003a.")
    with (
        zipfile.ZipFile(data / ami.FILE) as whole,
        zipfile.ZipFile(folder / ami.FILE, "w") as cut,
    ):
        for name in whole.namelist():
            if name.startswith(kept):
                cut.writestr(name, whole.read(name))
    return folder


def workers_gone() -> bool:
    """Whether no worker of the queue that a test has started is left."""
    return not any("engine.jobs" in _command(child) for child in psutil.Process().children())


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return ""
