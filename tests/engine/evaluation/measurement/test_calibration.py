"""Calibration figures by hand, and what they say of probabilities that lie."""

import numpy as np
import pytest

from engine.evaluation.measurement.calibration import calibration
from engine.events import Evidence


def test_figures_by_hand() -> None:
    told = np.array([0.1, 0.1, 0.9, 0.9])
    true = np.array([False, True, True, True])
    found = calibration(told, true, Evidence.MEASURED)
    assert found["brier"]["value"] == pytest.approx((0.01 + 0.81 + 0.01 + 0.01) / 4)
    assert found["base_rate_brier"]["value"] == pytest.approx(0.1875)
    assert found["ece"]["value"] == pytest.approx((2 * 0.4 + 2 * 0.1) / 4)
    assert found["log_loss"]["value"] == pytest.approx(-(3 * np.log(0.9) + np.log(0.1)) / 4)
    assert [(row["from"], row["count"], row["share"]) for row in found["reliability"]] == [
        (0.1, 2, 0.5),
        (0.9, 2, 1.0),
    ]


def test_lies_score_worse_than_the_truth() -> None:
    chance = np.random.default_rng(0)
    p = chance.random(5000)
    true = chance.random(5000) < p
    honest, liar = (calibration(q, true, Evidence.MEASURED) for q in (p, 1 - p))
    assert honest["ece"]["value"] < 0.02
    for name in ("brier", "ece", "log_loss"):
        assert liar[name]["value"] > 2 * honest[name]["value"]


def test_certainty_is_finite() -> None:
    found = calibration(np.array([0.0, 1.0]), np.array([True, True]), Evidence.MEASURED)
    assert np.isfinite(found["log_loss"]["value"])
