"""`pads models`, through the parser the command line uses."""

import argparse
import json
from pathlib import Path

import pytest

from engine.errors import ModelUnavailable
from engine.store import commands, fetching, manifest


def pads(*words: str) -> int:
    parser = argparse.ArgumentParser()
    commands.add_parser(parser.add_subparsers())
    arguments = parser.parse_args(["models", *words])
    return int(arguments.run(arguments))


def records(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_fetched_models_are_as_the_manifest_says(
    models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert pads("verify", "--json") == 0
    seen = records(capsys)
    assert seen[-1] == {"type": "summary", "damaged": 0}
    assert {record["state"] for record in seen[:-1]} == {"fine"}


def test_list_tells_what_is_here_and_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PADS_MODELS", str(tmp_path))
    silero = manifest.find("silero-vad")
    with (tmp_path / silero.file).open("wb") as file:
        file.truncate(silero.size)  # a list looks at sizes only
    assert pads("list", "--json") == 0
    states = {record["name"]: record["state"] for record in records(capsys)}
    assert states.pop("silero-vad") == "here"
    assert set(states.values()) == {"missing"}
    assert len(states) == len(manifest.read()) - 1
    assert pads("verify", "silero-vad") == 1
    assert "altered" in capsys.readouterr().out


def test_a_truncated_model_is_not_located(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADS_MODELS", str(tmp_path))
    (tmp_path / "silero_vad.onnx").write_bytes(b"short")
    with pytest.raises(ModelUnavailable, match=r"silero-vad has 5 of 2327524 bytes"):
        fetching.locate("silero-vad")


def test_a_model_altered_at_its_size_is_located_and_not_whole(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = manifest.find("silero-vad").file
    spoilt = bytearray((models / name).read_bytes())
    spoilt[len(spoilt) // 2] ^= 1
    (tmp_path / name).write_bytes(spoilt)
    assert fetching.whole("silero-vad") == models / name
    monkeypatch.setenv("PADS_MODELS", str(tmp_path))
    assert fetching.locate("silero-vad") == tmp_path / name
    with pytest.raises(ModelUnavailable, match="silero-vad is altered"):
        fetching.whole("silero-vad")


def test_a_missing_optional_model_is_asked_for_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PADS_MODELS", str(tmp_path))
    with pytest.raises(ModelUnavailable, match="run `pads models fetch piper-joe`"):
        fetching.locate("piper-joe")
