"""Weights of a Hugging Face folder (config.json, *.safetensors) under GGUF's names, without torch.

The tokeniser is not read: a GGUF of the same model gives it. Rows of the q and k matrices are put
in llama.cpp's order, whose rotary embedding turns neighbouring pairs instead of halves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import ModelUnavailable
from engine.records.folders import read_json

_LARGEST_HEADER = 100 * 2**20
_TYPES = {"F32": np.float32, "F16": np.float16, "BF16": np.uint16}
_WHOLE = {
    "model.embed_tokens.weight": "token_embd.weight",
    "model.norm.weight": "output_norm.weight",
    "lm_head.weight": "output.weight",
}
_INNER = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
_LAYER = re.compile(r"model\.layers\.(\d+)\.(.+)\.weight")


def weights(folder: Path) -> dict[str, NDArray[np.float32]]:
    """Every tensor in float32: matrices [rows, columns], norms [width].

    `ModelUnavailable` when the folder holds no llama model in floats, or a damaged one.
    """
    config = read_json(folder / "config.json") or {}
    if config.get("model_type") != "llama":
        raise _refused(folder, "holds no config.json of a llama model")
    heads = int(config["num_attention_heads"])
    kv_heads = int(config.get("num_key_value_heads") or heads)
    found = {}
    for path in sorted(folder.glob("*.safetensors")):
        for name, stored in _tensors(path):
            ours, values = _name(name), stored
            if ours is None:
                raise _refused(folder, f"has a tensor that is not known here, {name}")
            if ours.endswith(("attn_q.weight", "attn_k.weight")):
                values = _turned(values, heads if "attn_q" in ours else kv_heads)
            found[ours] = values
    if not found:
        raise _refused(folder, "holds no *.safetensors")
    return found


def _name(name: str) -> str | None:
    if match := _LAYER.fullmatch(name):
        inner = _INNER.get(match[2])
        return f"blk.{match[1]}.{inner}.weight" if inner else None
    return _WHOLE.get(name)


def _turned(values: NDArray[np.float32], heads: int) -> NDArray[np.float32]:
    """A head's first and second half of rows, interleaved."""
    rows, columns = values.shape
    halves = values.reshape(heads, 2, rows // heads // 2, columns)
    return np.ascontiguousarray(halves.swapaxes(1, 2)).reshape(rows, columns)


def _tensors(path: Path) -> Iterator[tuple[str, NDArray[np.float32]]]:
    try:
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            if not 0 < size <= _LARGEST_HEADER:
                raise ValueError(f"a header of {size} bytes")
            header: dict[str, Any] = json.loads(file.read(size))
        header.pop("__metadata__", None)
        content = np.memmap(path, np.uint8, "r", 8 + size)
        for name, about in header.items():
            begin, end = about["data_offsets"]
            kind = _TYPES[about["dtype"]]
            values = np.frombuffer(content[begin:end].tobytes(), kind).reshape(about["shape"])
            yield name, _floats(values)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as exc:
        raise _refused(path, f"cannot be read ({type(exc).__name__}: {exc})") from exc


def _floats(values: NDArray[Any]) -> NDArray[np.float32]:
    if values.dtype == np.uint16:  # bfloat16 is the upper half of a float32
        return (values.astype(np.uint32) << 16).view(np.float32)
    return values.astype(np.float32)


def _refused(place: Path, why: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"The weights {place} {why}", remedy="name a folder of a llama model in F32, F16 or BF16"
    )
