from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.errors import ModelUnavailable
from engine.speculation import gguf
from engine.speculation.llama import Model


def test_a_copy_with_a_shorter_matrix_and_other_metadata(model_file: Path, tmp_path: Path) -> None:
    ids, target = np.arange(100, 4000, 3, dtype=np.int32), tmp_path / "copy.gguf"
    with gguf.File(model_file, copying=True) as file:
        names, whole = file.tensors(), file.matrix("token_embd.weight")
        short = gguf.Matrix(whole.name, whole.kind, whole.width, whole.rows[ids])
        file.write(
            target,
            matrices=[short],
            without=["blk.29.ffn_up.weight"],
            forget=("tokenizer.",),
            numbers={"llama.vocab_size": len(ids)},
            words={"tokenizer.ggml.model": "none"},
            integers={"test.ids": ids},
        )
    with gguf.File(target) as copy:
        assert set(copy.tensors()) == set(names) - {"blk.29.ffn_up.weight"}
        assert not any(key.startswith("tokenizer.ggml.t") for key in copy.metadata())
        assert np.array_equal(copy.integers("test.ids"), ids)
        assert np.array_equal(copy.matrix("token_embd.weight").rows, whole.rows[ids])
        assert "blk.29.ffn_up.weight" not in copy
        with pytest.raises(ModelUnavailable, match=r"copy\.gguf has no tensor blk\.29"):
            copy.matrix("blk.29.ffn_up.weight")
        with pytest.raises(ModelUnavailable, match="has no other"):
            copy.integers("other")


def test_rows_as_floats(model_file: Path) -> None:
    """Q8_0 by its definition: blocks of a float16 scale and 32 signed bytes."""
    with gguf.File(model_file) as file:
        matrix = file.matrix("token_embd.weight")
        norm = file.matrix("output_norm.weight")
    assert matrix.rows.shape == (49_152, 576 // 32 * 34)
    blocks = matrix.rows[[7, 49_151]].reshape(2, -1, 34)
    scales = np.ascontiguousarray(blocks[:, :, :2]).view(np.float16).astype(np.float32)
    expected = (scales * blocks[:, :, 2:].view(np.int8)).reshape(2, 576)
    assert np.array_equal(matrix.floats([7, 49_151]), expected)
    assert np.array_equal(norm.floats([0])[0], norm.rows.view(np.float32)[0])


def test_a_file_that_cannot_be_written_leaves_the_original(
    model_file: Path, tmp_path: Path
) -> None:
    with gguf.File(model_file, copying=True) as file:
        with pytest.raises(OSError, match="could not be written"):
            file.write(tmp_path / "no such folder" / "copy.gguf")
        assert len(file.tensors()) == 272


def test_no_gguf(tmp_path: Path) -> None:
    other = tmp_path / "notes.gguf"
    other.write_text("not a model")
    with pytest.raises(ModelUnavailable, match=r"notes\.gguf cannot be read"):
        gguf.File(other)


def test_llama_cpp_opens_the_heads_shortened_output(model_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.gguf"
    with gguf.File(model_file, copying=True) as file:
        whole = file.matrix("token_embd.weight")
        short = gguf.Matrix(whole.name, whole.kind, whole.width, whole.rows[:64])
        file.write(
            target,
            matrices=[short],
            forget=("tokenizer.",),
            numbers={"llama.vocab_size": 64},
            words={"tokenizer.ggml.model": "none"},
        )
    model = Model(target)
    assert (model.n_vocab, model.layers) == (64, 30)
    model.close()


def test_what_is_of_another_kind_is_not_taken_for_it(model_file: Path) -> None:
    with gguf.File(model_file) as file:
        with pytest.raises(ModelUnavailable, match=r"has no general\.architecture"):
            file.number("general.architecture")
        with pytest.raises(ModelUnavailable, match=r"has no llama\.block_count"):
            file.integers("llama.block_count")
        with pytest.raises(ModelUnavailable, match="holds no integers"):
            file.integers("tokenizer.ggml.tokens")
        with pytest.raises(ModelUnavailable, match="holds no texts"):
            file.texts("tokenizer.ggml.token_type")


def test_a_file_that_ends_before_its_tensor_does_is_named(model_file: Path, tmp_path: Path) -> None:
    cut_off = tmp_path / "cut.gguf"
    cut_off.write_bytes(model_file.read_bytes()[:-100_000])
    with gguf.File(cut_off) as file:
        assert file.whole_bytes() == model_file.stat().st_size
        with pytest.raises(ModelUnavailable, match=r"cut\.gguf ends before its tensor"):
            file.matrix(file.tensors()[-1])
