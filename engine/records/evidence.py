"""A number a user sees: its value, unit, evidence tag, and interval with the method behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.events import Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Where a figure plausibly lies: `low`..`high` at `level` (0..1), and how that was found."""

    low: float
    high: float
    level: float
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number with its evidence.

    `value` is None exactly when the evidence is `unavailable`, and then `reason` says why;
    anything else raises `ValueError`, so a missing number can become neither 0 nor a guess.
    """

    value: float | None
    evidence: Evidence
    unit: str = ""
    interval: Interval | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        if (self.value is None) != (self.evidence is Evidence.UNAVAILABLE):
            raise ValueError(f"{self.value} cannot be {self.evidence}")
        if self.value is None and not self.reason:
            raise ValueError("an unavailable figure needs its reason")

    def record(self) -> dict[str, Any]:
        """The figure as a JSON-ready dictionary, rounded to eight significant digits."""
        record: dict[str, Any] = {"value": _rounded(self.value), "unit": self.unit}
        if self.interval is not None:
            record["low"] = _rounded(self.interval.low)
            record["high"] = _rounded(self.interval.high)
            record["level"] = self.interval.level
            record["method"] = self.interval.method
        record["evidence"] = self.evidence.value
        if self.reason:
            record["reason"] = self.reason
        return record


def as_records(tree: Any) -> Any:
    """The same dictionaries and lists with every `Figure` in them as its record."""
    if isinstance(tree, Figure):
        return tree.record()
    if isinstance(tree, dict):
        return {name: as_records(value) for name, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [as_records(value) for value in tree]
    return tree


def is_figure(record: object) -> bool:
    """Whether a part of a stored record is a figure."""
    return isinstance(record, dict) and {"value", "evidence"} <= record.keys()


def from_record(record: dict[str, Any]) -> Figure:
    """The figure that a stored record is of; `KeyError` or `ValueError` when it is none."""
    interval = None
    if "low" in record:
        interval = Interval(**{name: record[name] for name in ("low", "high", "level", "method")})
    return Figure(
        value=record["value"],
        evidence=Evidence(record["evidence"]),
        unit=record.get("unit", ""),
        interval=interval,
        reason=record.get("reason", ""),
    )


def words(record: dict[str, Any]) -> str:
    """A stored figure as people read it: `0.771 [0.760, 0.782] (measured)`."""
    if record["value"] is None:
        return f"unavailable: {record['reason']}"
    parts = [_short(record["value"])]
    if record.get("unit"):
        parts.append(record["unit"])
    if "low" in record:
        parts.append(f"[{_short(record['low'])}, {_short(record['high'])}]")
    return " ".join([*parts, f"({record['evidence']})"])


def _rounded(value: float | None) -> float | None:
    return float(f"{value:.8g}") if isinstance(value, float) else value


def _short(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
