"""A run's result kept beside what it is about: an example report, a model card's record."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.errors import JobFailed
from engine.records.folders import replace_json
from engine.records.runs import RunDirectory

_PRIVATE = ("command", "parameters", "process", "process_started", "status")
"""What a kept record leaves out: paths and processes of the machine that measured."""

QUOTED = "quoted"
"""Part of a result with people's words from a corpus, which a kept one leaves out."""


def public(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a run's manifest that is kept as run.json."""
    return {name: value for name, value in manifest.items() if name not in _PRIVATE}


def _without_quotes(result: Mapping[str, Any]) -> dict[str, Any]:
    """The result without words that are a corpus' own."""
    kept = {name: value for name, value in result.items() if name != QUOTED}
    if "tables" in kept:
        kept["tables"] = [table for table in kept["tables"] if not table.get("quotes")]
    return kept


def keep(run: RunDirectory, folder: Path) -> None:
    """Write `result.json` and `run.json` of a finished run to `folder`, in place of others.

    `JobFailed` for a run without a result, for a superseded one, and where it cannot be written.
    """
    manifest, result = run.manifest(), run.result()
    if result is None or manifest.get("superseded_by"):
        why = "has no result" if result is None else "is superseded"
        raise JobFailed(f"The run {run.name} {why}", remedy="keep a finished run")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_json(folder / "result.json", _without_quotes(result))
        replace_json(folder / "run.json", public(manifest))
    except OSError as exc:
        raise JobFailed(
            f"The run {run.name} cannot be kept in {folder} ({exc.strerror})",
            remedy="name a folder that can be written",
        ) from exc
