"""Plots and tables of the jobs about the end of turns."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.evaluation.measurement.statistics import cluster_bootstrap
from engine.evaluation.turns import turn_policy
from engine.evaluation.turns.turn_policy import Sweep
from engine.events import Evidence
from engine.records.evidence import from_record
from engine.records.plots import Axis, Plot, Series, Table

_DELAYS_S = np.round(np.arange(0.1, 1.61, 0.1), 1)


def reliability(found: Mapping[str, Mapping[str, Any]], evidence: Evidence) -> Plot:
    """What share came true of what was given a probability; `found` as `calibration` gives it."""
    lines = [
        Series(
            name=who,
            x=[row["mean"] for row in told["reliability"]],
            y=[row["share"] for row in told["reliability"]],
            evidence=evidence,
        )
        for who, told in found.items()
    ]
    ideal = Series(name="as it should be", x=[0.0, 1.0], y=[0.0, 1.0], evidence=Evidence.DERIVED)
    return Plot(
        title="Do probabilities of a turn end mean what they say?",
        x=Axis(name="probability given"),
        y=Axis(name="share that ended the turn"),
        series=[*lines, ideal],
    )


def calibrations(found: Mapping[str, Mapping[str, Any]]) -> Table:
    """Brier score, log loss and ECE of each estimate."""
    names = ("brier", "base_rate_brier", "log_loss", "ece")
    return Table(
        title="Calibration",
        columns=("estimate", *(name.replace("_", " ") for name in names)),
        rows=[[who, *(from_record(told[name]) for name in names)] for who, told in found.items()],
    )


def cut_offs_by_delay(
    sweeps: Mapping[str, Sweep], sizes: NDArray[np.float64], evidence: Evidence
) -> Plot:
    """The least share of cut-offs that is possible within each mean delay, bands by meeting."""
    return Plot(
        title="False cut-offs against delay",
        x=Axis(name="mean delay of the answer", unit="ms"),
        y=Axis(name="share of pauses cut off"),
        series=[_curve(who, found, sizes, evidence) for who, found in sweeps.items()],
    )


def _curve(who: str, found: Sweep, sizes: NDArray[np.float64], evidence: Evidence) -> Series:
    totals = np.hstack([sizes, found.cuts, found.delays])
    policies = found.cuts.shape[1]

    def least(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        rate, delay = turn_policy.rates(
            sums[:, 2 : 2 + policies], sums[:, 2 + policies :], sums[:, :2]
        )
        # Within a mean delay that no policy keeps to, everybody would have to be cut off.
        within = [np.where(delay <= at + 1e-9, rate, 1.0).min(axis=1) for at in _DELAYS_S]
        return np.column_stack(within)

    band = None
    with suppress(ValueError):  # so few pauses that a resample lacks a kind: no band
        band = cluster_bootstrap(totals, least, unit="meetings")
    return Series(
        name=who,
        x=[1000 * float(at) for at in _DELAYS_S],
        y=[float(value) for value in least(totals.sum(axis=0, keepdims=True))[0]],
        low=None if band is None else [interval.low for interval in band],
        high=None if band is None else [interval.high for interval in band],
        evidence=evidence,
    )


def points(result: Mapping[str, Any]) -> Table:
    """Operating points of the three ways, and ours minus each of the others."""
    told = {**result["points"]}
    told |= {f"ours minus {who}": found for who, found in result["ours_minus"].items()}
    names = turn_policy.POINTS
    return Table(
        title="Operating points",
        columns=("", *(name.replace("_", " ") for name in names)),
        rows=[[who, *(from_record(found[name]) for name in names)] for who, found in told.items()],
    )


def settings(result: Mapping[str, Any]) -> Table:
    """What each setting of patience does."""
    return Table(
        title="The product's settings of patience",
        columns=("patience", "cut-offs", "delay"),
        rows=[
            [name, from_record(told["cut_offs"]), from_record(told["delay"])]
            for name, told in result["rules"].items()
        ],
    )
