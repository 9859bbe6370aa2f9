"""Exit policies compared at the same amount of deep computing: pure arithmetic (the seed's §6).

A policy's curve says, threshold by threshold, at which share of positions it goes deep and how
often it then says what full depth says. Between two measured points it is linear; outside the
measured range nothing is said. Prompts are what is resampled, positions never are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.evaluation.measurement.statistics import LEVEL, RESAMPLES, SEED, resamples
from engine.events import Evidence
from engine.records.evidence import Figure, Interval

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

BUDGETS = (0.25, 0.5, 0.75)
"""Shares of deep positions at which policies are compared."""

THRESHOLDS = tuple(n / 20 for n in range(1, 20))
"""0.05 to 0.95: a sweep whose ends are neither always shallow nor always deep by definition."""

RECHOSEN, FIXED = "bracket re-chosen in each resample", "fixed bracket"
"""Interval conventions: interpolate each resample's own curve, or keep the two thresholds and
their weights that bracket the budget on the whole set.

The first is an interval for the agreement at the budget. The second is one for the policy at those
thresholds, whose deep fraction moves with the prompts: as an interval at the budget it can be too
narrow or too wide."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Counts of each prompt at each threshold: int64 [prompts, thresholds], positions [prompts].

    `right` are the positions at which the policy says what full depth says; deep ones are.
    """

    deep: Counts
    right: Counts
    positions: Counts

    def points(self, draws: Counts | None = None) -> tuple[Floats, Floats]:
        """Deep fraction and agreement [n, thresholds], of the whole set or of each resample.

        `draws` says how often each prompt is drawn, int64 [n, prompts]. Positions weigh alike.
        """
        drawn = np.ones((1, len(self.positions)), np.int64) if draws is None else draws
        total = (drawn @ self.positions)[:, None]
        return drawn @ self.deep / total, drawn @ self.right / total


def curve(agrees: Sequence[NDArray[np.bool_]], deep: Sequence[NDArray[np.bool_]]) -> Curve:
    """A policy's curve.

    For each prompt, `agrees` [positions] says where the exit's token is full depth's, and `deep`
    [thresholds, positions] where the policy goes deep.
    """
    return Curve(
        deep=np.array([chosen.sum(axis=1) for chosen in deep], np.int64),
        right=np.array(
            [(chosen | same).sum(axis=1) for same, chosen in zip(agrees, deep, strict=True)],
            np.int64,
        ),
        positions=np.array([len(same) for same in agrees], np.int64),
    )


@dataclass(frozen=True, slots=True)
class Bracket:
    """Columns of the two measured points around a budget [n], and the upper one's weight [n].

    `valid` is False where the budget lies outside the measured range.
    """

    lower: NDArray[np.intp]
    upper: NDArray[np.intp]
    weight: Floats
    valid: NDArray[np.bool_]

    def value(self, agreement: Floats) -> Floats:
        """Agreement [n] between the points of `agreement` [n, thresholds]; NaN if not valid."""
        rows = np.arange(len(agreement))
        low, high = agreement[rows, self.lower], agreement[rows, self.upper]
        return np.where(self.valid, low + self.weight * (high - low), np.nan)


def bracket(fraction: Floats, budget: float) -> Bracket:
    """Where `budget` lies on each of the curves with deep fractions `fraction` [n, thresholds]."""
    order = np.argsort(fraction, axis=1, kind="stable")
    ordered = np.take_along_axis(fraction, order, axis=1)
    below = (ordered <= budget).sum(axis=1)
    rows, last = np.arange(len(fraction)), fraction.shape[1] - 1
    lower = np.maximum(below - 1, 0)
    exact = ordered[rows, lower] == budget
    upper = np.where(exact, lower, np.minimum(below, last))
    width = ordered[rows, upper] - ordered[rows, lower]
    reach = budget - ordered[rows, lower]
    weight = np.divide(reach, width, out=np.zeros(len(fraction)), where=width > 0)
    valid = exact | ((below > 0) & (below <= last))
    return Bracket(order[rows, lower], order[rows, upper], weight, valid)


@dataclass(frozen=True, slots=True)
class Matched:
    """A value at a budget: of the whole set, and of each resample under both conventions [n].

    NaN where the budget is not bracketed.
    """

    value: float
    rechosen: Floats
    fixed: Floats

    def minus(self, other: Matched) -> Matched:
        """The difference, within each resample: both must come from the same draws."""
        return Matched(
            self.value - other.value, self.rechosen - other.rechosen, self.fixed - other.fixed
        )


def draws(prompts: int, count: int = RESAMPLES, seed: int = SEED) -> Counts:
    """The resamples that everything compared shares."""
    return resamples(prompts, count, seed)


def matched(of: Curve, budget: float, drawn: Counts) -> Matched:
    """Agreement at `budget` on the whole set and on every resample."""
    fraction, agreement = of.points()
    here = bracket(fraction, budget)
    fractions, agreements = of.points(drawn)
    same = Bracket(*(np.repeat(part, len(drawn)) for part in _parts(here)))
    return Matched(
        float(here.value(agreement)[0]),
        bracket(fractions, budget).value(agreements),
        same.value(agreements),
    )


def _parts(of: Bracket) -> tuple[NDArray[np.generic], ...]:
    return of.lower, of.upper, of.weight, of.valid


def figures(found: Matched, *, prompts: int, why_not: str, seed: int = SEED) -> dict[str, Figure]:
    """The value with its interval under each convention; `why_not` where it is not bracketed."""
    if not np.isfinite(found.value):
        missing = Figure(value=None, evidence=Evidence.UNAVAILABLE, reason=why_not)
        return {RECHOSEN: missing, FIXED: missing}
    return {
        convention: Figure(
            value=found.value,
            evidence=Evidence.DERIVED,
            interval=_interval(values, convention, prompts, seed),
        )
        for convention, values in ((RECHOSEN, found.rechosen), (FIXED, found.fixed))
    }


def _interval(values: Floats, convention: str, prompts: int, seed: int) -> Interval | None:
    bracketed = values[np.isfinite(values)]
    if not len(bracketed):
        return None
    tail = (1 - LEVEL) / 2 * 100
    low, high = np.percentile(bracketed, [tail, 100 - tail])
    lost = len(values) - len(bracketed)
    left_out = f"; {lost} resamples not bracketed and left out" if lost else ""
    method = (
        f"percentile cluster bootstrap: {prompts} prompts, {len(values)} resamples, seed {seed}; "
        f"{convention}{left_out}"
    )
    return Interval(low=float(low), high=float(high), level=LEVEL, method=method)


RESOLVED, UNRESOLVED, DEPENDS = "resolved", "not resolved", "depends on the convention"
NOT_BRACKETED = "not bracketed"


def resolution(difference: dict[str, Figure]) -> str:
    """Whether a difference's sign is certain under both conventions, none, or one of them."""
    if any(figure.value is None for figure in difference.values()):
        return NOT_BRACKETED
    intervals = [figure.interval for figure in difference.values()]
    certain = {i is not None and (i.low > 0 or i.high < 0) for i in intervals}
    return DEPENDS if len(certain) > 1 else RESOLVED if certain == {True} else UNRESOLVED
