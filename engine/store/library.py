"""All models: those of the manifest and the language models the user added.

A file of the user's is copied into a folder of its own or used where it lies; what is known of it
stands beside the copies, one JSON file a model with the fields of a manifest's entry.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import shutil
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from engine import paths, reading
from engine.errors import ModelUnavailable
from engine.store import manifest, storing
from engine.store.manifest import ADDED, ModelFile
from engine.store.storing import PIECE, Report

log = logging.getLogger(__name__)

_LARGEST_BYTES = 2**16
"""Of the record of one model."""


def read() -> tuple[ModelFile, ...]:
    """The manifest's models, then those added. Raises `ModelUnavailable` for the manifest."""
    return (*manifest.read(), *added())


def find(name: str) -> ModelFile:
    """The model called `name`. Raises `ModelUnavailable`."""
    for model in added():
        if model.name == name:
            return model
    return manifest.find(name)


def added() -> tuple[ModelFile, ...]:
    """The models the user added, by name; a damaged record is passed over and logged."""
    models = []
    for record in sorted(paths.added_models().glob("*.json")):
        try:
            model = ModelFile(**json.loads(reading.text(record, _LARGEST_BYTES)))
            if model.source != ADDED or model.name != record.stem:
                raise ValueError("it is of another model")
            manifest.check_kinds(model)
            models.append(model)
        except (OSError, ValueError, TypeError, RecursionError) as exc:
            log.warning("the record %s of an added model is passed over (%s)", record, exc)
    return tuple(models)


def add(file: Path, *, licence: str, note: str, copy: bool, report: Report) -> ModelFile:
    """Add a language model's file, which was found usable, by a copy or where it lies.

    Its name is the file's. Raises `ModelUnavailable` when it is here already or cannot be read
    or stored.
    """
    folder = paths.added_models()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        name = _free_name(file.stem)
        growing = folder / f"{name}.gguf.partial"
        try:
            if copy:
                _require_room(file, folder)
            digest = _taken_over(file, growing if copy else None, report)
            _refuse_known(file, digest)
            if copy:
                growing.replace(folder / f"{name}.gguf")
        finally:
            growing.unlink(missing_ok=True)
        model = ModelFile(
            role="language-model",
            name=name,
            file=f"{name}.gguf" if copy else str(file.resolve()),
            source=ADDED,
            size=file.stat().st_size,
            sha256=digest,
            licence=licence,
            use="optional",
            note=note,
        )
        _record(model)
    except OSError as exc:
        raise ModelUnavailable(
            f"The model {file.name} could not be added ({exc.strerror or exc})",
            remedy="free disk space or allow reading and writing there, then add it again",
        ) from exc
    return model


def remove(models: Iterable[ModelFile]) -> None:
    """Delete the files of models; one that is used where it lies stays there, and is forgotten.

    Raises `ModelUnavailable` when a file cannot be deleted.
    """
    for model in models:
        path = storing.place(model)
        try:
            if not Path(model.file).is_absolute():
                path.unlink(missing_ok=True)
                storing.partial(model).unlink(missing_ok=True)
            if model.source == ADDED:
                _record_of(model.name).unlink(missing_ok=True)
        except OSError as exc:
            raise ModelUnavailable(
                f"The model {model.name} cannot be deleted ({exc.strerror})",
                remedy=f"allow writing in {path.parent}",
            ) from exc


def _taken_over(file: Path, copy: Path | None, report: Report) -> str:
    """The sha256 of a file that is copied on the way, or only read."""
    digest, size = hashlib.sha256(), file.stat().st_size
    with file.open("rb") as source, open(copy or os.devnull, "wb") as target:
        while piece := source.read(PIECE):
            digest.update(piece)
            target.write(piece)
            report(f"{'copying' if copy else 'reading'} {file.name}", min(source.tell() / size, 1))
        target.flush()
        if copy:
            os.fsync(target.fileno())
    return digest.hexdigest()


def _free_name(stem: str) -> str:
    """A name for a file, in lower case, that no other model has."""
    wanted = re.sub(r"[^a-z0-9._-]+", "-", stem.lower()).strip("-.") or "model"
    taken, name, number = {model.name for model in read()}, wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}-{number}"
    return name


def _refuse_known(file: Path, digest: str) -> None:
    for model in read():
        if model.sha256 == digest and storing.found(model).is_file():
            raise ModelUnavailable(
                f"The file {file.name} is here already as {model.name}",
                remedy="choose it in the list",
            )


def _require_room(file: Path, folder: Path) -> None:
    needed, free = file.stat().st_size, shutil.disk_usage(folder).free
    if free < needed:
        raise ModelUnavailable(
            f"A copy of {file.name} needs {needed / 1e6:.0f} MB in {folder}, "
            f"{free / 1e6:.0f} MB are free",
            remedy="free disk space, or use the file where it lies",
        )


def _record_of(name: str) -> Path:
    return paths.added_models() / f"{name}.json"


def _record(model: ModelFile) -> None:
    record = _record_of(model.name)
    partial = record.with_suffix(".partial")
    partial.write_text(json.dumps(asdict(model), indent=1), "utf-8")
    partial.replace(record)
