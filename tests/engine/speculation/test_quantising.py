from __future__ import annotations

from collections import namedtuple
from pathlib import Path

import pytest

from engine.errors import ModelUnavailable
from engine.speculation import llama, quantising


def test_another_format_is_written_once_and_labelled(model_file: Path, tmp_path: Path) -> None:
    made = quantising.requantised(model_file, "Q4_0", tmp_path)
    written = made.stat().st_mtime_ns
    assert "numerical-test" in made.name
    model = llama.Model(made, vocab_only=True)
    assert model.metadata("general.file_type") == str(quantising.FORMATS["Q4_0"])
    model.close()
    assert quantising.requantised(model_file, "Q4_0", tmp_path) == made
    assert made.stat().st_mtime_ns == written


def test_a_damaged_source_is_refused(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.gguf"
    damaged.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(ModelUnavailable, match="cannot be written as F16"):
        quantising.requantised(damaged, "F16", tmp_path / "cache")
    assert not list((tmp_path / "cache").glob("*.gguf"))


def test_a_full_disk_is_refused_before_writing(
    model_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(quantising.shutil, "disk_usage", lambda _: usage(9, 9, 0))
    with pytest.raises(ModelUnavailable, match="does not fit on the disk"):
        quantising.requantised(model_file, "F16", tmp_path)
