"""What acceptance is reported as: means over replies, empties charged, and the kill signal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.evaluation.measurement.statistics import cluster_bootstrap
from engine.events import Evidence
from engine.records.evidence import Figure

Shares = Sequence[float | None]
"""One value a prompt; None where the generation was empty, so that nothing was drafted."""

FIRES, QUIET, OPEN = "fires", "does not fire", "not resolved"


def mean(values: Shares, evidence: Evidence) -> Figure:
    """Mean over the replies that are not empty, as the seed's benchmark averages."""
    table = np.array([(v or 0.0, v is not None) for v in values], np.float64)
    return _figure(table, evidence)


def conservative(values: Shares, evidence: Evidence) -> Figure:
    """Mean over all prompts, an empty generation charged as acceptance 0 (the seed's §4)."""
    table = np.array([(v or 0.0, 1.0) for v in values], np.float64)
    return _figure(table, evidence)


def gain(values: Shares, before: Shares, evidence: Evidence) -> Figure:
    """Mean difference, paired by prompt, over the prompts where both have a value."""
    pairs = zip(values, before, strict=True)
    table = [(0.0, 0.0) if a is None or b is None else (a - b, 1.0) for a, b in pairs]
    return _figure(np.array(table, np.float64), evidence)


def _figure(table: NDArray[np.float64], evidence: Evidence) -> Figure:
    """First column's sum over the second's, with its interval by prompt."""
    counted = int(table[:, 1].sum())
    if counted < 2:
        return Figure(
            value=None,
            evidence=Evidence.UNAVAILABLE,
            reason=f"{counted} of {len(table)} generations are not empty",
        )
    # A resample of empty generations alone has no mean: where one may come up, no interval.
    certain = (1 - counted / len(table)) ** len(table) < 1e-9
    interval = None
    if certain:
        (interval,) = cluster_bootstrap(table, lambda s: s[:, :1] / s[:, 1:], unit="prompts")
    value = float(table[:, 0].sum() / counted)
    return Figure(value=value, evidence=evidence, interval=interval)


def break_even(layers_read: int, layers: int) -> Figure:
    """The acceptance from which drafting saves anything, if a pass costs what it reads.

    A round of d drafts reads d times the layers below the exit and all layers once, and serves
    one token and the drafts it keeps: acceptance must exceed the share of layers read.
    """
    return Figure(value=layers_read / layers, evidence=Evidence.DERIVED)


def kill_signal(found: Figure, least: Figure) -> str:
    """Whether an exit is useless: its acceptance surely under the break-even, surely not, open."""
    if found.value is None or least.value is None:
        return OPEN
    low = found.interval.low if found.interval else found.value
    high = found.interval.high if found.interval else found.value
    return FIRES if high < least.value else QUIET if low > least.value else OPEN
