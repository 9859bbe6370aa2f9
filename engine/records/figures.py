"""The figures of any run's result, by name, and two runs' figures side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.events import Evidence
from engine.records.evidence import Figure, is_figure

_SHOWN = ("plots", "tables")  # drawn as such
_MEASURED = (Evidence.MEASURED, Evidence.TARGET)


def figures(result: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Every figure that stands in a result by itself, as stored, by its path."""
    return dict(_within(result, ""))


def _within(part: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, value in part.items():
        if is_figure(value):
            yield prefix + name, value
        elif isinstance(value, Mapping) and not (prefix == "" and name in _SHOWN):
            yield from _within(value, f"{prefix}{name}/")


def readable(path: str) -> str:
    """A figure's path as people read it: `test › per class recall`."""
    parts = [part.replace("_", " ") for part in path.split("/") if part != "figures"]
    return " › ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """One figure of two runs, as stored; None where a run has none of this name."""

    path: str
    first: dict[str, Any] | None
    second: dict[str, Any] | None
    difference: Figure
    """Second less first, `derived`; unavailable unless both are measured in the same unit."""
    apart: bool | None
    """Whether their intervals do not touch; None unless both have one and there is a difference."""


def beside(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[Beside]:
    """Two results of the same job, figure by figure, in the order of the first."""
    one, two = figures(first), figures(second)
    names = [*one, *(name for name in two if name not in one)]
    return [_beside(name, one.get(name), two.get(name)) for name in names]


def _beside(path: str, first: dict[str, Any] | None, second: dict[str, Any] | None) -> Beside:
    reason = _incomparable(first, second)
    if reason or first is None or second is None:
        missing = Figure(value=None, evidence=Evidence.UNAVAILABLE, reason=reason)
        return Beside(path=path, first=first, second=second, difference=missing, apart=None)
    difference = Figure(
        value=second["value"] - first["value"], unit=first["unit"], evidence=Evidence.DERIVED
    )
    apart = None
    if "low" in first and "low" in second:
        apart = first["high"] < second["low"] or second["high"] < first["low"]
    return Beside(path=path, first=first, second=second, difference=difference, apart=apart)


def _incomparable(first: dict[str, Any] | None, second: dict[str, Any] | None) -> str:
    """Why there is no difference; empty when there is one."""
    if first is None or second is None:
        return "only one of the runs has it"
    for figure in (first, second):
        if figure["evidence"] not in _MEASURED:
            return f"one of them is {figure['evidence']}"
    if first["evidence"] != second["evidence"]:
        return "they come from different machines"
    if first.get("unit") != second.get("unit"):
        return "their units differ"
    return ""
