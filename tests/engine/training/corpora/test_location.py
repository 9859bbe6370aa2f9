"""Where a corpus is looked for, and what is said when it is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import DataUnavailable
from engine.training.corpora.location import find


def test_an_archive_its_folder_and_what_it_unpacks_to_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "words.zip").touch()
    (tmp_path / "unpacked" / "words").mkdir(parents=True)
    archive = tmp_path / "words.zip"
    assert find("words.zip", tmp_path, obtain="") == archive
    assert find("words.zip", archive, obtain="") == archive
    assert find("words.zip", tmp_path / "unpacked", obtain="") == tmp_path / "unpacked"
    monkeypatch.setenv("PADS_DATA", str(tmp_path))
    assert find("words.zip", None, obtain="") == archive


def test_what_is_nowhere_is_named_with_the_way_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DataUnavailable, match=r"no data folder is set.*buy it"):
        find("words.zip", None, obtain="buy it")
    for given in (tmp_path / "empty", tmp_path / "none"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        with pytest.raises(DataUnavailable, match=r"words\.zip does not exist: buy it"):
            find("words.zip", given, obtain="buy it")
    (tmp_path / "other" / "folder").mkdir(parents=True)
    monkeypatch.setenv("PADS_DATA", str(tmp_path / "other"))
    with pytest.raises(DataUnavailable, match=r"words\.zip does not exist"):
        find("words.zip", None, obtain="buy it")
