"""The same model in other number formats, made by llama.cpp on this machine.

For numerical tests only: quantising a model that is quantised already loses quality, so the
files are labelled, live in the cache and are never offered as models.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import tempfile
from pathlib import Path

import llama_cpp as ll

from engine.errors import ModelUnavailable
from engine.speculation import llama, split

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
    params = ll.llama_model_quantize_default_params()
    params.ftype, params.allow_requantize, params.nthread = FORMATS[kind], True, 2
    llama.forget_complaints()
    with tempfile.TemporaryDirectory(prefix="quantise-", dir=cache) as folder:
        partial = Path(folder) / "model.gguf"
        if ll.llama_model_quantize(os.fsencode(model), os.fsencode(partial), ctypes.byref(params)):
            raise ModelUnavailable(
                f"{model.name} cannot be written as {kind} ({llama.complaint()})",
                remedy="fetch it again with `pads models fetch`",
            )
        partial.replace(target)
    return target
