"""Job identity: what `pads bench identity` compares, with its pictures.

A difference that the probe at loading did not announce ends the job as failed: it would mean
that speculation changes what is served.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine import paths, settings
from engine.errors import JobFailed
from engine.evaluation.decoding import identity
from engine.evaluation.decoding.identity_prompts import conversations
from engine.events import Evidence
from engine.records.evidence import Figure
from engine.records.plots import Axis, Plot, Series, Table, shown
from engine.records.runs import ActiveRun
from engine.store.fetching import locate

Model = dict[str, Any]


def run(
    job: ActiveRun,
    *,
    prompts: int,
    format_prompts: int,
    tokens: int,
    formats: str,
    data: Path | None,
) -> dict[str, Any]:
    """Compare the default model and its other `formats`; every prompt's verdict is kept."""
    kinds = chosen_formats(formats)
    chosen = replace(settings.load(paths.settings_file()).decoder, speculation="always")
    wanted = conversations(max(prompts, format_prompts), data)
    total, done = prompts + format_prompts * len(kinds), 0
    models: list[Model] = []
    for record in identity.compare_all(
        locate(chosen.model),
        chosen,
        wanted[:prompts],
        formats=kinds,
        format_prompts=wanted[:format_prompts],
        tokens=tokens,
    ):
        if record["type"] == "prompt":
            done += 1
            job.phase(f"Answering three ways: {record['model']}", done / total)
            job.metric(**{key: value for key, value in record.items() if key != "type"})
        else:
            models.append(record)
            job.note(in_words(record, job.evidence))
    summary = identity.summarise(models)
    refuse_silent(models)
    return {
        **{key: value for key, value in summary.items() if key not in ("type", "evidence")},
        **_shown(models, job.evidence),
    }


def chosen_formats(text: str) -> list[str]:
    """The number formats named; `JobFailed` for one that cannot be made."""
    kinds = [word.strip() for word in text.split(",") if word.strip()]
    unknown = sorted(set(kinds) - set(identity.FORMATS))
    if unknown:
        raise JobFailed(
            f"There is no number format {', '.join(unknown)}",
            remedy=f"choose from {', '.join(identity.FORMATS)}",
        )
    return kinds


def in_words(model: Model, evidence: Evidence) -> str:
    """A model's result in a sentence."""
    return (
        f"{model['model']}: {model['divergences']} divergences in {model['prompts']} prompts, "
        f"{model['verdict']} ({evidence})"
    )


def refuse_silent(models: Sequence[Model]) -> None:
    """`JobFailed` when a model that was proved exact served other tokens all the same."""
    broken = [model["model"] for model in models if model["verdict"] == identity.DIFFERENT]
    if broken:
        raise JobFailed(
            f"Speculation changed served tokens with {', '.join(broken)}",
            remedy="set the speculation to never in Settings and report it with this run's log",
        )


def _shown(models: Sequence[Model], evidence: Evidence) -> dict[str, Any]:
    def figure(value: float) -> Figure:
        return Figure(value=value, evidence=evidence)

    rows: list[list[str | int | Figure]] = [
        [
            model["model"],
            figure(model["prompts"]),
            figure(model["tokens"]),
            figure(model["divergences"]),
            model["verdict"],
            figure(round(model["accepted"] / model["drafted"], 4))
            if model["drafted"]
            else "nothing drafted",
        ]
        for model in models
    ]
    numbers = list(range(1, len(models) + 1))
    plot = Plot(
        title="Replies that differ from plain decoding's",
        x=Axis(name="model, in the table's order"),
        y=Axis(name="divergences"),
        kind="bars",
        series=[
            Series(
                name="divergences",
                x=numbers,
                y=[model["divergences"] for model in models],
                evidence=evidence,
            )
        ],
    )
    columns = ("model", "prompts", "tokens", "divergences", "verdict", "acceptance")
    return shown([plot], [Table(title="Served tokens compared", columns=columns, rows=rows)])
