"""A language model of a given shape with random weights: for timing, where no real one is at hand.

Its speed is that of a trained model of this shape and number format; what it says is noise.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.speculation import gguf

_F32, _Q4_0 = 0, 2  # ggml_type
_BLOCK, _BLOCK_BYTES = 32, 18
_NIBBLE_SPREAD = 4.6  # standard deviation of a uniform nibble


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Sizes of a model; `architecture` is llama or qwen2, which adds biases to its attention."""

    name: str
    architecture: str = "llama"
    layers: int
    width: int
    feed_forward: int
    heads: int
    heads_kv: int
    vocabulary: int


ONE_BILLION = Shape(
    name="1B",
    layers=16,
    width=2048,
    feed_forward=8192,
    heads=32,
    heads_kv=8,
    vocabulary=128_256,
)
"""The shape of Llama 3.2 1B."""


def generated(shape: Shape, like: Path, folder: Path) -> Path:
    """A Q4_0 GGUF of this shape in `folder`, newly written if need be; no tokeniser in it.

    `like` is any llama-architecture GGUF, whose other metadata it takes over. Raises OSError
    when it does not fit on the disk.
    """
    target = folder / f"generated-{shape.name}-Q4_0.gguf"
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="generate-", dir=folder) as partial,
        gguf.File(like, copying=True) as file,
    ):
        written = Path(partial) / "model.gguf"
        file.write(
            written,
            without=file.tensors(),
            matrices=_tensors(shape),
            forget=("tokenizer.", "llama."),
            numbers={
                f"{shape.architecture}.{key}": value
                for key, value in {
                    "context_length": 8192,
                    "block_count": shape.layers,
                    "embedding_length": shape.width,
                    "feed_forward_length": shape.feed_forward,
                    "attention.head_count": shape.heads,
                    "attention.head_count_kv": shape.heads_kv,
                    "attention.layer_norm_rms_epsilon": 1e-5,
                    "rope.dimension_count": shape.width // shape.heads,
                    "rope.freq_base": 10_000.0,
                    "vocab_size": shape.vocabulary,
                }.items()
            },
            words={
                "general.architecture": shape.architecture,
                "tokenizer.ggml.model": "none",
                "general.name": f"random weights, {shape.name} shape",
            },
        )
        written.replace(target)
    return target


def _tensors(shape: Shape) -> list[gguf.Matrix]:
    random = np.random.default_rng(0)
    width, forward = shape.width, shape.feed_forward
    kv = width // shape.heads * shape.heads_kv
    tensors = [
        _q4_0("token_embd.weight", random, shape.vocabulary, width),
        _ones("output_norm.weight", width),
    ]
    for layer in range(shape.layers):
        block = f"blk.{layer}"
        tensors += [_ones(f"{block}.{norm}_norm.weight", width) for norm in ("attn", "ffn")]
        if shape.architecture == "qwen2":
            lengths = {"attn_q": width, "attn_k": kv, "attn_v": kv}
            tensors += [_ones(f"{block}.{name}.bias", n) for name, n in lengths.items()]
        tensors += [
            _q4_0(f"{block}.{name}.weight", random, rows, columns)
            for name, rows, columns in (
                ("attn_q", width, width),
                ("attn_k", kv, width),
                ("attn_v", kv, width),
                ("attn_output", width, width),
                ("ffn_gate", forward, width),
                ("ffn_up", forward, width),
                ("ffn_down", width, forward),
            )
        ]
    return tensors


def _ones(name: str, width: int) -> gguf.Matrix:
    return gguf.Matrix(name, _F32, width, np.ones((1, width), np.float32).view(np.uint8))


def _q4_0(name: str, random: np.random.Generator, rows: int, columns: int) -> gguf.Matrix:
    """Random nibbles under scales of random sign: zero mean, and states that keep their size."""
    blocks = random.integers(0, 256, (rows, columns // _BLOCK, _BLOCK_BYTES), np.uint8)
    scale = np.float16(1 / (_NIBBLE_SPREAD * columns**0.5))
    signs = random.integers(0, 2, blocks.shape[:2]) * 2 - 1
    blocks[:, :, :2] = (signs * scale).astype(np.float16)[..., None].view(np.uint8)
    return gguf.Matrix(name, _Q4_0, columns, blocks.reshape(rows, -1))
