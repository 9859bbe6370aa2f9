"""Putting a model file in place, whole or not at all.

A file grows under a second name beside its place and takes the place by one atomic rename, after
its size and sha256 have been found right and its bytes have reached the disk.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

from engine import paths
from engine.errors import ModelUnavailable
from engine.store.manifest import ADDED, ModelFile

Report = Callable[[str, float], None]
"""Called with what is being done and the fraction (0..1) of it that is done.

It is called at least every tenth of a second or MB: what it raises ends the work, and leaves
nothing half-written.
"""

PIECE = 1 << 20
"""Bytes read at once."""


def place(model: ModelFile) -> Path:
    """Where the model's file belongs."""
    folder = paths.added_models() if model.source == ADDED else paths.fetched_models()
    return folder / model.file


def found(model: ModelFile) -> Path:
    """Where the model's file is read: in its place, or else in the bundle if that has it."""
    path, bundled = place(model), paths.bundled_models() / model.file
    return bundled if not path.exists() and model.source != ADDED and bundled.exists() else path


def partial(model: ModelFile) -> Path:
    """Where it grows; the folder is made."""
    path = place(model)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.with_name(path.name + ".partial")


def damage(model: ModelFile, path: Path | None = None, report: Report | None = None) -> str | None:
    """What is wrong with a model's file (or one at `path`); None when size and sha256 are right."""
    path = path or found(model)
    try:
        size = path.stat().st_size
        if size != model.size:
            return f"has {size} of {model.size} bytes"
        digest = hashlib.sha256()
        with path.open("rb") as file:
            while piece := file.read(PIECE):
                digest.update(piece)
                if report is not None:
                    report(f"checking {model.name}", min(file.tell() / size, 1.0))
    except FileNotFoundError:
        return "missing"
    except OSError as exc:
        return f"unreadable ({exc})"
    return None if digest.hexdigest() == model.sha256 else "altered (its sha256 is another)"


def store(model: ModelFile, content: IO[bytes]) -> None:
    """Copy a model from an open stream into its place. Raises `ModelUnavailable`, `OSError`."""
    growing = partial(model)
    try:
        with growing.open("wb") as file:
            # One byte more than it should have is enough to know that it is another file.
            while (room := model.size + 1 - file.tell()) > 0:
                piece = content.read(min(PIECE, room))
                if not piece:
                    break
                file.write(piece)
        accept(model)
    finally:
        growing.unlink(missing_ok=True)


def accept(model: ModelFile) -> None:
    """Move the grown file into its place. Raises `ModelUnavailable` and removes it if wrong."""
    growing = partial(model)
    wrong = damage(model, growing)
    if wrong is not None:
        growing.unlink(missing_ok=True)
        raise ModelUnavailable(
            f"What came for the model {model.name} is not what the manifest names: it {wrong}",
            remedy="run `pads models fetch` again; if it stays so, the source has changed",
        )
    with growing.open("rb+") as file:
        os.fsync(file.fileno())
    growing.replace(place(model))


def require_room(models: Iterable[ModelFile]) -> None:
    """Raise `ModelUnavailable` when the disk cannot hold these models, before any is fetched."""
    folder = paths.fetched_models()
    folder.mkdir(parents=True, exist_ok=True)
    needed = sum(model.size for model in models)
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise ModelUnavailable(
            f"The models need {needed / 1e6:.0f} MB in {folder}, {free / 1e6:.0f} MB are free",
            remedy="free disk space, or name another folder in PADS_MODELS",
        )
