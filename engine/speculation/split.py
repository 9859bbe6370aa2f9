"""Cut one GGUF into a head (layers 0..k-1) and a tail (layers k..N-1), once per model and k.

llama.cpp writes both halves itself, layers untouched. The head is fed with token embeddings,
so the only matrix over the vocabulary that it needs is its output, cut to the tokens that a
draft may propose; its file names them. The halves are kept in a cache folder under the model's
sha256, so that another file of the same name is never mistaken for it, and each time they are
wanted they are compared with what was written then, before native code reads them. Processes may
race: each writes its own temporary files and the last rename wins with equal content.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import llama_cpp as ll
import numpy as np
from numpy.typing import NDArray

from engine.errors import ModelUnavailable
from engine.speculation import adapter as adapters
from engine.speculation import frequent, gguf, llama

ARCHITECTURES = ("llama", "qwen2")
"""Architectures whose layers can be cut and fed with states; others are refused."""


_EMBEDDINGS, _OUTPUT = "token_embd.weight", "output.weight"
_DRAFTABLE = "pads.draft_tokens"


@dataclass(frozen=True, slots=True)
class Halves:
    """The two files of one cut, and the model they come from.

    An `adapted` head has one layer more, from which it drafts; the tail goes on below it.
    """

    head: Path
    tail: Path
    sha256: str
    exit_layer: int
    layers: int
    adapted: bool = False


def halves(
    model: Path, exit_layer: int, cache: Path, vocabulary: int, adapter: Path | None = None
) -> Halves:
    """The halves of `model` cut before layer `exit_layer`, from the cache or newly written.

    `vocabulary` is the number of tokens a draft may propose, all of them when it has no more;
    `adapter` is an exit adapter's file for this exit layer.
    `ModelUnavailable` when the file is missing, damaged or of an unsupported architecture,
    when the exit layer is not within it, or when the halves cannot be stored.
    """
    make_folder(cache)
    try:
        digest = identity(model, cache)
    except OSError as exc:
        raise ModelUnavailable(
            f"The language model {model} cannot be read ({exc.strerror})",
            remedy="fetch it with `pads models fetch`",
        ) from exc
    parts = [frequent.counted().read_bytes(), adapter.read_bytes() if adapter else b""]
    draft = hashlib.sha256(b"|".join(parts)).hexdigest()[:8]
    stem = f"{digest[:24]}-{exit_layer}-{vocabulary}-{draft}"
    record = cache / f"{stem}.json"
    cut = _recorded(record, digest, exit_layer)
    if cut is None:
        layers = _checked_layers(model, exit_layer)
        head, tail = cache / f"{stem}-head.gguf", cache / f"{stem}-tail.gguf"
        cut = Halves(head, tail, digest, exit_layer, layers, adapter is not None)
        _write(model, cut, vocabulary, adapter, record)
    return cut


def make_folder(cache: Path) -> None:
    """Make the folder of the halves; `ModelUnavailable` where there can be none."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise _unkept(cache, exc) from exc


def _unkept(cache: Path, exc: OSError) -> ModelUnavailable:
    return ModelUnavailable(
        f"The language model's halves cannot be kept in {cache} ({exc.strerror or exc})",
        remedy="free disk space there, or allow writing there",
    )


def embeddings(cut: Halves) -> gguf.Matrix:
    """The model's token embeddings, shape [n_vocab, width]: what a head is fed with."""
    with gguf.File(cut.tail) as file:
        return file.matrix(_EMBEDDINGS)


def draftable(cut: Halves) -> NDArray[np.int32]:
    """Token ids of the rows of the head's output, shape [n]."""
    with gguf.File(cut.head) as file:
        return file.integers(_DRAFTABLE)


def discard(cut: Halves) -> None:
    """Remove halves that are not wanted again; the next `halves` writes them anew."""
    for path in (cut.head, cut.tail):
        path.unlink(missing_ok=True)


def identity(model: Path, cache: Path) -> str:
    """The file's sha256, remembered by path, size and time of change."""
    stat = model.stat()
    key = f"{model.resolve()}|{stat.st_size}|{stat.st_mtime_ns}"
    known = cache / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.sha256"
    with suppress(OSError, ValueError):  # not known yet, or what is known is damaged
        digest = known.read_text("ascii").strip()
        if len(digest) == 64:
            return digest
    digest = _sha256(model)
    with suppress(OSError):  # then it is counted again the next time
        _store(known, digest)
    return digest


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _recorded(record: Path, digest: str, exit_layer: int) -> Halves | None:
    stem = record.with_suffix("").name
    head, tail = record.with_name(f"{stem}-head.gguf"), record.with_name(f"{stem}-tail.gguf")
    try:
        known = json.loads(record.read_text("ascii"))
        whole = _sha256(head) == known["head"] and _sha256(tail) == known["tail"]
        if whole and known["sha256"] == digest:
            layers, adapted = int(known["layers"]), bool(known["adapted"])
            return Halves(head, tail, digest, exit_layer, layers, adapted)
    except (OSError, ValueError, KeyError, TypeError, RecursionError, OverflowError):
        pass  # not cut yet, or a record that another version or a full disk left behind
    return None


def _checked_layers(model: Path, exit_layer: int) -> int:
    opened = llama.Model(model, vocab_only=True)
    try:
        architecture = opened.metadata("general.architecture") or "unknown"
        layers = int(opened.metadata(f"{architecture}.block_count") or 0)
    finally:
        opened.close()
    if architecture not in ARCHITECTURES:
        raise ModelUnavailable(
            f"The language model {model.name} has the architecture {architecture}, "
            f"which cannot be cut in two",
            remedy=f"choose a model of the architecture {' or '.join(ARCHITECTURES)}",
        )
    if not 0 < exit_layer < layers:
        raise ModelUnavailable(
            f"The exit layer {exit_layer} is not within the {layers} layers of {model.name}",
            remedy=f"set one from 1 to {layers - 1} in Settings",
        )
    return layers


def _write(model: Path, cut: Halves, vocabulary: int, adapter: Path | None, record: Path) -> None:
    try:
        _check_room(model, record.parent)
        _write_both(model, cut, vocabulary, adapter, record)
    except OSError as exc:
        raise _unkept(record.parent, exc) from exc


def _check_room(model: Path, folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < 2 * model.stat().st_size:
        raise ModelUnavailable(
            f"The halves of {model.name} do not fit on the disk ({free >> 20} MB free)",
            remedy=f"free {2 * model.stat().st_size >> 20} MB",
        )


def _write_both(
    model: Path, cut: Halves, vocabulary: int, adapter: Path | None, record: Path
) -> None:
    with tempfile.TemporaryDirectory(prefix="cut-", dir=record.parent) as folder:
        digests = {}
        parts = {
            "head": (cut.head, range(cut.exit_layer, cut.layers)),
            "tail": (cut.tail, range(cut.exit_layer)),
        }
        for name, (target, drop) in parts.items():
            partial = Path(folder) / name
            _cut(model, partial, drop)
            if name == "head":
                partial = _drafting(partial, model, cut.exit_layer, vocabulary, adapter)
            digests[name] = _sha256(partial)
            partial.replace(target)
    facts = {"sha256": cut.sha256, "layers": cut.layers, "adapted": cut.adapted}
    _store(record, json.dumps({**facts, **digests}))


def _cut(model: Path, target: Path, drop: range) -> None:
    params = ll.llama_model_quantize_default_params()
    layers = (ctypes.c_int32 * (len(drop) + 1))(*drop, -1)
    params.only_copy = True
    params.prune_layers = ctypes.cast(layers, ctypes.POINTER(ctypes.c_int32))
    llama.forget_complaints()
    if ll.llama_model_quantize(os.fsencode(model), os.fsencode(target), ctypes.byref(params)):
        raise ModelUnavailable(
            f"The language model {model.name} cannot be cut in two ({llama.complaint()})",
            remedy="fetch it again with `pads models fetch`",
        )


def _drafting(
    head: Path, model: Path, exit_layer: int, vocabulary: int, adapter: Path | None
) -> Path:
    """A copy of the head that drafts: output cut to the frequent tokens, adapter on top."""
    opened = llama.Model(model, vocab_only=True)
    architecture = opened.metadata("general.architecture")
    ids = frequent.tokens(opened, vocabulary, frequent.counted())
    opened.close()
    target = head.with_suffix(".draft")
    added = list(adapters.matrices(adapter, exit_layer)) if adapter else []
    with gguf.File(head, copying=True) as file:
        whole = file.matrix(_OUTPUT if _OUTPUT in file else _EMBEDDINGS)
        # llama.cpp takes the embeddings for the output where a file has no other.
        output = gguf.Matrix(_EMBEDDINGS, whole.kind, whole.width, whole.rows[ids])
        try:
            file.write(
                target,
                without=(_OUTPUT,),
                matrices=[output, *added],
                forget=("tokenizer.",),
                numbers={
                    f"{architecture}.vocab_size": len(ids),
                    f"{architecture}.block_count": exit_layer + bool(added),
                },
                words={"tokenizer.ggml.model": "none"},
                integers={_DRAFTABLE: ids},
            )
        except OSError as exc:
            raise ModelUnavailable(
                f"The halves of {model.name} cannot be written ({exc})", remedy="free disk space"
            ) from exc
    return target


def _store(path: Path, text: str) -> None:
    handle, partial = tempfile.mkstemp(prefix=path.name, dir=path.parent)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(text)
    Path(partial).replace(path)
