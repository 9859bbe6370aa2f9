"""Result and report of job train-exit-adapter: before and after, gains and losses alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from engine.events import Evidence
from engine.records.evidence import Figure, from_record, words
from engine.records.plots import Axis, Plot, Series, Table, shown
from engine.training.adapters.exit_adapter import Request
from engine.training.adapters.exit_agreement import ADAPTER, DRAFT, FULL, SHELF, Item, Tally

_CURVE = 20
"""Points of the loss curve that are reported."""
_SAMPLES = 5


def result(
    job_name: str,
    evidence: Evidence,
    base: Mapping[str, Any],
    request: Request,
    leaks: Mapping[str, Any],
    items: Sequence[Item],
    tallies: Mapping[tuple[int, str], Tally],
    curve: Sequence[Mapping[str, float]],
) -> dict[str, Any]:
    """Everything found, JSON-ready; `base` names the model, its hash and its depth."""
    ways: dict[str, Any] = {}
    for (exit_, way), tally in tallies.items():
        ways.setdefault(str(exit_), {})[way] = tally.figures(evidence)
    for exit_ in request.exits:
        gained = tallies[exit_, ADAPTER].gain(tallies[exit_, SHELF], evidence)
        ways[str(exit_)]["gain in greedy acceptance"] = gained
    drawn = shown(
        [_by_exit(tallies, request.exits, evidence), *_losses(curve, evidence)],
        [_table(ways, str(base["layers"]))],
    )
    empty = sum(not item.text.strip() for item in items)
    return {
        "run": job_name,
        "base": dict(base),
        "request": {k: v for k, v in asdict(request).items() if k != "folders"},
        "leak_check": dict(leaks),
        "held_out": {
            "prompts": len(items),
            "source": "DailyDialog test, from its first dialogue on, 1, 3 or 5 utterances heard",
            "replies": "greedy, by llama.cpp from the served file",
            "positions": int(sum(len(item.reply) for item in items)),
            "empty_replies": Figure(value=empty, evidence=evidence).record(),
        },
        "acceptance": ways,
        "curve": _thinned(curve),
        "samples": [item.text for item in items[:_SAMPLES]],
        **drawn,
    }


def _by_exit(
    tallies: Mapping[tuple[int, str], Tally], exits: Sequence[int], evidence: Evidence
) -> Plot:
    series = []
    for way in (SHELF, ADAPTER, DRAFT):
        at = [exit_ for exit_ in exits if (exit_, way) in tallies]
        found = [tallies[exit_, way].figures(evidence)["greedy_acceptance"] for exit_ in at]
        if at:
            series.append(
                Series(
                    name=way,
                    x=at,
                    y=[figure["value"] for figure in found],
                    low=[figure["low"] for figure in found],
                    high=[figure["high"] for figure in found],
                    evidence=evidence,
                )
            )
    return Plot(
        title="How often an exit guesses what full depth says",
        x=Axis(name="layers before the exit"),
        y=Axis(name="greedy acceptance"),
        series=series,
    )


def _losses(curve: Sequence[Mapping[str, float]], evidence: Evidence) -> list[Plot]:
    """The loss of every exit over the steps; nothing when none was taken."""
    thinned = _thinned(curve)
    if not thinned:
        return []
    lines = [
        Series(
            name=f"exit {name.removeprefix('loss_')}",
            x=[point["step"] for point in thinned],
            y=[point[name] for point in thinned],
            evidence=evidence,
        )
        for name in thinned[0]
        if name.startswith("loss_")
    ]
    loss = Axis(name="loss", unit="nats a position")
    return [Plot(title="Loss while training", x=Axis(name="step"), y=loss, series=lines)]


def _table(ways: Mapping[str, Mapping[str, Any]], depth: str) -> Table:
    return Table(
        title="Acceptance with one drafted token",
        columns=("exit", "way", "greedy", "sampled"),
        rows=[
            [
                f"{exit_} of {depth}",
                way,
                from_record(found["greedy_acceptance"]),
                from_record(found["sampled_acceptance"]),
            ]
            for exit_, told in ways.items()
            for way, found in told.items()
            if way in (FULL, SHELF, ADAPTER, DRAFT)
        ],
    )


def _thinned(curve: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
    """Means over equal stretches of the training, at most `_CURVE` of them."""
    size = -(-len(curve) // _CURVE) or 1
    stretches = [curve[i : i + size] for i in range(0, len(curve), size)]
    return [
        {
            name: steps[-1][name] if name == "step" else _mean([step[name] for step in steps])
            for name in steps[0]
        }
        for steps in stretches
    ]


def _mean(values: Sequence[float]) -> float:
    return float(f"{sum(values) / len(values):.5g}")


def markdown(found: Mapping[str, Any]) -> str:
    """`report.md`: the result for people."""
    depth = str(found["base"]["layers"])
    held, leaks = found["held_out"], found["leak_check"]
    rows = [
        f"| {exit_} of {depth} | {way} | {words(figures['greedy_acceptance'])} "
        f"| {words(figures['sampled_acceptance'])} |"
        for exit_, ways in found["acceptance"].items()
        for way, figures in ways.items()
        if way in (FULL, SHELF, ADAPTER, DRAFT)
    ]
    gains = [
        f"* exit {exit_}: {words(ways['gain in greedy acceptance'])}"
        for exit_, ways in found["acceptance"].items()
        if exit_ != depth
    ]
    return "\n".join(
        [
            f"# Exit adapters for {found['base']['model']}",
            "",
            f"Acceptance with one drafted token, on {held['prompts']} held-out prompts "
            f"({held['source']}) with the served model's own replies ({held['replies']}; "
            f"{held['positions']:,} positions, intervals by prompt). The float32",
            "model itself stands under the full depth: what it lacks to 1 is rounding, not exit.",
            "Sampled acceptance is the expected one at temperature 1. The draft vocabulary is the",
            "settings'.",
            "",
            "| exit | way | greedy | sampled |",
            "|---|---|---|---|",
            *rows,
            "",
            "Gain in greedy acceptance, paired by prompt:",
            "",
            *gains,
            "",
            "The served model's replies are the same with and without an adapter: the tail reads",
            f"the states before it. Empty replies: {words(held['empty_replies'])}, in every row;",
            "an empty reply's end counts as one position.",
            "",
            "## Learned from",
            "",
            f"{leaks['conversations_learned_from']:,} conversations, "
            f"{leaks['positions_learned_from']:,} positions at which the model answers. "
            f"{leaks['dialogues_repeating_held_out_text']:,} of {leaks['dialogues']:,} dialogues "
            "were left out because they repeat held-out text, and "
            f"{leaks['conversations_repeating_what_is_held_out']:,} conversations because they "
            f"repeat a held-out text or reply. Left after that: {leaks['left']}.",
            "",
            "## Loss",
            "",
            *_curve_table(found["curve"]),
            "",
            "## Replies the acceptance was measured on",
            "",
            *(f"* {text.strip()}" for text in found["samples"]),
            "",
        ]
    )


def _curve_table(curve: Sequence[Mapping[str, float]]) -> list[str]:
    if not curve:
        return ["No step was taken in this run."]
    names = list(curve[0])
    lines = [f"| {' | '.join(names)} |", "|---" * len(names) + "|"]
    return lines + [f"| {' | '.join(f'{point[n]:.4g}' for n in names)} |" for point in curve]
