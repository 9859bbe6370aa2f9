"""The float32 model against llama.cpp on the same weights, at full depth and at an exit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import llama_cpp
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.errors import ModelUnavailable
from engine.speculation import gguf, llama, quantising, split
from engine.store import manifest

torch = pytest.importorskip(
    "torch", reason="torch is not installed: pip install 'pads-live[train]'"
)

from engine.training.optimisation.base_model import BaseModel  # noqa: E402

TEXT = (
    "<|im_start|>user\nWhat should I cook for dinner tonight?<|im_end|>\n<|im_start|>assistant\n"
    "You could make a simple pasta with tomatoes and basil, or a soup.<|im_end|>\n"
)
BOUND = 0.2
"""Largest difference in a logit (they spread over 7): llama.cpp computes in float16 here."""


@pytest.fixture(scope="module")
def model_file(models: Path) -> Path:
    return models / manifest.find("smollm2-135m-instruct-q4_1").file


@pytest.fixture(scope="module")
def model(model_file: Path) -> BaseModel:
    return BaseModel(model_file)


def theirs(path: Path, tokens: list[int]) -> NDArray[np.float32]:
    """Logits of all positions by llama-cpp-python."""
    whole = llama_cpp.Llama(str(path), n_ctx=128, logits_all=True, n_threads=2, verbose=False)
    whole.eval(tokens)
    logits = np.array(whole.scores[: len(tokens)])
    whole.close()
    return logits


@pytest.mark.parametrize("exit_layer", [10, 30])
def test_logits_agree_with_llama_cpp(
    model: BaseModel, model_file: Path, halves: Path, tmp_path: Path, exit_layer: int
) -> None:
    # Quantised activations would hide an error: the same weights are read in float16 instead.
    path = quantising.requantised(model_file, "F16", halves)
    opened = llama.Model(path, vocab_only=True)
    tokens = opened.tokenize(TEXT, special=True)
    opened.close()
    if exit_layer < model.shape.layers:
        whole, path = path, tmp_path / "head.gguf"
        split._cut(whole, path, range(exit_layer, model.shape.layers))
    states = model.states(torch.tensor([tokens]), [exit_layer])
    ours = model.logits(states[exit_layer])[0].numpy()
    expected = theirs(path, tokens)
    (tmp_path / "head.gguf").unlink(missing_ok=True)
    assert np.abs(ours - expected).max() < BOUND
    assert np.array_equal(ours.argmax(1), expected.argmax(1))


def test_what_is_no_language_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.gguf").write_bytes(b"GGUF" + bytes(64))
    with pytest.raises(ModelUnavailable, match=r"x\.gguf"):
        BaseModel(tmp_path / "x.gguf")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"words": {"general.architecture": "qwen2"}}, "is not of the architecture llama"),
        ({"words": {"llama.rope.scaling.type": "yarn"}}, "rotary embedding of another kind"),
        ({"numbers": {"llama.rope.dimension_count": 8}}, "rotary embedding of another kind"),
        (
            {"matrices": [gguf.stored("blk.0.attn_q.bias", np.zeros(576, np.float32))]},
            "scaled rotary frequencies or biases",
        ),
    ],
)
def test_what_is_computed_in_other_ways_is_refused(
    model_file: Path, tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    other = tmp_path / "other.gguf"
    with gguf.File(model_file, copying=True) as file:
        file.write(other, **changes)
    with pytest.raises(ModelUnavailable, match=f"{why}, which cannot be trained here"):
        BaseModel(other)
