"""What of each model is here, files that only work together counted as one model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

from engine.store import library, storing
from engine.store.manifest import ADDED, ModelFile


class State(StrEnum):
    """Whether a model can be used."""

    PRESENT = "present"
    MISSING = "missing"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """A model with its files, the main one first; `trouble` says what is damaged."""

    files: tuple[ModelFile, ...]
    state: State
    trouble: str
    disk_bytes: int

    @property
    def name(self) -> str:
        """The main file's name."""
        return self.files[0].name

    @property
    def bytes_whole(self) -> int:
        """What its files take when all are here."""
        return sum(model.size for model in self.files)

    @property
    def added(self) -> bool:
        """Whether the user added it."""
        return self.files[0].source == ADDED

    @property
    def elsewhere(self) -> bool:
        """Whether its file lies where the user has it, and is not ours to delete."""
        return Path(self.files[0].file).is_absolute()


def read(known_damage: Mapping[str, str]) -> tuple[Holding, ...]:
    """All models. `known_damage` has, by file name, what a check of the bytes has found.

    Otherwise only sizes are looked at. Raises `ModelUnavailable` for a damaged manifest.
    """
    groups: dict[str, list[ModelFile]] = {}
    for model in library.read():
        folder = str(PurePosixPath(model.file).parent)
        shared = folder != "." and model.source != ADDED
        groups.setdefault(f"{model.role}/{folder}" if shared else model.name, []).append(model)
    return tuple(_holding(tuple(files), known_damage) for files in groups.values())


def _holding(files: tuple[ModelFile, ...], known_damage: Mapping[str, str]) -> Holding:
    sizes = [_size(storing.found(model)) for model in files]
    troubles = [
        f"{model.file} {known_damage.get(model.name) or _trouble(model, size)}"
        for model, size in zip(files, sizes, strict=True)
        if size != model.size or model.name in known_damage
    ]
    state = State.DAMAGED if troubles else State.PRESENT
    if all(size is None for size in sizes):
        state, troubles = State.MISSING, []
    elsewhere = Path(files[0].file).is_absolute()
    on_disk = 0 if elsewhere else sum(size or 0 for size in sizes)
    return Holding(files=files, state=state, trouble="; ".join(troubles), disk_bytes=on_disk)


def _trouble(model: ModelFile, size: int | None) -> str:
    return "is missing" if size is None else f"has {size} of {model.size} bytes"


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size if path.is_file() else None
    except OSError:
        return None
