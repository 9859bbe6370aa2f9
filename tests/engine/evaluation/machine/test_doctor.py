"""`pads doctor` over what is really here, and over what a test took away or spoilt."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from engine import cli, paths
from engine.evaluation.machine import doctor
from engine.speculation import adapter, llama


def findings(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, tuple[str, str]]]:
    """Its exit code, and state and note by thing."""
    code = cli.main(["doctor", "--json"])
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert records[-1]["type"] == "summary"
    assert records[-1]["findings"] == len(records) - 1
    return code, {r["thing"]: (r["state"], r["note"]) for r in records[:-1]}


@pytest.mark.usefixtures("models")
def test_voices_adapters_and_folders_are_told(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    damaged = adapter.installed() / "mine.gguf"
    damaged.parent.mkdir(parents=True)
    damaged.write_bytes(b"no adapter")
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    code, found = findings(capsys)
    assert code == 0
    state, note = found["exit adapter smollm2-135m-instruct-exit-15.gguf"]
    assert state == "fine"
    assert "for exit layer 15 of smollm2-135m-instruct-q4_1" in note
    assert found["exit adapter mine.gguf"][0] == "unavailable"
    assert "train it again or delete it" in found["exit adapter mine.gguf"][1]
    for voice in ("Piper", "espeak-ng"):
        state, note = found[f"voice by {voice}"]
        assert state == "unavailable"
        assert "apt install espeak-ng" in note
    assert "the defaults" in found["settings"][1]
    assert found["llama.cpp"][1].startswith("native, compiled for this processor; CPU")
    for name, place in (
        ("user data", home / "data"),
        ("added models", home / "data" / "models"),
        ("fetched models", paths.fetched_models()),
    ):
        state, note = found[f"{name} folder"]
        assert state == "fine"
        assert note.startswith(str(place))
        assert note.endswith("GB free (measured)")


@pytest.mark.usefixtures("models")
def test_in_portable_use_everything_that_is_written_lies_beside_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    portable = tmp_path / "Stück für Stück ✓" / "PADS Live data"
    portable.mkdir(parents=True)
    monkeypatch.delenv("PADS_HOME")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(portable.parent / "pads"))
    paths.settings_file().parent.mkdir()
    paths.settings_file().write_text("pads = false\n")
    code, found = findings(capsys)
    assert code == 0
    assert found["settings"][1].startswith(f"{portable / 'config' / 'settings.toml'}, answers by")
    for name in ("settings", "user data", "sessions", "runs", "added models", "cache"):
        state, note = found[f"{name} folder"]
        assert state == "fine"
        assert Path(note.partition(",")[0]).is_relative_to(portable)


@pytest.mark.usefixtures("models")
def test_a_voice_that_is_here_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    program = shutil.which("espeak-ng")
    if program is None:
        pytest.skip("espeak-ng is not installed")
    _, found = findings(capsys)
    assert found["voice by espeak-ng"] == ("fine", program)


def test_missing_models_and_a_broken_settings_file_are_told(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PADS_MODELS", str(tmp_path / "nothing"))
    paths.settings_file().parent.mkdir(parents=True)
    paths.settings_file().write_text("pads = ")
    code, found = findings(capsys)
    assert code == 1
    assert found["model silero-vad"][0] == "missing"
    assert "pads models fetch" in found["model silero-vad"][1]
    assert found["model piper-joe"][0] == "unavailable"
    assert found["settings"][0] == "unavailable"
    assert found["fetched models folder"][1].startswith(str(tmp_path / "nothing"))
    assert "not made yet" in found["fetched models folder"][1]


def test_a_folder_that_cannot_be_written_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = tmp_path / "not" / "made" / "yet"
    assert doctor._folder("sessions folder", wanted).state == "fine"
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write everywhere
    found = doctor._folder("sessions folder", wanted)
    assert found.state == "missing"
    assert found.note == f"{wanted} cannot be written: allow writing in {tmp_path}"


def test_the_loaded_kernels_are_told_by_the_library_that_is_mapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("libggml-cpu-haswell.so", "libggml-cpu-sse42.so", "libggml-base.so"):
        (tmp_path / name).touch()
    monkeypatch.setattr(llama, "_LIBRARIES", tmp_path)
    monkeypatch.setattr(llama, "_mapped", lambda: ["[heap]", "Live/lib/libggml-cpu-haswell.so"])
    assert llama.kernels() == ("haswell", 2)
