"""False cut-offs against delay: commit policies swept as livekit/eot-bench defines them.

A policy has three numbers: commit when p_end reaches a `threshold`, but not before a `wait` of
silence; commit anyway when the silence reaches `longest`. Estimates are looked at every 0.1 s.
The false cut-off rate is the share of holds (0.2 to 5 s long) that a policy commits in. The
delay is the mean silence before the commit at turn ends, which count as going on for as long as
it takes: dead air, not computing time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

GRID_S = np.round(np.arange(0.1, 3.51, 0.1), 2)
"""Silences at which estimates are looked at."""
THRESHOLDS = np.round(np.arange(0, 1.0001, 0.005), 3)
WAITS_S = np.round(np.arange(0.2, 1.01, 0.1), 2)
LONGEST_S = np.round(np.arange(1.0, 3.51, 0.5), 2)
SHORTEST_HOLD_S, LONGEST_HOLD_S = 0.2, 5.0
BUDGETS_S = (0.3, 0.6, 1.0)
BUDGETS_CUT = (0.05, 0.10)
POINTS = (
    *(f"cut_offs_at_{budget * 1000:.0f}_ms" for budget in BUDGETS_S),
    *(f"delay_at_{budget * 100:.0f}_percent_ms" for budget in BUDGETS_CUT),
)
"""What the columns of `operating_points` are."""

_EPS = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Spans:
    """Pauses by meeting; `groups` are numbers from 0, one for each pause as all arrays are."""

    groups: NDArray[np.intp]
    ends_turn: NDArray[np.bool_]
    silence_s: NDArray[np.float64]

    @property
    def counted(self) -> NDArray[np.bool_]:
        """Turn ends, and the holds of a countable length."""
        fits = (self.silence_s >= SHORTEST_HOLD_S - _EPS) & (
            self.silence_s <= LONGEST_HOLD_S + _EPS
        )
        return self.ends_turn | fits

    @property
    def sizes(self) -> NDArray[np.float64]:
        """Holds and turn ends of each group: [groups, 2]."""
        kinds = np.column_stack([~self.ends_turn, self.ends_turn]) & self.counted[:, None]
        return by_group(self, kinds.astype(np.float64))


@dataclass(frozen=True, slots=True)
class Sweep:
    """Policies [p, 3] (threshold, wait, longest) and, by group, their cut-offs and delays [g, p].

    Delays are sums of seconds over a group's turn ends.
    """

    policies: NDArray[np.float64]
    cuts: NDArray[np.float64]
    delays: NDArray[np.float64]


def by_group(spans: Spans, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums of `values` [pauses, k] over each group: [groups, k]."""
    sums = np.zeros((int(spans.groups.max()) + 1, values.shape[1]))
    np.add.at(sums, spans.groups, values)
    return sums


def tally(
    spans: Spans, fire_s: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Cut-offs and summed delays by group [g, p] when policies commit after `fire_s` [n, p]."""
    counted = spans.counted[:, None]
    over = spans.ends_turn[:, None]
    cut = counted & ~over & (spans.silence_s[:, None] > fire_s + _EPS)
    return by_group(spans, cut.astype(np.float64)), by_group(spans, np.where(over, fire_s, 0.0))


def silence_alone(spans: Spans) -> Sweep:
    """Speech detection alone: commit after a fixed silence."""
    fixed = np.unique(np.concatenate([GRID_S[1:], LONGEST_S]))
    fire_s = np.broadcast_to(fixed, (len(spans.groups), len(fixed)))
    policies = np.column_stack([np.full(len(fixed), np.inf), fixed, fixed])
    return Sweep(policies, *tally(spans, fire_s))


def sweep(spans: Spans, p_end: NDArray[np.float64]) -> Sweep:
    """All policies on estimates [n, len(GRID_S)], those that can never be best left out."""
    policies, fires = [], []
    for threshold in THRESHOLDS:
        reached = p_end >= threshold
        for wait in WAITS_S:
            allowed = reached & (wait - _EPS <= GRID_S)
            first = np.where(allowed.any(axis=1), GRID_S[allowed.argmax(axis=1)], np.inf)
            for longest in LONGEST_S:
                policies.append((threshold, wait, longest))
                fires.append(np.minimum(first, longest))
    return undominated(Sweep(np.array(policies), *tally(spans, np.column_stack(fires))))


def undominated(all_of: Sweep) -> Sweep:
    """Without policies that another equals or betters in every group's cut-offs and delay.

    In no resample of groups could one of those be the only best.
    """
    cost = np.vstack([all_of.cuts, all_of.delays]).round(9)
    _, kept = np.unique(cost, axis=1, return_index=True)
    order = kept[np.argsort(cost[:, kept].sum(axis=0), kind="stable")]
    best: list[int] = []
    for index in order:
        if not best or not (cost[:, best] <= cost[:, [index]]).all(axis=0).any():
            best.append(int(index))
    return Sweep(all_of.policies[best], all_of.cuts[:, best], all_of.delays[:, best])


def rates(
    cuts: NDArray[np.float64], delays: NDArray[np.float64], sizes: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Cut-off rates and mean delays [n, p] from sums [n, p] and numbers of both kinds [n, 2]."""
    with np.errstate(divide="ignore", invalid="ignore"):  # a resample may lack a kind
        return cuts / sizes[:, :1], delays / sizes[:, 1:]


def operating_points(
    cuts: NDArray[np.float64], delays: NDArray[np.float64], sizes: NDArray[np.float64]
) -> NDArray[np.float64]:
    """`POINTS` [n, 5]: least cut-off rate within a delay, least delay within a rate."""
    rate, delay = rates(cuts, delays, sizes)
    columns = [np.where(delay <= b + _EPS, rate, np.inf).min(axis=1) for b in BUDGETS_S]
    columns += [1000 * np.where(rate <= b + _EPS, delay, np.inf).min(axis=1) for b in BUDGETS_CUT]
    return np.column_stack(columns)


def frontier(found: Sweep, sizes: NDArray[np.float64]) -> list[dict[str, float | None]]:
    """The best policies over all groups, by delay: the curve to draw."""
    rate, delay = rates(found.cuts.sum(axis=0)[None], found.delays.sum(axis=0)[None], sums(sizes))
    curve: list[dict[str, float | None]] = []
    lowest = np.inf
    for index in np.lexsort((rate[0], delay[0])):
        if rate[0, index] < lowest - _EPS:
            lowest = rate[0, index]
            threshold, wait, longest = (float(value) for value in found.policies[index])
            curve.append(
                {
                    "delay_ms": round(float(delay[0, index]) * 1000, 1),
                    "cut_offs": round(float(lowest), 4),
                    "threshold": threshold if np.isfinite(threshold) else None,
                    "wait_ms": round(wait * 1000),
                    "longest_ms": round(longest * 1000),
                }
            )
    return curve


def transferred(found: Sweep, sizes: NDArray[np.float64], budget: float) -> tuple[float, float]:
    """Cut-off rate and delay (ms) of policies chosen for a cut-off budget on the other groups."""
    cut = delay = 0.0
    for group in range(len(sizes)):
        others = np.arange(len(sizes)) != group
        rate, wait = rates(
            found.cuts[others].sum(axis=0)[None],
            found.delays[others].sum(axis=0)[None],
            sums(sizes[others]),
        )
        best = int(np.where(rate[0] <= budget + _EPS, wait[0], np.inf).argmin())
        cut += found.cuts[group, best]
        delay += found.delays[group, best]
    holds, ends = sizes.sum(axis=0)
    return float(cut / holds), float(1000 * delay / ends)


def sums(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Numbers of both kinds over all groups, as [1, 2]."""
    both: NDArray[np.float64] = sizes.sum(axis=0, keepdims=True)
    return both


def numbered(names: Sequence[str]) -> NDArray[np.intp]:
    """Groups as numbers, in the order of their sorted names."""
    order = {name: number for number, name in enumerate(sorted(set(names)))}
    return np.array([order[name] for name in names], np.intp)
