"""Intervals against brute force, known values and simulated coverage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.evaluation.measurement.statistics import (
    cluster_bootstrap,
    mean_figure,
    median_figure,
    median_interval,
    medians,
    normal_interval,
    resamples,
)
from engine.events import Evidence


def _ratio(sums: np.ndarray) -> np.ndarray:
    return sums[:, :1] / sums[:, 1:2]


def _clusters(rng: np.random.Generator, count: int) -> np.ndarray:
    """Per cluster: successes and units; units of a cluster share their success rate."""
    units = rng.integers(5, 40, count)
    rates = rng.beta(4, 2, count)
    return np.column_stack([rng.binomial(units, rates), units])


def test_resamples_draw_whole_clusters_and_repeat_by_seed() -> None:
    draws = resamples(40, 500, seed=7)
    assert draws.shape == (500, 40)
    assert (draws.sum(axis=1) == 40).all()
    assert (draws == resamples(40, 500, seed=7)).all()
    assert (draws != resamples(40, 500, seed=8)).any()


def test_the_interval_equals_a_loop_over_resampled_clusters() -> None:
    table = _clusters(np.random.default_rng(1), 25)
    loop = []
    for draw in resamples(25, 300, seed=3):
        picked = np.repeat(table, draw, axis=0)
        loop.append(picked[:, 0].sum() / picked[:, 1].sum())
    (interval,) = cluster_bootstrap(table, _ratio, unit="prompts", count=300, seed=3)
    assert (interval.low, interval.high) == pytest.approx(tuple(np.percentile(loop, [2.5, 97.5])))
    assert "25 prompts, 300 resamples, seed 3" in interval.method


def test_arms_are_paired_within_a_resample() -> None:
    """Two arms that differ by a constant differ by it in every resample."""
    rng = np.random.default_rng(2)
    units = rng.integers(5, 40, 40)
    first = rng.random(40) * units
    table = np.column_stack([first, first + 0.1 * units, units])

    def difference(sums: np.ndarray) -> np.ndarray:
        return (sums[:, 1:2] - sums[:, :1]) / sums[:, 2:3]

    (interval,) = cluster_bootstrap(table, difference, unit="prompts")
    assert interval.low == pytest.approx(0.1)
    assert interval.high == pytest.approx(0.1)


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(4)
    truth, covered, trials = 4 / 6, 0, 400
    for trial in range(trials):
        table = _clusters(rng, 60)
        (interval,) = cluster_bootstrap(table, _ratio, unit="x", count=300, seed=trial)
        covered += interval.low <= truth <= interval.high
    # Binomial spread of 400 trials at 95 % is 1.1 points; percentile intervals run a bit short.
    assert 0.90 <= covered / trials <= 0.98


def test_units_of_a_cluster_are_not_taken_for_independent() -> None:
    """The same units, clustered: a bootstrap of single units would be far too sure."""
    rng = np.random.default_rng(5)
    answers = np.repeat(rng.integers(0, 2, 30), 20)  # 30 prompts whose 20 positions all agree
    single = np.column_stack([answers, np.ones_like(answers)])
    clustered = single.reshape(30, 20, 2).sum(axis=1)
    (wide,) = cluster_bootstrap(clustered, _ratio, unit="prompts")
    (narrow,) = cluster_bootstrap(single, _ratio, unit="positions")
    assert wide.high - wide.low > 3 * (narrow.high - narrow.low)


def test_an_undefined_statistic_and_a_single_cluster_are_refused() -> None:
    with pytest.raises(ValueError, match="undefined"), np.errstate(all="ignore"):
        cluster_bootstrap([[0, 0], [1, 1], [0, 0]], _ratio, unit="x")
    with pytest.raises(ValueError, match="at least two"):
        cluster_bootstrap([[1, 1]], _ratio, unit="x")


def test_the_normal_interval_is_the_textbooks_and_says_when_it_is_rough() -> None:
    interval = normal_interval([10.0, 12.0, 14.0])
    assert interval.high - 12.0 == pytest.approx(1.959964 * 2.0 / 3**0.5, rel=1e-6)
    assert 12.0 - interval.low == pytest.approx(interval.high - 12.0)
    assert "rough at n = 3" in interval.method
    assert "rough" not in normal_interval([1.0, 2.0] * 15).method
    with pytest.raises(ValueError, match="two samples"):
        normal_interval([1.0])


@pytest.mark.parametrize("count", [1, 2, 7, 12])
def test_medians_of_resamples_are_numpys(count: int) -> None:
    values = np.random.default_rng(count).normal(size=count)
    draws = resamples(count, 200) if count > 1 else np.full((3, 1), 2)
    loop = [np.median(np.repeat(values, draw)) for draw in draws]
    assert medians(values, draws) == pytest.approx(loop)


def test_a_medians_interval_widens_with_the_spread_and_says_when_it_is_rough() -> None:
    narrow, wide = (
        median_interval([10.0 + spread * n for n in range(-5, 6)], unit="rounds")
        for spread in (0.1, 1.0)
    )
    assert narrow.low < 10 < narrow.high
    assert wide.high - wide.low == pytest.approx(10 * (narrow.high - narrow.low))
    assert "11 rounds" in narrow.method
    assert "rough at n = 11" in narrow.method
    assert "rough" not in median_interval(list(range(40)), unit="rounds").method


@pytest.mark.parametrize("figure", [mean_figure, median_figure])
def test_figures_of_samples_have_an_interval_from_two_on_and_a_reason_at_none(figure: Any) -> None:
    def of(*values: float) -> Any:
        return figure(values, measure="ms", unit="trials", evidence=Evidence.MEASURED)

    assert (of(3.0).value, of(3.0).interval) == (3.0, None)
    assert of(1.0, 2.0, 6.0).value == (3.0 if figure is mean_figure else 2.0)
    assert of(1.0, 2.0, 6.0).interval is not None
    assert of().evidence is Evidence.UNAVAILABLE
    assert "no trials" in of().reason
