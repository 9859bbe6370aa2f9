"""From trained low-rank pairs to model files: merged in float32, stored as F16, then quantised.

Needs no torch. Quantising always begins with the F16 file: what is quantised already would be
rounded a second time.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import JobFailed
from engine.speculation import gguf, quantising

FILE, F16 = "pairs.npz", "F16"
_PACKING = (zipfile.BadZipFile, zlib.error)
_SCALE = "scale"
_MOSTLY_F16 = 1  # llama_ftype
_LARGEST = float(np.finfo(np.float16).max)

Pairs = Mapping[str, NDArray[np.float32]]


def store(folder: Path, pairs: Pairs, scale: float) -> Path:
    """Write the pairs `layer.matrix.a` [rank, columns] and `.b` [rows, rank] and their α / rank."""
    target = folder / FILE
    partial = folder / f"partial-{FILE}"
    np.savez(partial, allow_pickle=False, **pairs, **{_SCALE: np.float32(scale)})
    partial.replace(target)
    return target


def read(path: Path) -> tuple[dict[str, NDArray[np.float32]], float]:
    """What `store` wrote; `JobFailed` for anything else."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            pairs = {name: stored[name] for name in stored.files}
        return pairs, float(pairs.pop(_SCALE))
    except (OSError, ValueError, KeyError, EOFError, RuntimeError, *_PACKING) as exc:
        raise JobFailed(
            f"The trained pairs {path} cannot be read ({exc})", remedy="name a run that has them"
        ) from exc


def merge(
    base: Path,
    pairs: Pairs,
    scale: float,
    target: Path,
    weights: Mapping[str, NDArray[np.float32]] | None = None,
) -> None:
    """Write `base` with W + scale · BA in place of each W that has a pair: matrices in F16.

    `weights` (GGUF tensor names) take the place of the file's own. Raises `JobFailed` when a
    number does not fit F16 or the file cannot be written.
    """
    with gguf.File(base) as file:
        merged = []
        for name in file.tensors():
            values = (weights or {}).get(name)
            if values is None:
                matrix = file.matrix(name)
                values = matrix.floats(range(len(matrix.rows)))
            _, _, inner = name.partition("blk.")
            key = inner.removesuffix(".weight")
            if f"{key}.a" in pairs:
                values = values + np.float32(scale) * (pairs[f"{key}.b"] @ pairs[f"{key}.a"])
            if not np.abs(values).max() < _LARGEST:
                raise JobFailed(f"{name} does not fit F16", remedy="train with a lower rate")
            vector = len(values) == 1 or values.ndim == 1
            merged.append(gguf.stored(name, values.reshape(-1) if vector else values, gguf.F16))
        _write(file, merged, target)


def models(
    base: Path,
    pairs: Pairs,
    scale: float,
    folder: Path,
    formats: Sequence[str],
    weights: Mapping[str, NDArray[np.float32]] | None = None,
) -> dict[str, Path]:
    """The merged model by format: always `F16`, and each of `formats` quantised from that."""
    found = {F16: folder / f"{_stem(base)}-layerskip-{F16}.gguf"}
    merge(base, pairs, scale, found[F16], weights)
    for kind in formats:
        if kind != F16:
            found[kind] = folder / f"{_stem(base)}-layerskip-{kind}.gguf"
            quantising.quantised(found[F16], kind, found[kind])
    return found


def _stem(base: Path) -> str:
    """The model's name without its format: `SmolLM2-135M-Instruct` of `….Q4_1.gguf`."""
    for kind in quantising.FORMATS:
        for mark in ".-":
            if base.stem.endswith(mark + kind):
                return base.stem.removesuffix(mark + kind)
    return base.stem


def _write(file: gguf.File, matrices: list[Any], target: Path) -> None:
    partial = target.with_suffix(".partial")
    try:
        file.write(
            partial,
            without=file.tensors(),
            matrices=matrices,
            numbers={"general.file_type": _MOSTLY_F16},
        )
        partial.replace(target)
    except OSError as exc:
        partial.unlink(missing_ok=True)
        raise JobFailed(
            f"The model {target} cannot be written ({exc})", remedy="free disk space"
        ) from exc
