"""Plots and tables of job pauses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from engine.evaluation.turns import pause_fits
from engine.events import Evidence
from engine.records.evidence import Figure, from_record
from engine.records.plots import Axis, Plot, Series, Table


def pictures(
    result: dict[str, Any],
    readings: Sequence[str],
    fits: dict[str, dict[str, Figure]],
) -> tuple[list[Plot], list[Table]]:
    """The plots and tables of a result; `fits` as `pause_fits.fitting` gives them."""
    fitting = Table(
        title="Pauses long enough for work of the decoder",
        columns=("work", "takes", "share of pauses"),
        rows=pause_fits.rows(fits),
    )
    tables = [_lengths(result, readings), _defects(result["defects"])]
    return [_histogram(result["histogram"])], [*([fitting] if fits else []), *tables]


def _histogram(histogram: dict[str, Any]) -> Plot:
    bars = Series(
        name="pauses",
        x=[(low + high) / 2 for low, high in pairwise(histogram["edges_ms"])],
        y=histogram["pauses"],
        evidence=Evidence(histogram["evidence"]),
    )
    return Plot(
        title="How long people pause",
        x=Axis(name="pause", unit="ms"),
        y=Axis(name="pauses"),
        kind="bars",
        series=[bars],
    )


def _lengths(result: dict[str, Any], readings: Sequence[str]) -> Table:
    names = [name for name in result["pauses"] if name not in ("count", "mean")]
    return Table(
        title="Pauses by reading of the definition",
        columns=("figure", *(reading.replace("_", " ") for reading in readings)),
        rows=[
            [name.replace("_", " "), *(_cell(result[reading], name) for reading in readings)]
            for name in ("count", "mean", *names)
        ],
    )


def _defects(defects: dict[str, Any]) -> Table:
    listed: list[list[str | int | Figure]] = [
        [kind.replace("_", " "), found["total"], len(found["meetings"])]
        for kind, found in defects.items()
        if isinstance(found, dict) and "total" in found
    ]
    known: list[list[str | int | Figure]] = [
        [f"{name}: {why}", 1, 1] for name, why in defects["known_bad_timings"].items()
    ]
    return Table(
        title="Known defects of the corpus's times",
        columns=("defect", "found", "meetings"),
        rows=[*listed, *known],
    )


def _cell(figures: dict[str, Any], name: str) -> str | Figure:
    stored = figures.get(name)
    return "no pause" if stored is None else from_record(stored)
