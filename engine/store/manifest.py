"""The model manifest: what each file is, where it comes from, what it must be."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path, PurePosixPath

from engine import paths
from engine.errors import ModelUnavailable


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    """One file of the manifest; `size` in bytes.

    `source` is "package==version", whose wheel holds the file as `member`, or an https address.
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
        entries = tomllib.loads(path.read_text("utf-8"))["model"]
        models = tuple(ModelFile(**entry) for entry in entries)
        for model in models:
            _check(model)
    except (OSError, ValueError, KeyError, TypeError) as exc:
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


def _check(model: ModelFile) -> None:
    for field in fields(model):
        value, expected = getattr(model, field.name), int if field.name == "size" else str
        if not isinstance(value, expected) and not (field.name == "member" and value is None):
            raise ValueError(f"{model.name}: {field.name} = {value!r}")
    inside = PurePosixPath(model.file)
    if inside.is_absolute() or ".." in inside.parts:
        raise ValueError(f"{model.name}: file {model.file} leaves the models folder")
    packaged = model.member is not None and "==" in model.source
    if not packaged and not model.source.startswith("https://"):
        raise ValueError(
            f"{model.name}: {model.source} is no package==version and no https address"
        )
