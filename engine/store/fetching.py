"""Finding model files, bringing the missing ones, checking them all."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from engine import paths
from engine.errors import ModelUnavailable
from engine.store import addresses, library, packages, storing
from engine.store.manifest import ADDED, ModelFile
from engine.store.storing import Report


def locate(name: str) -> Path:
    """Where the model's file lies. Raises `ModelUnavailable` if it is not there, whole.

    Only the size is looked at here, so that starting costs no hashing; `verify` hashes.
    """
    model = library.find(name)
    path = storing.found(model)
    found = path.stat().st_size if path.is_file() else None
    if found == model.size:
        return path
    raise _unusable(model, "is missing" if found is None else f"has {found} of {model.size} bytes")


def whole(name: str) -> Path:
    """`locate`, and every byte is the manifest's: for what native code reads in this process."""
    path = locate(name)
    if wrong := storing.damage(library.find(name), path):
        raise _unusable(library.find(name), f"is {wrong}")
    return path


def _unusable(model: ModelFile, state: str) -> ModelUnavailable:
    command = f"pads models fetch {model.name}" if model.use != "default" else "pads models fetch"
    remedy = "add it again or choose another" if model.source == ADDED else f"run `{command}`"
    return ModelUnavailable(
        f"The model {model.name} {state} ({storing.found(model)})", remedy=remedy
    )


def verify(files: Iterable[ModelFile], *, report: Report | None = None) -> dict[str, str | None]:
    """By model name, what is wrong with its file; None where size and sha256 are right."""
    return {model.name: storing.damage(model, report=report) for model in files}


def fetch(files: Iterable[ModelFile], *, report: Report) -> None:
    """Bring every file that is not here as it should be; the others are not touched.

    Files of one package share one download. Raises `ModelUnavailable`; a file that was here
    before stays as it was until its replacement is complete and verified.
    """
    wanted = [model for model in files if storing.damage(model, report=report) is not None]
    for model in wanted:
        if model.source == ADDED:
            raise ModelUnavailable(
                f"The model {model.name} came from a file of yours", remedy="add that file again"
            )
    try:
        storing.require_room(wanted)
        for source in dict.fromkeys(model.source for model in wanted):
            members = [model for model in wanted if model.source == source]
            report(f"fetching {', '.join(model.name for model in members)}", 0.0)
            if source.startswith("https://"):
                for model in members:
                    addresses.download(model, report)
            else:
                packages.unpack(source, members, report)
            report(f"fetched {', '.join(model.name for model in members)}", 1.0)
    except OSError as exc:
        raise ModelUnavailable(
            f"The models could not be stored in {paths.fetched_models()} ({exc})",
            remedy="free disk space or allow writing there, then run `pads models fetch` again",
        ) from exc
