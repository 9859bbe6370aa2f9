"""Job turn-end: how often a person is cut off, and how long the answer waits.

Three ways to decide that a turn is over, on the same pauses of recorded meetings: speech
detection alone, smart-turn's own output, and the head, which is fitted anew without each
meeting before it judges it. `turn_policy` says what is counted. A policy is chosen on the data
it is told for, as the published figures were; `chosen_on_other_meetings` is what remains when
it may not be.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.evaluation.measurement.calibration import calibration
from engine.evaluation.measurement.statistics import cluster_bootstrap
from engine.evaluation.turns import turn_pictures, turn_policy
from engine.evaluation.turns.turn_policy import GRID_S, POINTS, Spans, Sweep
from engine.events import Evidence
from engine.records.evidence import Figure, Interval, words
from engine.records.plots import shown
from engine.records.runs import ActiveRun
from engine.training.classifiers.turn_end import Material, chosen_head, gather
from engine.trigger.commit import RULES

SPEECH, SMART_TURN, OURS = "speech detection alone", "smart-turn", "ours"

PUBLISHED = {
    "smart-turn v3.2": (0.352, 1051.0),
    "LiveKit v1-mini": (0.278, 1070.0),
    SPEECH: (0.556, 1600.0),
}
"""livekit/eot-bench, English: cut-offs at 300 ms, delay at 5 %. Other people, one at a time,
talking to an assistant, so the figures cannot be compared with those of meetings."""


def run(
    job: ActiveRun, *, data: Path | None, recordings: Path | None, turns: int, seed: int
) -> dict[str, Any]:
    """Measure all three on the recordings; generated speech only trains."""
    material = gather(job, data, recordings, turns, seed)
    job.phase("Fitting without each meeting", 0.9)
    result = compare(job, material, head_estimates(material))
    result["sources"] = material.sources
    result["published"] = {
        who: {
            "cut_offs_at_300_ms": Figure(value=share, evidence=Evidence.PUBLISHED).record(),
            "delay_at_5_percent_ms": Figure(
                value=delay, unit="ms", evidence=Evidence.PUBLISHED
            ).record(),
        }
        for who, (share, delay) in PUBLISHED.items()
    }
    _say(job, result)
    return result


def head_estimates(material: Material) -> NDArray[np.float64]:
    """P(turn end) of each recorded pause at each of `GRID_S`, by a head without its meeting."""
    heads = {name: chosen_head(material.without(name)) for name in material.meetings}
    return np.array(
        [
            [heads[pause.group].p_end(pause.cues, float(at)) for at in GRID_S]
            for pause in material.recorded
        ]
    )


def compare(job: ActiveRun, material: Material, ours: NDArray[np.float64]) -> dict[str, Any]:
    """Operating points, differences, curves and calibration from the estimates of the head."""
    recorded = material.recorded
    spans = Spans(
        groups=turn_policy.numbered([pause.group for pause in recorded]),
        ends_turn=np.array([pause.ends_turn for pause in recorded]),
        silence_s=np.array([pause.silence_s for pause in recorded]),
    )
    raw = np.array([pause.cues.p_complete for pause in recorded])
    sweeps = {
        SPEECH: turn_policy.silence_alone(spans),
        SMART_TURN: turn_policy.sweep(spans, np.repeat(raw[:, None], len(GRID_S), axis=1)),
        OURS: turn_policy.sweep(spans, ours),
    }
    sizes = spans.sizes
    holds, ends = (int(number) for number in sizes.sum(axis=0))
    result: dict[str, Any] = {
        "definition": "a pause heard by speech detection is a hold when its speaker goes on "
        "within 3 s, else a turn end; cut-offs and delays as livekit/eot-bench defines them",
        "counts": {"meetings": len(sizes), "holds": holds, "turn_ends": ends},
        **_points(job, sweeps, sizes),
        "chosen_on_other_meetings": {
            who: _transferred(job, found, sizes) for who, found in sweeps.items()
        },
        "curves": {who: turn_policy.frontier(found, sizes) for who, found in sweeps.items()},
        "rules": _rules(job, spans, ours),
        "calibration": {
            SMART_TURN: calibration(raw, spans.ends_turn, job.evidence),
            OURS: calibration(ours[:, 0], spans.ends_turn, job.evidence),
        },
    }
    calibrated = result["calibration"]
    plots = [
        turn_pictures.cut_offs_by_delay(sweeps, sizes, job.evidence),
        turn_pictures.reliability(calibrated, job.evidence),
    ]
    tables = [
        turn_pictures.points(result),
        turn_pictures.settings(result),
        turn_pictures.calibrations(calibrated),
    ]
    return {**result, **shown(plots, tables)}


def _points(job: ActiveRun, sweeps: dict[str, Sweep], sizes: NDArray[np.float64]) -> dict[str, Any]:
    """Operating points of each arm and ours minus each other, on one set of resamples."""
    job.phase("Resampling meetings", 0.95)
    parts = [np.hstack([found.cuts, found.delays]) for found in sweeps.values()]
    edges = np.cumsum([2, *(part.shape[1] for part in parts)])

    def statistic(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        found = []
        for low, high in pairwise(edges):
            middle = (low + high) // 2
            found.append(
                turn_policy.operating_points(sums[:, low:middle], sums[:, middle:high], sums[:, :2])
            )
        with np.errstate(invalid="ignore"):  # what no policy reaches has no difference either
            return np.hstack([*found, found[2] - found[0], found[2] - found[1]])

    totals = np.hstack([sizes, *parts])
    values = statistic(totals.sum(axis=0, keepdims=True))[0]
    intervals: list[Interval | None] = [None] * len(values)
    with suppress(ValueError):  # so few pauses that a resample lacks a kind: no interval
        intervals = list(cluster_bootstrap(totals, statistic, unit="meetings"))
    figures = [
        _figure(job, float(value), "ms" if name.startswith("delay") else "", interval)
        for value, interval, name in zip(values, intervals, POINTS * 5, strict=True)
    ]
    blocks = [
        dict(zip(POINTS, figures[at : at + len(POINTS)], strict=True))
        for at in range(0, len(figures), len(POINTS))
    ]
    return {
        "points": dict(zip(sweeps, blocks[:3], strict=True)),
        "ours_minus": {SPEECH: blocks[3], SMART_TURN: blocks[4]},
    }


def _figure(job: ActiveRun, value: float, unit: str, interval: Interval | None) -> dict[str, Any]:
    if not np.isfinite(value):
        return Figure(
            value=None, evidence=Evidence.UNAVAILABLE, reason="no policy of the sweep reaches it"
        ).record()
    return Figure(value=value, unit=unit, evidence=job.evidence, interval=interval).record()


def _transferred(job: ActiveRun, found: Sweep, sizes: NDArray[np.float64]) -> dict[str, Any]:
    told = {}
    for budget in turn_policy.BUDGETS_CUT:
        rate, delay = turn_policy.transferred(found, sizes, budget)
        told[f"meant_for_{budget * 100:.0f}_percent"] = {
            "cut_offs": Figure(value=rate, evidence=job.evidence).record(),
            "delay": Figure(value=delay, unit="ms", evidence=job.evidence).record(),
        }
    return told


def _rules(job: ActiveRun, spans: Spans, ours: NDArray[np.float64]) -> dict[str, Any]:
    """What each setting of the product's commit rule does to the same pauses."""
    told = {}
    for name, rule in RULES.items():
        fire_s = np.array(
            [
                rule.commit_ms(lambda s, known=row: float(np.interp(s, GRID_S, known))) / 1000  # type: ignore[misc]
                for row in ours
            ]
        )
        cuts, delays = turn_policy.tally(spans, fire_s[:, None])
        sizes = turn_policy.sums(spans.sizes)
        rate, delay = turn_policy.rates(cuts.sum(axis=0)[None], delays.sum(axis=0)[None], sizes)
        told[name] = {
            "cut_offs": Figure(value=float(rate[0, 0]), evidence=job.evidence).record(),
            "delay": Figure(
                value=1000 * float(delay[0, 0]), unit="ms", evidence=job.evidence
            ).record(),
        }
    return told


def _say(job: ActiveRun, result: dict[str, Any]) -> None:
    for who, points in result["points"].items():
        for name, figure in points.items():
            job.note(f"{who}, {name.replace('_', ' ')}: {words(figure)}")
    for who, points in result["ours_minus"].items():
        for name, figure in points.items():
            job.note(f"ours minus {who}, {name.replace('_', ' ')}: {words(figure)}")
    for name, told in result["rules"].items():
        job.note(f"{name}: cut-offs {words(told['cut_offs'])}, delay {words(told['delay'])}")
    job.metric(
        **{
            f"{who} {name}": figure["value"]
            for who, points in result["points"].items()
            for name, figure in points.items()
        }
    )
