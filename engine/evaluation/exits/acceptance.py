"""Job acceptance (Go/No-Go 3): how often an early exit says what the whole model serves.

Per exit layer, off the shelf and trained, greedy and sampled, on AMI and DailyDialog prompts,
paired by prompt. What a model serves does not depend on the exit, so it is decoded once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine import paths, settings
from engine.errors import SettingsRejected
from engine.evaluation.exits import acceptance_report, exit_reading, prompt_sets
from engine.evaluation.exits.exit_acceptance import Request, Served, Shares, answer, measure
from engine.evaluation.exits.exit_reading import Way
from engine.evaluation.exits.prompt_sets import Item
from engine.records.runs import ActiveRun
from engine.speculation.sampling import Sampling
from engine.store.fetching import locate

TOP_P = 0.9
"""Of sampled replies, as in the seed's reference generator."""

Compared = tuple[
    dict[tuple[Path, str], list[Served]], dict[tuple[str, Way], Shares], dict[Way, dict[str, Any]]
]
"""Replies by model and set, values by set and way, the decoder's details by way."""

_ANSWERING = 4
"""Answering a prompt takes about so many times as long as reading the reply at an exit."""


def run(
    job: ActiveRun,
    *,
    data: Path | None,
    prompts: int,
    tokens: int,
    exits: str,
    draft_tokens: int,
    temperature: float,
    trained_model: Path | None,
    seed: int,
) -> dict[str, Any]:
    """Entry point of the job: decode the replies, read them at each exit, compare."""
    chosen = settings.load(paths.settings_file()).decoder
    model = locate(chosen.model)
    request = Request(
        prompts=prompts,
        tokens=tokens,
        draft_tokens=draft_tokens,
        exits=tuple(sorted({*exit_layers(exits), exit_reading.half_depth(model)})),
        sampling=Sampling(temperature=temperature, top_p=TOP_P, seed=seed),
    )
    sets = prompt_sets.both(prompts, data)
    ways = exit_reading.ways(model, request.exits, trained_model)
    compared = compare(job, chosen, ways, request, sets)
    return acceptance_report.result(job.evidence, request, *compared)


def compare(
    job: ActiveRun,
    chosen: settings.DecoderSettings,
    ways: Sequence[Way],
    request: Request,
    sets: Mapping[str, Sequence[Item]],
    progress: tuple[float, float] = (0.0, 1.0),
) -> Compared:
    """Every model's replies to the sets, each way's values on them, and what its decoder says.

    `progress` is which part of the job's fraction this is.
    """
    models = {way.model for way in ways}
    total = sum(len(items) for items in sets.values()) * (len(ways) + _ANSWERING * len(models))
    done, (begin, end) = 0, progress

    def phase(name: str) -> None:
        job.phase(name, begin + (end - begin) * done / total)

    served: dict[tuple[Path, str], list[Served]] = {}
    found: dict[tuple[str, Way], Shares] = {}
    facts: dict[Way, dict[str, Any]] = {}
    for way in ways:
        phase(f"Exit {way.exit_layer}, {way.name}: loading")
        with exit_reading.opened(way, chosen) as reader:
            facts[way] = reader.loaded.details
            for name, items in sets.items():
                key = way.model, name
                if key not in served:
                    served[key] = []
                    for item in items:
                        phase(f"Answering {name}")
                        served[key].append(answer(reader, item, request))
                        done += _ANSWERING
                phase(f"Exit {way.exit_layer}, {way.name}: {name}")
                found[name, way] = measure(reader, served[key], request)
                done += len(items)
                acceptance_report.keep(job, name, way, found[name, way])
    return served, found, facts


def exit_layers(exits: str) -> tuple[int, ...]:
    """Layers from `4,8,15`, in order and once each."""
    try:
        found = tuple(sorted({int(part) for part in exits.split(",") if part.strip()}))
    except ValueError as exc:
        raise SettingsRejected(
            f"{exits!r} are no exit layers", remedy="give numbers separated by commas: 4,8,15"
        ) from exc
    if not found or found[0] < 1:
        raise SettingsRejected("There is no exit to measure", remedy="give one from 1 on")
    return found
