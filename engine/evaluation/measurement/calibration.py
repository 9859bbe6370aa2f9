"""Whether probabilities mean what they say: Brier score, log loss, ECE, reliability table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.events import Evidence
from engine.records.evidence import Figure

BINS = 10
_FLOOR = 1e-6


def calibration(
    probabilities: NDArray[np.float64], true: NDArray[np.bool_], evidence: Evidence
) -> dict[str, Any]:
    """Figures of probabilities [n] of what came `true` [n] or not.

    ECE is the mean difference between share and mean probability over `BINS` bins of equal
    width, weighted by their sizes (Guo et al. 2017); `base_rate_brier` is what always saying
    the overall share would score, and any use of the probabilities begins below it.
    """
    table = reliability(probabilities, true)
    clipped = np.clip(probabilities, _FLOOR, 1 - _FLOOR)
    figures = {
        "brier": np.mean((probabilities - true) ** 2),
        "base_rate_brier": true.mean() * (1 - true.mean()),
        "log_loss": -np.mean(np.where(true, np.log(clipped), np.log1p(-clipped))),
        "ece": sum(row["count"] * abs(row["share"] - row["mean"]) for row in table) / len(true),
    }
    return {
        "count": len(true),
        **{
            name: Figure(value=float(value), evidence=evidence).record()
            for name, value in figures.items()
        },
        "reliability": table,
    }


def reliability(
    probabilities: NDArray[np.float64], true: NDArray[np.bool_]
) -> list[dict[str, float]]:
    """For each bin that is not empty: its size, mean probability and share of the true."""
    bins = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    return [
        {
            "from": number / BINS,
            "count": int(inside.sum()),
            "mean": float(probabilities[inside].mean()),
            "share": float(true[inside].mean()),
        }
        for number in range(BINS)
        if (inside := bins == number).any()
    ]
