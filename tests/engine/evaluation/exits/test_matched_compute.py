from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.exits import matched_compute as matching
from engine.evaluation.exits.matched_compute import (
    DEPENDS,
    FIXED,
    NOT_BRACKETED,
    RECHOSEN,
    RESOLVED,
    UNRESOLVED,
    Curve,
)
from engine.events import Evidence
from engine.records.evidence import Figure, Interval


@st.composite
def curves(draw: st.DrawFn) -> Curve:
    """Counts of 2 to 6 prompts at 1 to 6 thresholds, as nested deep sets give them."""
    prompts, thresholds = draw(st.integers(2, 6)), draw(st.integers(1, 6))
    seed = draw(st.integers(0, 2**31))
    return made(np.random.default_rng(seed), prompts, thresholds)


def made(random: np.random.Generator, prompts: int, thresholds: int) -> Curve:
    agrees, deep = [], []
    limits = np.sort(random.random(thresholds))[:, None]
    for _ in range(prompts):
        positions = int(random.integers(1, 12))
        agrees.append(random.random(positions) < 0.4)
        deep.append(random.random(positions) < limits)
    return matching.curve(agrees, deep)


def brute(fraction: list[float], agreement: list[float], budget: float) -> float:
    """Between the nearest points on both sides, by the two-point form; NaN without both."""
    below = [p for p in zip(fraction, agreement, strict=True) if p[0] <= budget]
    above = [p for p in zip(fraction, agreement, strict=True) if p[0] >= budget]
    if not below or not above:
        return math.nan
    (x0, y0), (x1, y1) = max(below, key=lambda p: p[0]), min(above, key=lambda p: p[0])
    return y0 if x0 == x1 else y0 + (y1 - y0) * (budget - x0) / (x1 - x0)


@given(curves(), st.floats(0, 1))
def test_a_budget_is_interpolated_inside_the_measured_range_and_nowhere_else(
    curve: Curve, budget: float
) -> None:
    fraction, agreement = curve.points()
    value = matching.bracket(fraction, budget).value(agreement)[0]
    inside = fraction.min() <= budget <= fraction.max()
    assert np.isfinite(value) == inside
    if inside:
        assert agreement.min() - 1e-12 <= value <= agreement.max() + 1e-12
        assert value == pytest.approx(brute(fraction[0].tolist(), agreement[0].tolist(), budget))


@given(st.integers(0, 2**31), st.sampled_from(matching.BUDGETS))
def test_paired_differences_equal_a_brute_force_computation(seed: int, budget: float) -> None:
    random = np.random.default_rng(seed)
    prompts = 5
    first, second = made(random, prompts, 5), made(random, prompts, 5)
    drawn = matching.draws(prompts, 20, seed)
    one, other = (matching.matched(curve, budget, drawn) for curve in (first, second))
    difference = one.minus(other)
    for number, draw in enumerate(drawn):
        # Prompts as often as they were drawn, each with all of its positions.
        chosen = [p for p, times in enumerate(draw) for _ in range(times)]
        values = []
        for curve in (first, second):
            total = sum(int(curve.positions[p]) for p in chosen)
            deep = [sum(int(curve.deep[p, t]) for p in chosen) / total for t in range(5)]
            right = [sum(int(curve.right[p, t]) for p in chosen) / total for t in range(5)]
            values.append(brute(deep, right, budget))
        expected = values[0] - values[1]
        assert difference.rechosen[number] == pytest.approx(expected, nan_ok=True)


@given(st.integers(0, 2**31))
def test_the_fixed_bracket_keeps_thresholds_and_weights_of_the_whole_set(seed: int) -> None:
    curve = made(np.random.default_rng(seed), 4, 4)
    drawn = matching.draws(4, 10, seed)
    fraction, agreement = curve.points()
    budget = float((fraction[0, 1] + fraction[0, 2]) / 2)
    found = matching.matched(curve, budget, drawn)
    here = matching.bracket(fraction, budget)
    weight = here.weight[0]
    _, agreements = curve.points(drawn)
    expected = (1 - weight) * agreements[:, here.lower[0]] + weight * agreements[:, here.upper[0]]
    assert found.fixed == pytest.approx(expected)
    assert found.value == pytest.approx(brute(fraction[0].tolist(), agreement[0].tolist(), budget))


def test_the_seed_alone_decides_the_intervals() -> None:
    curve = made(np.random.default_rng(1), 12, 6)

    def intervals(seed: int) -> dict[str, object]:
        found = matching.matched(curve, 0.5, matching.draws(12, 200, seed))
        figures = matching.figures(found, prompts=12, why_not="", seed=seed)
        return {name: figure.interval for name, figure in figures.items()}

    assert intervals(20260923) == intervals(20260923)
    assert intervals(20260923) != intervals(20260924)


def test_positions_are_never_resampled() -> None:
    # Two prompts whose positions all agree or all differ: a resample of prompts can only give
    # the shares of their whole positions.
    agrees = [np.ones(3, bool), np.zeros(7, bool)]
    shallow = [np.zeros((1, 3), bool), np.zeros((1, 7), bool)]
    _, agreement = matching.curve(agrees, shallow).points(matching.draws(2, 200))
    assert set(np.round(agreement.ravel(), 6)) == {1.0, 0.3, 0.0}


def test_outside_the_measured_range_there_is_no_figure() -> None:
    curve = made(np.random.default_rng(2), 6, 4)
    low = float(curve.points()[0].min())
    found = matching.matched(curve, low / 2, matching.draws(6, 50))
    for figure in matching.figures(found, prompts=6, why_not=NOT_BRACKETED).values():
        assert figure.evidence is Evidence.UNAVAILABLE
        assert figure.value is None
        assert NOT_BRACKETED in figure.reason


def test_resamples_without_a_bracket_are_counted() -> None:
    # Deep all or nothing by prompt, as the dialogue act decides: some resamples draw one kind only.
    agrees = [np.zeros(5, bool) for _ in range(4)]
    deep = [np.array([[False] * 5, [number < 2] * 5]) for number in range(4)]
    found = matching.matched(matching.curve(agrees, deep), 0.25, matching.draws(4, 400))
    lost = int(np.isnan(found.rechosen).sum())
    assert lost > 0
    figures = matching.figures(found, prompts=4, why_not="")
    rechosen = figures[RECHOSEN].interval
    fixed = figures[FIXED].interval
    assert rechosen is not None
    assert fixed is not None
    assert f"{lost} resamples not bracketed" in rechosen.method
    assert "not bracketed" not in fixed.method


@pytest.mark.parametrize(
    ("rechosen", "fixed", "expected"),
    [
        ((0.1, 0.2), (0.05, 0.3), RESOLVED),
        ((-0.2, -0.1), (-0.3, -0.05), RESOLVED),
        ((-0.1, 0.2), (-0.2, 0.3), UNRESOLVED),
        ((0.1, 0.2), (-0.05, 0.3), DEPENDS),
    ],
)
def test_where_the_conventions_disagree_it_is_said(
    rechosen: tuple[float, float], fixed: tuple[float, float], expected: str
) -> None:
    def figure(low: float, high: float) -> Figure:
        interval = Interval(low=low, high=high, level=0.95, method="")
        return Figure(value=(low + high) / 2, evidence=Evidence.DERIVED, interval=interval)

    assert matching.resolution({RECHOSEN: figure(*rechosen), FIXED: figure(*fixed)}) == expected
    missing = Figure(value=None, evidence=Evidence.UNAVAILABLE, reason=NOT_BRACKETED)
    assert matching.resolution({RECHOSEN: missing, FIXED: missing}) == NOT_BRACKETED


@pytest.mark.parametrize("convention", [RECHOSEN, FIXED])
def test_intervals_cover_the_truth_as_often_as_they_say(convention: str) -> None:
    """Sets of 40 prompts from a known population: 95 % intervals hold its value in about 95 %.

    The population is one of prompts that differ in how easy they are, so that resampling
    positions instead of prompts would give intervals that are far too narrow.
    """
    random = np.random.default_rng(3)
    thresholds = np.linspace(0.1, 0.9, 9)

    def population(prompts: int) -> Curve:
        ease = random.beta(2, 2, prompts)
        agrees = [random.random(25) < e for e in ease]
        sure = [np.clip(a * 0.3 + random.random(25) * 0.7, 0, 1) for a in agrees]
        return matching.curve(agrees, [s < thresholds[:, None] for s in sure])

    everybody = population(20_000)
    truth = matching.matched(everybody, 0.5, np.ones((1, 20_000), np.int64)).value
    drawn = matching.draws(40, 300)
    sets = 200
    covered = 0
    for _ in range(sets):
        some = population(40)
        found = matching.matched(some, 0.5, drawn)
        if convention == FIXED:
            # Its interval is for the policy at these thresholds and weights, wherever these go.
            truth = float(matching.bracket(some.points()[0], 0.5).value(everybody.points()[1])[0])
        interval = matching.figures(found, prompts=40, why_not="")[convention].interval
        assert interval is not None
        covered += interval.low <= truth <= interval.high
    # Four standard errors of 200 draws below the nominal level; 100 % would be too wide.
    assert 0.89 <= covered / sets < 1.0
