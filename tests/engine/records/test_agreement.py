from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.evaluation.measurement.statistics import normal_interval
from engine.events import Evidence
from engine.records.agreement import disagreements
from engine.records.evidence import Figure


def result(mean: float, seed: int = 1, **others: Any) -> dict[str, Any]:
    samples = np.random.default_rng(seed).normal(mean, 1.0, 50).tolist()
    figure = Figure(
        value=float(np.mean(samples)),
        evidence=Evidence.MEASURED,
        interval=normal_interval(samples),
    )
    return {"speed": {"plain": figure.record()}, **others}


def count(value: int) -> dict[str, Any]:
    return Figure(value=value, evidence=Evidence.MEASURED).record()


def test_two_measurements_of_one_thing_agree() -> None:
    assert disagreements(result(10.0, 1, n=count(40)), result(10.0, 2, n=count(40))) == []


def test_measurements_of_two_things_do_not() -> None:
    (fault,) = disagreements(result(10.0, 1), result(14.0, 2))
    assert fault.startswith("speed/plain: [")
    assert fault.endswith("are apart")


@pytest.mark.parametrize(
    ("other", "fault"),
    [
        ({"n": count(41)}, "n: counts 40 and 41"),
        ({}, "n: only one of the runs has it"),
        (
            {"n": Figure(value=None, evidence=Evidence.UNAVAILABLE, reason="lost").record()},
            "n: available in one of the runs only",
        ),
    ],
)
def test_counts_must_be_the_same(other: dict[str, Any], fault: str) -> None:
    assert disagreements(result(10.0, n=count(40)), result(10.0, **other)) == [fault]


def test_what_has_no_interval_proves_nothing() -> None:
    assert disagreements({"n": count(40)}, {"n": count(40)}) == ["there is no interval to compare"]


def test_a_lone_number_without_an_interval_is_not_judged() -> None:
    def with_peak(value: float) -> dict[str, Any]:
        peak = Figure(value=value, unit="MB", evidence=Evidence.MEASURED)
        return result(10.0, peak=peak.record())

    assert disagreements(with_peak(100.5), with_peak(180.5)) == []
