"""Job rouge: how close replies come to what people answered, by ROUGE-L on the AMI set.

A supplementary proxy, near its floor on short meeting turns (the seed's §8): full depth, which is
what PADS serves whatever the exit drafts, against what the exit alone would say. Empty replies
are counted, and charged 0 in a column of their own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine import paths, settings
from engine.evaluation.exits import acceptance_figures as figures
from engine.evaluation.exits import exit_reading, prompt_sets
from engine.evaluation.exits.exit_reading import ExitReader
from engine.evaluation.exits.prompt_sets import Item
from engine.evaluation.exits.rouge_l import rouge_l
from engine.events import Evidence
from engine.records.evidence import Figure
from engine.records.plots import Table, shown
from engine.records.runs import ActiveRun
from engine.speculation.policies import AlwaysShallow, ExitPolicy, Verified
from engine.speculation.sampling import Sampling
from engine.store.fetching import locate

FULL = "full depth"
Scores = list[float | None]


def run(
    job: ActiveRun,
    *,
    data: Path | None,
    prompts: int,
    exit_layer: int,
    tokens: int,
    trained_model: Path | None,
) -> dict[str, Any]:
    """Entry point of the job: answer every prompt each way, compare with the person's answer."""
    chosen = settings.load(paths.settings_file()).decoder
    model = locate(chosen.model)
    layer = exit_layer or exit_reading.half_depth(model)
    items = prompt_sets.ami(data)[:prompts]
    ways = exit_reading.ways(model, (layer,), trained_model)
    found: dict[str, Scores] = {}
    for number, way in enumerate(ways):
        job.phase(f"Exit {layer}, {way.name}: loading", number / len(ways))
        with exit_reading.opened(way, chosen) as reader:
            policies: dict[str, ExitPolicy] = {f"exit {layer} alone, {way.name}": AlwaysShallow()}
            if number == 0 or way.model != model:
                full = FULL if way.model == model else f"{FULL}, {way.name}"
                policies = {full: Verified(), **policies}
            for name, policy in policies.items():
                job.phase(f"Answering: {name}", (number + 0.4) / len(ways))
                found[name] = _answered(job, reader, items, tokens, name, policy)
    return result(job.evidence, layer, found)


def _answered(
    job: ActiveRun,
    reader: ExitReader,
    items: list[Item],
    tokens: int,
    name: str,
    policy: ExitPolicy,
) -> Scores:
    """ROUGE-L of each reply; None for an empty one. Replies go to the metrics."""
    scores: Scores = []
    for item in items:
        prompt = reader.loaded.chat.prompt(item.messages).tokens
        said = reader.words(reader.reply(prompt, tokens, Sampling(), policy)).strip()
        scores.append(rouge_l(said, item.reference) if said else None)
        job.metric(way=name, rouge_l=scores[-1], reply=said)
    return scores


def result(evidence: Evidence, exit_layer: int, found: dict[str, Scores]) -> dict[str, Any]:
    """Means with intervals by prompt, the counts behind them, and what full depth has ahead."""
    rows = []
    record: dict[str, Any] = {}
    for name, scores in found.items():
        columns = {
            "replies": Figure(value=sum(s is not None for s in scores), evidence=evidence),
            "empty": Figure(value=sum(s is None for s in scores), evidence=evidence),
            "rouge_l": figures.mean(scores, evidence),
            "conservative": figures.conservative(scores, evidence),
        }
        if name != FULL:
            columns["behind_full_depth"] = figures.gain(found[FULL], scores, evidence)
        record[name] = {key: figure.record() for key, figure in columns.items()}
        behind = columns.get("behind_full_depth", "–")
        rows.append((name, *list(columns.values())[:4], behind))
    columns_shown = ("way", "replies", "empty", "ROUGE-L", "empties charged 0", "full depth ahead")
    return {
        "set": f"{prompt_sets.AMI}, {len(found[FULL])} prompts",
        "exit_layer": exit_layer,
        "rouge_l": record,
        **shown(tables=[Table(title="ROUGE-L (F1)", columns=columns_shown, rows=rows)]),
    }
