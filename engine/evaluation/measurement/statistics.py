"""Intervals: cluster bootstrap where units are not independent, normal approximation elsewhere.

Both conventions are the seed's (§6, §8, §10); every interval says which one it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist, mean, stdev
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.events import Evidence
from engine.records.evidence import Figure, Interval

RESAMPLES = 2000
SEED = 20260923
LEVEL = 0.95
ROUGH_BELOW = 30
"""Sample size under which the normal approximation is called rough."""


def resamples(clusters: int, count: int = RESAMPLES, seed: int = SEED) -> NDArray[np.int64]:
    """How often each cluster is drawn in each resample: int64 [count, clusters].

    Whole clusters are drawn with replacement, as many as there are. The same arguments give the
    same draws, so arms evaluated on one set of resamples give paired differences.
    """
    if clusters < 2:
        raise ValueError(f"a bootstrap needs at least two clusters, not {clusters}")
    draws = np.random.default_rng(seed).multinomial(
        clusters, np.full(clusters, 1 / clusters), size=count
    )
    return draws.astype(np.int64)


def cluster_bootstrap(
    totals: ArrayLike,
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    *,
    unit: str,
    count: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> list[Interval]:
    """Percentile intervals of statistics of summed per-cluster totals.

    `totals` is [clusters, k]: what each cluster adds to k sums. `statistic` maps sums [n, k] to
    values [n, m]; one interval for each of the m values comes back. Units inside a cluster are
    never resampled. `unit` names the clusters in the intervals' method. Raises `ValueError`
    when a statistic is undefined on a resample.
    """
    sums = np.asarray(totals, np.float64)
    draws = resamples(len(sums), count, seed)
    values = statistic(draws @ sums)
    if not np.isfinite(values).all():
        raise ValueError("the statistic is undefined on some resamples")
    tail = (1 - level) / 2 * 100
    low, high = np.percentile(values, [tail, 100 - tail], axis=0)
    method = f"percentile cluster bootstrap: {len(sums)} {unit}, {count} resamples, seed {seed}"
    return [
        Interval(low=float(a), high=float(b), level=level, method=method)
        for a, b in zip(np.atleast_1d(low), np.atleast_1d(high), strict=True)
    ]


def normal_interval(samples: Sequence[float], level: float = LEVEL) -> Interval:
    """Interval of a mean by the normal approximation, 1.96 * s / sqrt(n) at 95 %.

    Called rough under 30 samples, as the seed asks; two samples at least (`ValueError`).
    """
    n = len(samples)
    if n < 2:
        raise ValueError("an interval needs at least two samples")
    half = NormalDist().inv_cdf((1 + level) / 2) * stdev(samples) / math.sqrt(n)
    rough = f"; rough at n = {n}" if n < ROUGH_BELOW else f", n = {n}"
    middle = mean(samples)
    return Interval(
        low=middle - half, high=middle + half, level=level, method=f"normal approximation{rough}"
    )


def medians(values: NDArray[np.float64], draws: NDArray[Any]) -> NDArray[np.float64]:
    """The median of `values` [k], each taken as often as a row of `draws` [n, k] says: [n]."""
    order = np.argsort(values)
    taken = np.asarray(draws)[:, order].cumsum(axis=1)
    total = taken[:, -1]
    middle = [
        values[order][(taken < place[:, None] - 0.5).sum(axis=1)]
        for place in ((total + 1) // 2, total // 2 + 1)
    ]
    found: NDArray[np.float64] = (middle[0] + middle[1]) / 2
    return found


def median_interval(values: Sequence[float], *, unit: str, seed: int = SEED) -> Interval:
    """Percentile bootstrap of the median of independent `values`, which `unit` names.

    Two values at least (`ValueError`); under 30 the method says that it is rough.
    """
    each = np.asarray(values, np.float64)
    (found,) = cluster_bootstrap(
        np.eye(len(each)), lambda draws: medians(each, draws)[:, None], unit=unit, seed=seed
    )
    rough = f"; rough at n = {len(each)}" if len(each) < ROUGH_BELOW else ""
    return Interval(
        low=found.low, high=found.high, level=found.level, method=f"median, {found.method}{rough}"
    )


def median_figure(
    values: Sequence[float], *, measure: str, unit: str, evidence: Evidence
) -> Figure:
    """The median of `values` in `measure` (ms, tokens/s), its interval if there are two or more.

    Without a value the figure is unavailable and says so.
    """
    if not len(values):
        reason = f"there were no {unit} to measure"
        return Figure(value=None, unit=measure, evidence=Evidence.UNAVAILABLE, reason=reason)
    interval = median_interval(values, unit=unit) if len(values) > 1 else None
    middle = float(np.median(values))
    return Figure(value=middle, unit=measure, evidence=evidence, interval=interval)


def mean_figure(values: Sequence[float], *, measure: str, unit: str, evidence: Evidence) -> Figure:
    """The same of the mean, its interval by the normal approximation."""
    if not len(values):
        reason = f"there were no {unit} to measure"
        return Figure(value=None, unit=measure, evidence=Evidence.UNAVAILABLE, reason=reason)
    interval = normal_interval(values) if len(values) > 1 else None
    return Figure(value=mean(values), unit=measure, evidence=evidence, interval=interval)
