"""Shares of yes or no: Wilson's interval, and the exact test against a fair coin."""

from __future__ import annotations

import math
from statistics import NormalDist

from engine.evaluation.measurement.statistics import LEVEL
from engine.records.evidence import Interval


def wilson_interval(successes: int, n: int, *, unit: str, level: float = LEVEL) -> Interval:
    """Score interval of a share (Wilson 1927), good at small `n` and near 0 and 1.

    `unit` names what was counted, for the method. `ValueError` unless 0 <= successes <= n, n > 0.
    """
    if not 0 <= successes <= n or n < 1:
        raise ValueError(f"{successes} of {n} is no share")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, spread = successes / n, z * z / n
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    return Interval(
        low=max(0.0, middle - half),
        high=min(1.0, middle + half),
        level=level,
        method=f"Wilson: {n} {unit}, taken as independent",
    )


def fair_coin_p(successes: int, n: int) -> float:
    """Two-sided exact binomial probability of a count at least as far from n / 2 as this one."""
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} is no share")
    tail = sum(math.comb(n, k) for k in range(min(successes, n - successes) + 1))
    return min(1.0, 2 * tail * 0.5**n)
