"""Figures found in any result, and two results side by side."""

from __future__ import annotations

from typing import Any

from engine.events import Evidence
from engine.records.evidence import Figure, Interval
from engine.records.figures import beside, figures, readable


def figure(value: float, evidence: Evidence = Evidence.MEASURED, unit: str = "ms") -> Any:
    interval = Interval(low=value - 1, high=value + 1, level=0.95, method="a test")
    return Figure(value=value, evidence=evidence, unit=unit, interval=interval).record()


def test_figures_are_found_by_path_and_tables_are_left_to_be_drawn() -> None:
    result = {
        "run": "x",
        "test": {"figures": {"mean_ms": figure(3.0)}, "turns": [figure(1.0)]},
        "peak_memory": figure(9.0),
        "tables": [{"rows": [[figure(5.0)]]}],
    }
    assert list(figures(result)) == ["test/figures/mean_ms", "peak_memory"]
    assert readable("share_at_least_164.1_ms") == "share at least 164.1 ms"
    assert readable("test/figures/mean_ms") == "test › mean ms"


def test_a_difference_is_given_only_where_both_are_measured_alike() -> None:
    first = {"a": figure(10.0), "b": figure(10.0), "c": figure(1.0), "d": figure(2.0)}
    second = {
        "a": figure(15.0),
        "b": figure(11.5),
        "c": figure(2.0, Evidence.PUBLISHED),
        "d": figure(2.0, unit="s"),
        "e": figure(4.0),
    }
    a, b, c, d, e = beside(first, second)
    assert (a.difference.value, a.difference.evidence, a.apart) == (5.0, Evidence.DERIVED, True)
    assert (b.difference.value, b.apart) == (1.5, False)
    for one, why in ((c, "published"), (d, "units"), (e, "only one")):
        assert one.difference.value is None
        assert why in one.difference.reason
        assert one.apart is None
    assert e.first is None
    on_target = {"a": figure(1.0, Evidence.TARGET)}
    assert "machines" in beside({"a": figure(1.0)}, on_target)[0].difference.reason
