"""A llama-architecture GGUF as float32 torch tensors: frozen, and with every layer's states.

Weights keep llama.cpp's layout: rows of the q and k matrices are ordered for its rotary
embedding, which turns neighbouring pairs. What is trained here needs no permutation to go back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional

from engine.errors import ModelUnavailable
from engine.speculation import gguf, llama
from engine.speculation.adapter import LAYER_TENSORS

Tensor = Any  # torch.Tensor, whose types are not read
Weights = Mapping[str, Tensor]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The numbers of an architecture; `theta` is the rotary embedding's base."""

    layers: int
    width: int
    heads: int
    kv_heads: int
    eps: float
    theta: float

    @property
    def head_width(self) -> int:
        """Elements of one attention head."""
        return self.width // self.heads


class BaseModel:
    """Weights in float32. Nothing here is ever trained: adapters copy what they start from."""

    def __init__(self, path: Path, weights: Mapping[str, Any] | None = None) -> None:
        """Dequantise `path`, or take its tensors from `weights` (GGUF names, float32 arrays).

        `ModelUnavailable` for what is not a plain llama architecture, or does not fit together.
        """
        self.shape = _shape(path)
        with gguf.File(path) as file:
            names = set(file.tensors())
            if "rope_freqs.weight" in names or any(name.endswith(".bias") for name in names):
                raise _unsupported(path, "uses scaled rotary frequencies or biases")
            self.embeddings = _floats(file, "token_embd", weights)
            self.norm = _floats(file, "output_norm", weights)[0]
            tied = "output.weight" not in file
            self.output = self.embeddings if tied else _floats(file, "output", weights)
            self.layers = [
                {name: _layer_floats(file, f"blk.{i}.{name}", weights) for name in LAYER_TENSORS}
                for i in range(self.shape.layers)
            ]

    def to(self, device: str) -> BaseModel:
        """Move every weight to `device`; this model itself."""
        self.embeddings, self.norm = self.embeddings.to(device), self.norm.to(device)
        self.output = self.output.to(device)
        for weights in self.layers:
            weights.update({name: w.to(device) for name, w in weights.items()})
        return self

    def states(self, tokens: Tensor, after: Collection[int]) -> dict[int, Tensor]:
        """States after each of the first `after` layers, from `tokens` of shape [batch, n].

        Each has shape [batch, n, width]; the last layer's come before the output norm.
        """
        found = {}
        with torch.no_grad():
            x = self.embeddings[tokens]
            rope = rotary(self.shape, torch.arange(tokens.shape[1], device=tokens.device))
            for number, weights in enumerate(self.layers[: max(after)], start=1):
                x = layer(self.shape, weights, x, rope, causal)
                if number in after:
                    found[number] = x
        return found

    def logits(self, states: Tensor, norm: Tensor | None = None) -> Tensor:
        """Logits, shape [..., n_vocab], through the output norm (or another in its place)."""
        normed = rms_norm(states, self.norm if norm is None else norm, self.shape.eps)
        return functional.linear(normed, self.output)


Attention = Callable[[Tensor, Tensor, Tensor], Tensor]
"""From q [batch, heads, n, head_width], k and v [batch, kv_heads, n, head_width] to q's shape."""

Project = Callable[[Tensor, str], Tensor]
"""From x [..., columns] to [..., rows] by the named matrix of a layer."""


def causal(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Attention of each position to itself and those before it."""
    return functional.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)


def layer(
    shape: Shape,
    weights: Weights,
    x: Tensor,
    rope: tuple[Tensor, Tensor],
    attend: Attention,
    project: Project | None = None,
) -> Tensor:
    """One decoder layer over `x`, shape [batch, n, width].

    `project` takes the place of multiplying by the layer's matrices.
    """

    def multiply(x: Tensor, name: str) -> Tensor:
        return functional.linear(x, weights[name])

    project = project or multiply
    normed = rms_norm(x, weights["attn_norm"], shape.eps)
    q, k, v = (_heads(shape, project(normed, f"attn_{name}")) for name in "qkv")
    attended = attend(_rotated(q, rope), _rotated(k, rope), v)
    x = x + project(attended.transpose(1, 2).flatten(2), "attn_output")
    normed = rms_norm(x, weights["ffn_norm"], shape.eps)
    gate = functional.silu(project(normed, "ffn_gate"))
    return x + project(gate * project(normed, "ffn_up"), "ffn_down")


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    """Root-mean-square norm over the last dimension."""
    return functional.rms_norm(x, (x.shape[-1],), weight, eps)


def rotary(shape: Shape, positions: Tensor) -> tuple[Tensor, Tensor]:
    """Cosines and sines for positions [n] or [batch, 1, n]: shape [..., n, head_width / 2]."""
    pairs = torch.arange(0, shape.head_width, 2, dtype=torch.float32, device=positions.device)
    angles = positions[..., None].float() * shape.theta ** (-pairs / shape.head_width)
    return angles.cos(), angles.sin()


def _rotated(x: Tensor, rope: tuple[Tensor, Tensor]) -> Tensor:
    cos, sin = rope
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)


def _heads(shape: Shape, x: Tensor) -> Tensor:
    return x.unflatten(2, (-1, shape.head_width)).transpose(1, 2)


def _floats(file: gguf.File, name: str, weights: Mapping[str, Any] | None) -> Tensor:
    matrix = file.matrix(f"{name}.weight")
    if weights is None:
        return torch.from_numpy(matrix.floats(range(len(matrix.rows))))
    given = weights.get(f"{name}.weight")
    shape = (len(matrix.rows), matrix.width)
    if given is None or given.size != shape[0] * shape[1] or given.shape[-1] != shape[1]:
        raise _unsupported(file.path, f"has another {name} than the weights given for it")
    return torch.from_numpy(given.reshape(shape))


def _layer_floats(file: gguf.File, name: str, weights: Mapping[str, Any] | None) -> Tensor:
    found = _floats(file, name, weights)
    return found[0] if name.endswith("norm") else found


def _shape(path: Path) -> Shape:
    model = llama.Model(path, vocab_only=True)
    try:
        if model.metadata("general.architecture") != "llama":
            raise _unsupported(path, "is not of the architecture llama")

        def number(key: str) -> float:
            return float(model.metadata(f"llama.{key}") or 0)

        shape = Shape(
            layers=int(number("block_count")),
            width=int(number("embedding_length")),
            heads=int(number("attention.head_count")),
            kv_heads=int(number("attention.head_count_kv") or number("attention.head_count")),
            eps=number("attention.layer_norm_rms_epsilon"),
            theta=number("rope.freq_base") or 10_000.0,
        )
        scaled = model.metadata("llama.rope.scaling.type") not in (None, "none")
        turned = int(number("rope.dimension_count")) or shape.head_width
    finally:
        model.close()
    if scaled or turned != shape.head_width:
        raise _unsupported(path, "uses a rotary embedding of another kind")
    return shape


def _unsupported(path: Path, why: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"The language model {path.name} {why}, which cannot be trained here",
        remedy="choose another model",
    )
