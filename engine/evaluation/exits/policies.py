"""Job policies: which positions to compute deeply, compared at the same compute (the seed's §6).

Agreement with full depth against the share of deep positions, for token confidence and dialogue
act, off the shelf and trained, with always shallow and always deep as references.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine import paths, settings
from engine.dialogue_act.classifier import DialogueActClassifier
from engine.errors import JobFailed, ModelUnavailable
from engine.evaluation.exits import exit_reading, policy_report, prompt_sets, tokeniser_check
from engine.evaluation.exits.exit_reading import Way
from engine.evaluation.exits.policy_reading import PROMPTS, Read, Text, deepest, read, texts
from engine.events import Evidence
from engine.records.evidence import Figure
from engine.records.runs import ActiveRun
from engine.store.fetching import locate


def run(
    job: ActiveRun,
    *,
    data: Path | None,
    prompts: int,
    exit_layer: int,
    positions: str,
    tokens: int,
    trained_model: Path | None,
) -> dict[str, Any]:
    """Entry point of the job: read every position at the exit and at full depth, then compare."""
    chosen = settings.load(paths.settings_file()).decoder
    model = locate(chosen.model)
    layer = exit_layer or exit_reading.half_depth(model)
    items = prompt_sets.ami(data)[:prompts]
    folder = paths.weights("dialogue_act")
    classifier = DialogueActClassifier.load(folder)
    p_deep = [classifier.judge(item.text).p_deep for item in items]
    ways = exit_reading.ways(model, (layer,), trained_model)
    found: dict[Way, list[Read]] = {}
    asked: dict[Path, list[Text]] = {}
    deep: dict[Path, list[Any]] = {}
    for number, way in enumerate(ways):
        job.phase(f"Exit {layer}, {way.name}: loading", number / len(ways))
        with exit_reading.opened(way, chosen) as reader:
            job.phase(f"Exit {layer}, {way.name}: reading", (number + 0.3) / len(ways))
            if way.model not in asked:
                asked[way.model] = texts(reader, items, positions, tokens)
                deep[way.model] = [deepest(reader, text) for text in asked[way.model]]
            found[way] = [
                read(reader, text, says)
                for text, says in zip(asked[way.model], deep[way.model], strict=True)
            ]
        _keep(job, way, found[way], p_deep)
    return policy_report.result(
        job.evidence,
        found,
        p_deep,
        facts={
            "exit_layer": layer,
            "positions_of": positions,
            "prompts": len(items),
            "tokeniser_check": tokeniser(model, asked[model], positions, job.evidence),
        },
    )


def tokeniser(
    model: Path, asked: Sequence[Text], positions: str, evidence: Evidence
) -> dict[str, Any]:
    """Position counts beside an independent tokeniser's; `JobFailed` where they differ."""
    total = Figure(value=sum(len(text.asked) for text in asked), evidence=evidence)
    reason = "a reply need not be cut into tokens as its text would be"
    if positions == PROMPTS:
        try:
            count = tokeniser_check.counter(model)
        except ModelUnavailable as exc:
            reason = str(exc)
        else:
            differing = [t.words for t in asked if count(t.words) != len(t.asked)]
            if differing:
                raise JobFailed(
                    f"An independent tokeniser counts other positions in {len(differing)} of "
                    f"{len(asked)} prompts, in {differing[0]!r} first",
                    remedy="report this: the positions cannot be trusted",
                )
            same = Figure(value=len(asked), evidence=evidence)
            return {"positions": total.record(), "prompts_counted_alike": same.record()}
    unchecked = Figure(value=None, evidence=Evidence.UNAVAILABLE, reason=reason)
    return {"positions": total.record(), "prompts_counted_alike": unchecked.record()}


def _keep(job: ActiveRun, way: Way, found: Sequence[Read], p_deep: Sequence[float]) -> None:
    """Raw samples: one line a prompt."""
    for number, (one, p) in enumerate(zip(found, p_deep, strict=True)):
        job.metric(
            way=way.name,
            exit_layer=way.exit_layer,
            prompt=number,
            p_deep=p,
            agrees=one.agrees.astype(int).tolist(),
            top=np.round(one.top, 6).tolist(),
        )
