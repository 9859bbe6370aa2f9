"""Figures carry their evidence, and a missing number can become neither 0 nor a guess."""

from __future__ import annotations

import pytest

from engine.events import Evidence
from engine.records.evidence import Figure, Interval, is_figure, words


def test_a_figure_reads_with_unit_interval_and_evidence() -> None:
    interval = Interval(low=1.1234567, high=2.5, level=0.95, method="bootstrap")
    figure = Figure(value=1.987654, unit="ms", evidence=Evidence.TARGET, interval=interval)
    record = figure.record()
    assert is_figure(record)
    assert words(record) == "1.988 ms [1.123, 2.5] (target)"
    assert record["method"] == "bootstrap"


def test_an_unavailable_figure_says_why() -> None:
    figure = Figure(value=None, evidence=Evidence.UNAVAILABLE, reason="no sensor")
    assert words(figure.record()) == "unavailable: no sensor"


@pytest.mark.parametrize(
    ("value", "evidence", "reason"),
    [
        (0.0, Evidence.UNAVAILABLE, "no sensor"),
        (None, Evidence.MEASURED, "lost"),
        (None, Evidence.UNAVAILABLE, ""),
    ],
)
def test_contradictory_figures_cannot_be_made(
    value: float | None, evidence: Evidence, reason: str
) -> None:
    with pytest.raises(ValueError, match=r"cannot be|needs its reason"):
        Figure(value=value, evidence=evidence, reason=reason)
