"""Exit adapters: one trained layer on top of a head, whose drafts it makes better.

As in Kangaroo (Liu et al. 2024, arXiv:2404.18911). The tail goes on from the states below the
adapter, so that what is served stays the base model's, bit for bit. An adapter belongs to one
exit layer of one model file, and its GGUF says to which.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import paths
from engine.errors import ModelUnavailable
from engine.speculation import gguf

log = logging.getLogger(__name__)

_MODEL, _EXIT = "pads.adapter.model_sha256", "pads.adapter.exit_layer"
_OUTPUT_NORM = "output_norm.weight"

LAYER_TENSORS = (
    *("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output"),
    *("ffn_norm", "ffn_gate", "ffn_up", "ffn_down"),
)
"""Tensors of one decoder layer; in a GGUF `blk.<number>.<name>.weight`."""

LAYER = tuple(f"{name}.weight" for name in LAYER_TENSORS)
"""Tensors of an adapter under GGUF's names, besides the norm before the output."""


def installed() -> Path:
    """Folder of adapters trained here; they come before the shipped ones."""
    return paths.data() / "exit_adapter"


def find(sha256: str, exit_layer: int, problems: list[str] | None = None) -> Path | None:
    """The adapter for this exit layer of the model of this sha256, if there is one.

    A file that cannot be used is passed over, since a model serves the same without it; one
    sentence about it is logged and added to `problems`.
    """
    for path in files():
        try:
            if belongs_to(path) == (sha256, exit_layer):
                for _ in matrices(path, exit_layer):
                    pass  # each is mapped, which finds one that is missing or cut off
                return path
        except ModelUnavailable as exc:
            sentence = unusable(path, exc)
            if problems is not None:
                problems.append(sentence)
    return None


def files() -> list[Path]:
    """Adapter files, those trained here first."""
    folders = (installed(), paths.shipped() / "models" / "exit_adapter")
    return [path for folder in folders for path in sorted(folder.glob("*.gguf"))]


def belongs_to(path: Path) -> tuple[str, int]:
    """The sha256 of an adapter's model, and its exit layer; `ModelUnavailable` if it is none."""
    with gguf.File(path) as file:
        return file.word(_MODEL), file.number(_EXIT)


def unusable(path: Path, why: ModelUnavailable) -> str:
    """The sentence about an adapter that is left out, which is logged."""
    sentence = f"The exit adapter {path} is left out ({why.thing}): train it again or delete it"
    log.warning("%s", sentence)
    return sentence


def write(
    target: Path,
    tensors: Mapping[str, NDArray[np.floating[Any]]],
    *,
    base: Path,
    sha256: str,
    exit_layer: int,
) -> None:
    """Write an adapter: matrices [rows, width] in Q8_0, norms in float32.

    `tensors` has the names of `LAYER` and `output_norm.weight`, rows in GGUF's order; `base` is the
    model's file, of this sha256. Raises OSError when it cannot be written.
    """
    wanted = (*LAYER, _OUTPUT_NORM)
    if missing := [name for name in wanted if name not in tensors]:
        raise ValueError(f"an adapter needs {', '.join(missing)}")
    with gguf.File(base) as file:
        file.write(
            target,
            without=file.tensors(),
            matrices=[gguf.stored(name, tensors[name]) for name in wanted],
            forget=("",),
            numbers={_EXIT: exit_layer},
            words={_MODEL: sha256, "general.type": "adapter"},
        )


def matrices(path: Path, exit_layer: int) -> Iterator[gguf.Matrix]:
    """The adapter's tensors as those of layer `exit_layer` of a head."""
    with gguf.File(path) as file:
        if file.number(_EXIT) != exit_layer:
            raise ModelUnavailable(
                f"The exit adapter {path.name} does not belong to exit layer {exit_layer}",
                remedy="choose its exit layer in Settings",
            )
        for name in LAYER:
            stored = file.matrix(name)
            yield gguf.Matrix(f"blk.{exit_layer}.{name}", stored.kind, stored.width, stored.rows)
        yield file.matrix(_OUTPUT_NORM)
