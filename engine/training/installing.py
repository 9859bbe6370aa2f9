"""Trained weights put where the product loads them, with the record and card they belong to."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

from engine import paths
from engine.errors import JobFailed
from engine.records.folders import read_json, replace_json
from engine.records.keeping import public
from engine.records.runs import ActiveRun

Card = Callable[[dict[str, Any], dict[str, Any]], str]
"""Makes a model card from a run's result and its public record."""


def install(job: ActiveRun, model: str, result: dict[str, Any], card: Card) -> None:
    """Put the run's weights in place of the shipped ones; `JobFailed` if they cannot be."""
    installed = paths.trained(model)
    # A new folder appears when all of it is there; until then the shipped weights are loaded.
    folder = installed if installed.is_dir() else installed.with_name(f"{model}.partial")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in sorted((job.folder / "weights").iterdir()):
            partial = folder / f"{path.name}.partial"
            shutil.copyfile(path, partial)
            partial.replace(folder / path.name)
        replace_json(folder / "result.json", result)
        record = public(read_json(job.folder / "manifest.json") or {})
        replace_json(folder / "run.json", record)
        (folder / "README.md").write_text(card(result, record), "utf-8")
        folder.rename(installed)
    except OSError as exc:
        raise JobFailed(
            f"The weights cannot be installed in {installed} ({exc.strerror})",
            remedy=f"copy them from {job.folder / 'weights'} by hand",
        ) from exc
    job.note(f"installed in {installed}")
