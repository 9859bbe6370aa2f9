"""Weights of a Hugging Face folder: their own arithmetic gives the same states as ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.errors import ModelUnavailable
from engine.evaluation.decoding.generated_model import Shape, generated
from engine.store import manifest
from engine.training.layerskip import hugging_face

SMALL = Shape(
    name="small", layers=2, width=64, feed_forward=128, heads=4, heads_kv=2, vocabulary=256
)
Tensors = dict[str, NDArray[np.float32]]


@pytest.fixture
def tensors() -> Tensors:
    chance = np.random.default_rng(4)

    def some(*shape: int, around: float = 0.0) -> NDArray[np.float32]:
        values = (chance.standard_normal(shape) / shape[-1] ** 0.5 + around).astype(np.float32)
        return (values.view(np.uint32) & 0xFFFF0000).view(np.float32)  # exact in bfloat16

    found = {"model.embed_tokens.weight": some(256, 64), "model.norm.weight": some(64, around=1.0)}
    for layer in range(2):
        block = f"model.layers.{layer}"
        found |= {
            f"{block}.input_layernorm.weight": some(64, around=1.0),
            f"{block}.self_attn.q_proj.weight": some(64, 64) * 4,
            f"{block}.self_attn.k_proj.weight": some(32, 64) * 4,
            f"{block}.self_attn.v_proj.weight": some(32, 64),
            f"{block}.self_attn.o_proj.weight": some(64, 64),
            f"{block}.post_attention_layernorm.weight": some(64, around=1.0),
            f"{block}.mlp.gate_proj.weight": some(128, 64),
            f"{block}.mlp.up_proj.weight": some(128, 64),
            f"{block}.mlp.down_proj.weight": some(64, 128),
        }
    return found


def written(folder: Path, tensors: Tensors, kind: str = "F32") -> Path:
    """A folder as `save_pretrained` leaves it."""
    folder.mkdir()
    config = {"model_type": "llama", "num_attention_heads": 4, "num_key_value_heads": 2}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    content = b""
    for name, values in tensors.items():
        stored = values.tobytes()
        if kind == "BF16":
            stored = (values.view(np.uint32) >> 16).astype(np.uint16).tobytes()
        span = [len(content), len(content) + len(stored)]
        header[name] = {"dtype": kind, "shape": list(values.shape), "data_offsets": span}
        content += stored
    about = json.dumps(header).encode()
    data = len(about).to_bytes(8, "little") + about + content
    (folder / "model.safetensors").write_bytes(data)
    return folder


def reference(tensors: Tensors, tokens: list[int]) -> NDArray[np.float32]:
    """Logits by the arithmetic of Hugging Face's llama: rotary embedding by halves."""

    def norm(x: NDArray[Any], name: str) -> NDArray[Any]:
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * tensors[name]

    def turned(x: NDArray[Any]) -> NDArray[Any]:
        angles = np.arange(len(tokens))[:, None] * 10_000.0 ** (-np.arange(8) / 8)
        angles = np.concatenate((angles, angles), -1)
        return x * np.cos(angles) + np.concatenate((-x[..., 8:], x[..., :8]), -1) * np.sin(angles)

    def heads(x: NDArray[Any]) -> NDArray[Any]:
        return x.reshape(len(tokens), -1, 16).swapaxes(0, 1)

    x = tensors["model.embed_tokens.weight"][tokens].astype(np.float64)
    hidden = np.triu(np.full((len(tokens),) * 2, -np.inf), 1)
    for layer in range(2):
        block = f"model.layers.{layer}"
        y = norm(x, f"{block}.input_layernorm.weight")
        q, k, v = (heads(y @ tensors[f"{block}.self_attn.{n}_proj.weight"].T) for n in "qkv")
        q, k, v = turned(q), turned(k).repeat(2, 0), v.repeat(2, 0)
        scores = q @ k.swapaxes(1, 2) / 4 + hidden
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        attended = (scores / scores.sum(-1, keepdims=True)) @ v
        attended = attended.swapaxes(0, 1).reshape(len(tokens), -1)
        x = x + attended @ tensors[f"{block}.self_attn.o_proj.weight"].T
        y = norm(x, f"{block}.post_attention_layernorm.weight")
        gate = y @ tensors[f"{block}.mlp.gate_proj.weight"].T
        gate = gate / (1 + np.exp(-gate))
        up = y @ tensors[f"{block}.mlp.up_proj.weight"].T
        x = x + (gate * up) @ tensors[f"{block}.mlp.down_proj.weight"].T
    return norm(x, "model.norm.weight") @ tensors["model.embed_tokens.weight"].T


@pytest.mark.parametrize("kind", ["F32", "BF16"])
def test_the_folders_weights_say_what_they_say_in_their_own_layout(
    models: Path, tmp_path: Path, tensors: Tensors, kind: str
) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from engine.training.optimisation.base_model import BaseModel

    like = models / manifest.find("smollm2-135m-instruct-q4_1").file
    weights = hugging_face.weights(written(tmp_path / "folder", tensors, kind))
    model = BaseModel(generated(SMALL, like, tmp_path), weights)
    tokens = np.random.default_rng(0).integers(0, 256, 20).tolist()
    ours = model.logits(model.states(torch.tensor([tokens]), [2])[2])[0].numpy()
    assert np.allclose(ours, reference(tensors, tokens), atol=1e-3)


def test_weights_of_another_shape_are_refused(
    models: Path, tmp_path: Path, tensors: Tensors
) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    from engine.training.optimisation.base_model import BaseModel

    tensors["model.embed_tokens.weight"] = tensors["model.embed_tokens.weight"][:100]
    weights = hugging_face.weights(written(tmp_path / "folder", tensors))
    like = models / manifest.find("smollm2-135m-instruct-q4_1").file
    with pytest.raises(ModelUnavailable, match="another token_embd"):
        BaseModel(generated(SMALL, like, tmp_path), weights)


def test_what_is_no_llama_in_floats_is_refused(tmp_path: Path, tensors: Tensors) -> None:
    with pytest.raises(ModelUnavailable, match=r"no config\.json"):
        hugging_face.weights(tmp_path)
    folder = written(tmp_path / "folder", tensors)
    file = folder / "model.safetensors"
    whole = file.read_bytes()
    file.write_bytes(whole[:1000])
    with pytest.raises(ModelUnavailable, match="cannot be read"):
        hugging_face.weights(folder)
    file.write_bytes((2**40).to_bytes(8, "little") + whole[8:])
    with pytest.raises(ModelUnavailable, match="a header of"):
        hugging_face.weights(folder)
    file.write_bytes(whole.replace(b'"F32"', b'"I32"'))
    with pytest.raises(ModelUnavailable, match="cannot be read"):
        hugging_face.weights(folder)
    file.unlink()
    with pytest.raises(ModelUnavailable, match=r"no \*\.safetensors"):
        hugging_face.weights(folder)
    extra = written(
        tmp_path / "extra", {**tensors, "model.layers.0.mlp.extra.weight": np.ones(4, np.float32)}
    )
    with pytest.raises(ModelUnavailable, match=r"mlp\.extra"):
        hugging_face.weights(extra)
