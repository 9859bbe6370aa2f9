"""The result of job policies: curves, matched compute under both conventions, differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.evaluation.exits import matched_compute as matching
from engine.evaluation.exits.exit_reading import SHELF, Way
from engine.evaluation.exits.matched_compute import (
    BUDGETS,
    FIXED,
    NOT_BRACKETED,
    RECHOSEN,
    THRESHOLDS,
    Curve,
    Matched,
)
from engine.evaluation.exits.policy_reading import ACT, CONFIDENCE, Read, by_act, by_confidence
from engine.evaluation.measurement.statistics import cluster_bootstrap
from engine.events import Evidence
from engine.records.evidence import Figure
from engine.records.plots import Axis, Plot, Series, Table, shown


def result(
    evidence: Evidence,
    found: Mapping[Way, Sequence[Read]],
    p_deep: Sequence[float],
    facts: Mapping[str, Any],
) -> dict[str, Any]:
    """Everything compared, JSON-ready; intervals by prompt."""
    curves = {
        f"{policy}, {way.name}": made
        for way, reads in found.items()
        for policy, made in ((CONFIDENCE, by_confidence(reads)), (ACT, by_act(reads, p_deep)))
    }
    drawn = matching.draws(len(p_deep))
    at = {
        (name, budget): matching.matched(curve, budget, drawn)
        for name, curve in curves.items()
        for budget in BUDGETS
    }
    shallow = {way.name: _always_shallow(reads, evidence) for way, reads in found.items()}
    compared = [
        (f"{first} minus {second}", budget, at[first, budget].minus(at[second, budget]))
        for first, second in _pairs(found)
        for budget in BUDGETS
    ]
    prompts = len(p_deep)
    matched_rows = [(name, b, _why_not(curves[name]), m) for (name, b), m in at.items()]
    difference_rows = [(name, b, NOT_BRACKETED, m) for name, b, m in compared]
    return {
        **facts,
        "always_shallow": {name: figure.record() for name, figure in shallow.items()},
        "always_deep": Figure(value=1.0, evidence=Evidence.DERIVED).record(),
        "curves": {name: _curve(curve, evidence) for name, curve in curves.items()},
        "matched": {_title(row): _record(row, prompts) for row in matched_rows},
        "differences": {
            _title(row): _record(row, prompts) | _certainty(row[3], prompts)
            for row in difference_rows
        },
        **shown(
            [_plot(curves, evidence)],
            [
                _references(shallow),
                _matched_table(matched_rows, prompts),
                _difference_table(difference_rows, prompts),
            ],
        ),
    }


Row = tuple[str, float, str, Matched]


def _pairs(found: Mapping[Way, Sequence[Read]]) -> list[tuple[str, str]]:
    """What is compared: the two policies within a way, and token confidence between ways."""
    names = [way.name for way in found]
    policies = [(f"{CONFIDENCE}, {name}", f"{ACT}, {name}") for name in names]
    trained = [
        (f"{CONFIDENCE}, {name}", f"{CONFIDENCE}, {SHELF}") for name in names if name != SHELF
    ]
    return [*policies, *trained]


def _title(row: Row) -> str:
    return f"{row[0]}, {row[1]:.0%} deep"


def _always_shallow(reads: Sequence[Read], evidence: Evidence) -> Figure:
    totals = np.array([(one.agrees.sum(), len(one.agrees)) for one in reads], np.float64)
    (interval,) = cluster_bootstrap(totals, lambda s: s[:, :1] / s[:, 1:], unit="prompts")
    value = float(totals[:, 0].sum() / totals[:, 1].sum())
    return Figure(value=value, evidence=evidence, interval=interval)


def _why_not(of: Curve) -> str:
    fraction = of.points()[0]
    return f"{NOT_BRACKETED}: measured from {fraction.min():.3f} to {fraction.max():.3f} deep"


def _figures(row: Row, prompts: int) -> dict[str, Figure]:
    return matching.figures(row[3], prompts=prompts, why_not=row[2])


def _record(row: Row, prompts: int) -> dict[str, Any]:
    return {name: figure.record() for name, figure in _figures(row, prompts).items()}


def _certainty(difference: Matched, prompts: int) -> dict[str, Any]:
    """Whether the sign is certain, and the share of resamples in which it is positive."""
    figures = matching.figures(difference, prompts=prompts, why_not=NOT_BRACKETED)
    found: dict[str, Any] = {"sign": matching.resolution(figures)}
    for name, values in ((RECHOSEN, difference.rechosen), (FIXED, difference.fixed)):
        bracketed = values[np.isfinite(values)]
        if len(bracketed):
            share = Figure(value=float((bracketed > 0).mean()), evidence=Evidence.DERIVED)
            found[f"share of resamples above 0, {name}"] = share.record()
    return found


def _curve(of: Curve, evidence: Evidence) -> dict[str, Any]:
    fraction, agreement = of.points()
    return {
        "thresholds": list(THRESHOLDS),
        "deep_fraction": fraction[0].tolist(),
        "agreement": agreement[0].tolist(),
        "evidence": evidence.value,
    }


def _plot(curves: Mapping[str, Curve], evidence: Evidence) -> Plot:
    series = []
    for name, curve in curves.items():
        fraction, agreement = (values[0] for values in curve.points())
        order = np.argsort(fraction, kind="stable")
        series.append(Series(name=name, x=fraction[order], y=agreement[order], evidence=evidence))
    return Plot(
        title="Agreement with full depth against deep compute",
        x=Axis(name="share of positions computed deeply"),
        y=Axis(name="share of positions that say what full depth says"),
        series=series,
    )


def _references(shallow: Mapping[str, Figure]) -> Table:
    rows: list[tuple[str, Figure]] = [
        (f"always shallow, {name}", figure) for name, figure in shallow.items()
    ]
    always = Figure(value=1.0, evidence=Evidence.DERIVED)
    return Table(
        title="References",
        columns=("policy", "agreement"),
        rows=[*rows, ("always deep, by definition", always)],
    )


def _matched_table(rows: Sequence[Row], prompts: int) -> Table:
    return Table(
        title="Agreement at matched compute",
        columns=("policy", "deep, %", RECHOSEN, FIXED),
        rows=[(row[0], round(row[1] * 100), *_figures(row, prompts).values()) for row in rows],
    )


def _difference_table(rows: Sequence[Row], prompts: int) -> Table:
    found: list[tuple[str | Figure, ...]] = []
    for row in rows:
        figures = _figures(row, prompts)
        found.append((_title(row), *figures.values(), matching.resolution(figures)))
    return Table(
        title="Paired differences in agreement",
        columns=("difference", RECHOSEN, FIXED, "sign"),
        rows=found,
    )
