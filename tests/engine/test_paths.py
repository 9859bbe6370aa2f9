import sys
from pathlib import Path

import pytest

from engine import paths
from engine.store import manifest, storing


def test_a_folder_beside_a_frozen_program_holds_all_user_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PADS_HOME", raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "pads"))
    portable = tmp_path / "PADS Live data"
    portable.mkdir()
    assert paths.home() is None  # from source the folder means nothing
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert paths.settings_file() == portable / "config" / "settings.toml"
    assert {paths.data().parent, paths.cache().parent} == {portable}
    monkeypatch.setenv("PADS_HOME", str(tmp_path / "named"))
    assert paths.data() == tmp_path / "named" / "data"


def test_a_model_is_read_from_the_bundle_until_it_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "bundle"), raising=False)
    monkeypatch.setenv("PADS_MODELS", str(tmp_path / "fetched"))
    monkeypatch.setattr(
        paths, "manifest", lambda: Path(__file__).parents[2] / "models/manifest.toml"
    )
    model = manifest.find("silero-vad")
    assert storing.found(model) == storing.place(model)
    bundled = paths.bundled_models() / model.file
    bundled.parent.mkdir(parents=True)
    bundled.write_bytes(b"bundled")
    assert storing.found(model) == bundled
    storing.place(model).parent.mkdir()
    storing.place(model).write_bytes(b"fetched")
    assert storing.found(model) == storing.place(model)
