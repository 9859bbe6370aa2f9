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


def test_on_macos_the_folder_lies_beside_the_application_not_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "PADS Live.app" / "Contents" / "MacOS" / "pads"
    monkeypatch.delenv("PADS_HOME", raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    (program.parent / "PADS Live data").mkdir(parents=True)
    assert paths.home() is None
    (tmp_path / "PADS Live data").mkdir()
    assert paths.home() == tmp_path / "PADS Live data"


def test_without_the_folder_a_frozen_program_writes_where_the_platform_wants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PADS_HOME", raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "pads"))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    for place, folder in (
        ("XDG_CONFIG_HOME", paths.config),
        ("XDG_DATA_HOME", paths.data),
        ("XDG_CACHE_HOME", paths.cache),
    ):
        monkeypatch.setenv(place, str(tmp_path / place))
        assert folder() == tmp_path / place / "pads-live"


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
