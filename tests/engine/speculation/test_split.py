from __future__ import annotations

import os
import threading
from collections import namedtuple
from pathlib import Path

import pytest

from engine.errors import ModelUnavailable
from engine.speculation import split
from engine.speculation.llama import Model
from tests.engine.speculation.conftest import EXIT_LAYER, VOCABULARY


def test_halves_hold_all_layers_and_are_cut_once(
    cut: split.Halves, model_file: Path, halves: Path
) -> None:
    head, tail = Model(cut.head), Model(cut.tail)
    assert (head.layers, tail.layers) == (EXIT_LAYER, cut.layers - EXIT_LAYER)
    head.close()
    tail.close()
    before = cut.head.stat().st_mtime_ns
    assert split.halves(model_file, EXIT_LAYER, halves, VOCABULARY) == cut
    assert cut.head.stat().st_mtime_ns == before


@pytest.mark.parametrize("harm", ["cut off", "a bit turned over"])
def test_spoilt_halves_are_cut_again(model_file: Path, tmp_path: Path, harm: str) -> None:
    tail = split.halves(model_file, 4, tmp_path, VOCABULARY).tail
    whole = tail.read_bytes()
    middle = len(whole) // 2
    turned = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    tail.write_bytes(whole[:1000] if harm == "cut off" else turned)
    split.halves(model_file, 4, tmp_path, VOCABULARY)
    assert tail.read_bytes() == whole


@pytest.mark.parametrize("damage", ["", "[1]", "[" * 100_000, '{"head": "", "tail": ""}'])
def test_a_damaged_record_is_as_good_as_none(tmp_path: Path, damage: str) -> None:
    for half in ("head", "tail"):
        (tmp_path / f"a-{half}.gguf").touch()
    (tmp_path / "a.json").write_text(damage, "utf-8")
    assert split._recorded(tmp_path / "a.json", "0" * 64, 4) is None


def test_what_llama_cpp_cannot_write_is_refused(model_file: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="cannot be cut in two"):
        split._cut(model_file, tmp_path / "no such folder" / "tail", range(1))


def test_a_full_disk_is_refused_before_anything_is_cut(
    model_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    least = 2 * model_file.stat().st_size
    monkeypatch.setattr(split.shutil, "disk_usage", lambda _: usage(9, 9, least - 1))
    with pytest.raises(ModelUnavailable, match="do not fit on the disk"):
        split.halves(model_file, 4, tmp_path, VOCABULARY)
    assert not list(tmp_path.glob("*.gguf"))


def test_two_at_once_leave_one_valid_cut(model_file: Path, tmp_path: Path) -> None:
    cuts: list[split.Halves] = []
    threads = [
        threading.Thread(
            target=lambda: cuts.append(split.halves(model_file, 15, tmp_path, VOCABULARY))
        )
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cuts[0] == cuts[1]
    Model(cuts[0].tail).close()
    assert not list(tmp_path.glob("cut-*"))


@pytest.mark.parametrize("exit_layer", [0, 30, -1, 99])
def test_exit_layer_out_of_range(exit_layer: int, model_file: Path, halves: Path) -> None:
    with pytest.raises(ModelUnavailable, match=f"exit layer {exit_layer} is not within the 30"):
        split.halves(model_file, exit_layer, halves, VOCABULARY)


def test_truncated_model(model_file: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "model.gguf"
    with model_file.open("rb") as file:
        damaged.write_bytes(file.read(20_000_000))
    with pytest.raises(ModelUnavailable, match="corrupted or incomplete"):
        split.halves(damaged, 10, tmp_path / "cache", VOCABULARY)


def test_file_that_is_no_model(tmp_path: Path) -> None:
    other = tmp_path / "notes.gguf"
    other.write_text("not a model")
    with pytest.raises(ModelUnavailable, match=r"notes\.gguf cannot be read"):
        split.halves(other, 10, tmp_path / "cache", VOCABULARY)


def test_missing_model(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="No such file"):
        split.halves(tmp_path / "none.gguf", 10, tmp_path / "cache", VOCABULARY)


def test_unsupported_architecture(
    model_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(split, "ARCHITECTURES", ("another",))
    with pytest.raises(ModelUnavailable, match="architecture llama, which cannot be cut in two"):
        split.halves(model_file, EXIT_LAYER, tmp_path, VOCABULARY)


def test_identity_follows_the_content(tmp_path: Path) -> None:
    file, cache = tmp_path / "a", tmp_path / "cache"
    cache.mkdir()
    file.write_bytes(b"one")
    first = split.identity(file, cache)
    assert split.identity(file, cache) == first
    file.write_bytes(b"two")  # as long as before
    os.utime(file, ns=(0, 0))
    assert split.identity(file, cache) != first


def test_a_remembered_identity_that_is_damaged_is_found_anew(tmp_path: Path) -> None:
    file, cache = tmp_path / "model.gguf", tmp_path / "cache"
    file.write_bytes(b"one")
    cache.mkdir()
    first = split.identity(file, cache)
    (known,) = cache.iterdir()
    for damage in (b"\xff" * 64, b"abc", b""):
        known.write_bytes(damage)
        assert split.identity(file, cache) == first
