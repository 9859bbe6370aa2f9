"""The same model in other number formats, made by llama.cpp on this machine.

Quantising a model that is quantised already rounds it twice. `quantised` refuses to; what
`requantised` makes is for numerical tests only: labelled, in the cache, never offered as a model.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import tempfile
from pathlib import Path

import llama_cpp as ll

from engine.errors import ModelUnavailable
from engine.speculation import gguf, llama, split

FORMATS = {
    "Q4_0": ll.LLAMA_FTYPE_MOSTLY_Q4_0,
    "Q4_1": ll.LLAMA_FTYPE_MOSTLY_Q4_1,
    "Q8_0": ll.LLAMA_FTYPE_MOSTLY_Q8_0,
    "Q4_K_M": ll.LLAMA_FTYPE_MOSTLY_Q4_K_M,
    "F16": ll.LLAMA_FTYPE_MOSTLY_F16,
}
"""Formats that can be made, and llama.cpp's numbers for them."""

LABEL = "requantised for numerical tests"


def requantised(model: Path, kind: str, cache: Path) -> Path:
    """`model` in the format `kind`, from the cache or newly made.

    Its name holds the source's sha256. `ModelUnavailable` when the source cannot be read or
    the result does not fit on the disk.
    """
    cache.mkdir(parents=True, exist_ok=True)
    target = cache / f"{split.identity(model, cache)[:24]}-{kind}-numerical-test.gguf"
    if target.exists():
        return target
    free, wanted = shutil.disk_usage(cache).free, 5 * model.stat().st_size
    if free < wanted:
        raise ModelUnavailable(
            f"A {kind} version of {model.name} does not fit on the disk ({free >> 20} MB free)",
            remedy=f"free {wanted >> 20} MB",
        )
    _quantise(model, kind, target, again=True)
    return target


def quantised(source: Path, kind: str, target: Path) -> None:
    """Write the F16 (or float32) model `source` in the format `kind`, by llama.cpp's quantiser.

    `ModelUnavailable` for a source that is quantised already, or a result that does not fit.
    """
    with gguf.File(source) as file:
        rounded = [name for name in file.tensors() if file.matrix(name).kind not in gguf.FLOATS]
    if rounded:
        raise ModelUnavailable(
            f"{source.name} is quantised already ({rounded[0]} and {len(rounded) - 1} more "
            "tensors): rounding it a second time would add to the loss",
            remedy="quantise the F16 file it was made from",
        )
    _quantise(source, kind, target, again=False)


def _quantise(source: Path, kind: str, target: Path, *, again: bool) -> None:
    params = ll.llama_model_quantize_default_params()
    params.ftype, params.allow_requantize, params.nthread = FORMATS[kind], again, 2
    llama.forget_complaints()
    with tempfile.TemporaryDirectory(prefix="quantise-", dir=target.parent) as folder:
        partial = Path(folder) / "model.gguf"
        if ll.llama_model_quantize(os.fsencode(source), os.fsencode(partial), ctypes.byref(params)):
            raise ModelUnavailable(
                f"{source.name} cannot be written as {kind} ({llama.complaint()})",
                remedy="see that the file is whole and that the disk has room",
            )
        partial.replace(target)
