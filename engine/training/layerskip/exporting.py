"""Job export-model: a training's pairs merged and quantised once more, in other formats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine import paths
from engine.errors import JobFailed
from engine.records.evidence import Figure
from engine.records.folders import read_json
from engine.records.plots import Table, shown
from engine.records.runs import ActiveRun, find
from engine.speculation.quantising import FORMATS
from engine.training.layerskip import hugging_face, merging


def run(job: ActiveRun, *, trained: str, formats: str) -> dict[str, Any]:
    """Merge what the run `trained` learned into its base; write F16 and each of `formats`.

    `JobFailed` for a run without trained pairs and for unknown formats.
    """
    wanted = [part.strip() for part in formats.split(",") if part.strip()]
    if unknown := sorted(set(wanted) - FORMATS.keys()):
        raise JobFailed(
            f"The formats {', '.join(unknown)} are not known",
            remedy=f"choose among {', '.join(FORMATS)}",
        )
    folder = find(paths.runs(), trained, "train-layerskip").folder
    plan = read_json(folder / "plan.json") or {}
    pairs, scale = merging.read(folder / merging.FILE)
    job.phase("Writing models", 0.1)
    weights = hugging_face.weights(Path(plan["weights"])) if plan.get("weights") else None
    files = merging.models(Path(plan["model"]), pairs, scale, job.folder, wanted, weights)
    sizes = {
        kind: Figure(value=path.stat().st_size / 1e6, unit="MB", evidence=job.evidence)
        for kind, path in files.items()
    }
    rows = [(kind, files[kind].name, size) for kind, size in sizes.items()]
    return {
        "trained": folder.name,
        "models": {kind: path.name for kind, path in files.items()},
        "size": {kind: size.record() for kind, size in sizes.items()},
        **shown(tables=[Table(title="Models", columns=("format", "file", "size"), rows=rows)]),
    }
