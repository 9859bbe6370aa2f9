"""The result of job acceptance: every figure by set, exit and way, the gains, the kill signal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.evaluation.exits import acceptance_figures as figures
from engine.evaluation.exits.exit_acceptance import (
    EVERY,
    MANY,
    ONE,
    SAMPLED,
    Request,
    Served,
    Shares,
)
from engine.evaluation.exits.exit_reading import SHELF, Way
from engine.events import Evidence
from engine.records.evidence import Figure
from engine.records.plots import Axis, Plot, Series, Table, shown
from engine.records.runs import ActiveRun

Found = Mapping[tuple[str, Way], Shares]


def keep(job: ActiveRun, name: str, way: Way, shares: Shares) -> None:
    """Write the raw values, one a prompt, to the run's metrics."""
    job.metric(set=name, exit_layer=way.exit_layer, way=way.name, **shares)


def result(
    evidence: Evidence,
    request: Request,
    served: Mapping[tuple[Path, str], Sequence[Served]],
    found: Found,
    facts: Mapping[Way, Mapping[str, Any]],
) -> dict[str, Any]:
    """Everything found, JSON-ready."""
    layers = {way: int(details["layers"]) for way, details in facts.items()}
    ways: dict[str, Any] = {}
    for (name, way), shares in found.items():
        place = ways.setdefault(name, {}).setdefault(f"exit {way.exit_layer}", {})
        place[way.name] = _way(shares, evidence)
        before = found.get((name, Way(SHELF, _base(found), way.exit_layer)))
        if way.name != SHELF and before is not None:
            place[f"gain of {way.name}"] = {
                measure: figures.gain(shares[measure], before[measure], evidence).record()
                for measure in (EVERY, ONE, MANY, SAMPLED)
            }
    signals = [
        _signal(name, way, shares, layers[way], evidence)
        for name, way, shares in _half(found, layers)
    ]
    return {
        "request": asdict(request),
        "models": {way.model.name: details["sha256"] for way, details in facts.items()},
        "exactness": {_label(way): details["exactness"] for way, details in facts.items()},
        "generations": {
            f"{model.name}, {name}": _generations(replies, evidence)
            for (model, name), replies in served.items()
        },
        "acceptance": ways,
        "kill_signal": {f"{s['set']}, {s['way']}": _recorded(s) for s in signals},
        **shown(_plots(found, evidence), _tables(found, evidence, request, signals)),
    }


def _base(found: Found) -> Path:
    return next(way.model for _, way in found if way.name == SHELF)


def _label(way: Way) -> str:
    return f"exit {way.exit_layer}, {way.name}"


def _way(shares: Shares, evidence: Evidence) -> dict[str, Any]:
    return {
        column: {
            "replies": figures.mean(values, evidence).record(),
            "conservative": figures.conservative(values, evidence).record(),
        }
        for column, values in shares.items()
    }


def _generations(replies: Sequence[Served], evidence: Evidence) -> dict[str, Any]:
    def count(value: int) -> dict[str, Any]:
        return Figure(value=value, evidence=evidence).record()

    return {
        "prompts": count(len(replies)),
        "positions": count(sum(len(one.greedy.tokens) for one in replies)),
        "empty_greedy": count(sum(one.greedy.empty for one in replies)),
        "empty_sampled": count(sum(one.sampled.empty for one in replies)),
    }


def _half(found: Found, layers: Mapping[Way, int]) -> list[tuple[str, Way, Shares]]:
    """What was measured at half the depth of its model."""
    return [
        (name, way, shares)
        for (name, way), shares in found.items()
        if way.exit_layer == layers[way] // 2
    ]


def _signal(name: str, way: Way, shares: Shares, layers: int, evidence: Evidence) -> dict[str, Any]:
    acceptance = figures.conservative(shares[ONE], evidence)
    least = figures.break_even(way.layers_read, layers)
    return {
        "set": name,
        "way": way.name,
        "exit_layer": way.exit_layer,
        "acceptance": acceptance,
        "break_even": least,
        "signal": figures.kill_signal(acceptance, least),
    }


def _recorded(signal: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v.record() if isinstance(v, Figure) else v for k, v in signal.items()}


def _plots(found: Found, evidence: Evidence) -> list[Plot]:
    plots = []
    for name in dict.fromkeys(name for name, _ in found):
        lines: dict[str, list[tuple[int, Figure]]] = {}
        for (of, way), shares in found.items():
            figure = figures.mean(shares[EVERY], evidence)
            if of == name and figure.interval is not None:
                lines.setdefault(way.name, []).append((way.exit_layer, figure))
        series = [_series(way, points) for way, points in lines.items()]
        plots.append(
            Plot(
                title=f"Greedy acceptance by exit layer, {name}",
                x=Axis(name="exit layer"),
                y=Axis(name="share of positions at which the exit says the served token"),
                series=series,
                kind="points",
            )
        )
    return plots


def _series(way: str, points: Sequence[tuple[int, Figure]]) -> Series:
    found = [(layer, f.value, f.interval) for layer, f in points]
    return Series(
        name=way,
        x=[layer for layer, _, _ in found],
        y=[value for _, value, _ in found if value is not None],
        low=[i.low for _, _, i in found if i is not None],
        high=[i.high for _, _, i in found if i is not None],
        evidence=points[0][1].evidence,
    )


def _tables(
    found: Found, evidence: Evidence, request: Request, signals: Sequence[dict[str, Any]]
) -> list[Table]:
    rows: list[tuple[str | int | Figure, ...]] = [
        (
            name,
            way.exit_layer,
            way.name,
            *(figures.mean(shares[column], evidence) for column in (EVERY, ONE)),
            figures.conservative(shares[ONE], evidence),
            *(figures.mean(shares[column], evidence) for column in (MANY, SAMPLED)),
        )
        for (name, way), shares in found.items()
    ]
    columns = (
        *("set", "exit layer", "way", "greedy, at every position", "greedy, 1 draft a round"),
        "the same, empty generations charged 0",
        f"greedy, {request.draft_tokens} drafts a round",
        f"sampled, temperature {request.sampling.temperature:g}",
    )
    killing = [
        (s["set"], s["way"], s["exit_layer"], s["acceptance"], s["break_even"], s["signal"])
        for s in signals
    ]
    return [
        Table(title="Acceptance", columns=columns, rows=rows),
        Table(
            title="Kill signal: is half the depth useless?",
            columns=("set", "way", "exit layer", "acceptance, 1 draft", "break-even", "signal"),
            rows=killing,
        ),
    ]
