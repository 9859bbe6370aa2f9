"""What a run shows besides its figures: plots and tables, stored in result.json as they are drawn.

A job puts `shown([...plots...], [...tables...])` into its result; the window, the HTML report and
`pads job show` draw them without knowing the job.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.events import Evidence
from engine.records.evidence import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """What an axis counts, and in which unit."""

    name: str
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One line, set of points or set of bars: x and y of equal length, low..high its band."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    evidence: Evidence = Evidence.MEASURED

    def __post_init__(self) -> None:
        for values in (self.y, self.low, self.high):
            if values is not None and len(values) != len(self.x):
                raise ValueError(f"{self.name}: {len(values)} values for {len(self.x)} places")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """One picture of one or more series over common axes."""

    title: str
    x: Axis
    y: Axis
    series: Sequence[Series]
    kind: Literal["line", "points", "bars"] = "line"
    """A bar stands on its x; the bars of a histogram are given by their middles."""

    def record(self) -> dict[str, Any]:
        """The plot as a JSON-ready dictionary."""
        return {
            "title": self.title,
            "kind": self.kind,
            "x": {"name": self.x.name, "unit": self.x.unit},
            "y": {"name": self.y.name, "unit": self.y.unit},
            "series": [_series(series) for series in self.series],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of words, whole numbers that only count or name, and figures with their evidence."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str | int | Figure]] = field(default_factory=tuple)
    quotes: bool = False
    """Whether it holds people's words from a corpus, which a kept report leaves out."""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.title}: a row of {len(row)} for {len(self.columns)}")

    def record(self) -> dict[str, Any]:
        """The table as a JSON-ready dictionary."""
        return {
            **({"quotes": True} if self.quotes else {}),
            "title": self.title,
            "columns": list(self.columns),
            "rows": [
                [cell.record() if isinstance(cell, Figure) else cell for cell in row]
                for row in self.rows
            ],
        }


def shown(plots: Sequence[Plot] = (), tables: Sequence[Table] = ()) -> dict[str, Any]:
    """The part of a result that holds its plots and tables."""
    return {
        "plots": [plot.record() for plot in plots],
        "tables": [table.record() for table in tables],
    }


def _series(series: Series) -> dict[str, Any]:
    record: dict[str, Any] = {
        "name": series.name,
        "evidence": series.evidence.value,
        "x": [float(value) for value in series.x],
        "y": [float(value) for value in series.y],
    }
    if series.low is not None and series.high is not None:
        record["low"] = [float(value) for value in series.low]
        record["high"] = [float(value) for value in series.high]
    return record
