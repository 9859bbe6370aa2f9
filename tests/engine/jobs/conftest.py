"""A small corpus cut from the real one, so that real jobs end in seconds."""

from __future__ import annotations

import zipfile
from pathlib import Path

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
