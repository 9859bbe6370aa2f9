"""The benchmark on real pauses; swapped labels must show it worse."""

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.evaluation.turns import turn_end
from engine.evaluation.turns.turn_end import OURS, SMART_TURN, SPEECH
from engine.evaluation.turns.turn_policy import POINTS
from engine.events import Evidence
from engine.records.runs import ActiveRun
from engine.training.classifiers.turn_end import Material
from tests.engine.training.conftest import material

__all__ = ["material"]


@pytest.fixture
def job(tmp_path: Path) -> ActiveRun:
    return ActiveRun(tmp_path, evidence=Evidence.MEASURED, stream=io.StringIO())


def test_the_real_recordings(job: ActiveRun, material: Material) -> None:
    result = turn_end.compare(job, material, turn_end.head_estimates(material))
    json.dumps(result, allow_nan=False)
    counts = result["counts"]
    assert counts["meetings"] == 8  # one of nine has no pause with a label
    assert counts["turn_ends"] == sum(pause.ends_turn for pause in material.recorded)
    for points in (*result["points"].values(), *result["ours_minus"].values()):
        assert tuple(points) == POINTS
        for figure in points.values():
            assert figure["low"] <= figure["value"] <= figure["high"]
            assert "8 meetings" in figure["method"]
    points, minus = result["points"], result["ours_minus"]
    for name in POINTS:
        for other in (SPEECH, SMART_TURN):
            difference = points[OURS][name]["value"] - points[other][name]["value"]
            assert minus[other][name]["value"] == pytest.approx(difference)
    speech = points[SPEECH]
    assert speech["cut_offs_at_300_ms"]["value"] > speech["cut_offs_at_1000_ms"]["value"]
    assert speech["delay_at_5_percent_ms"]["value"] > speech["delay_at_10_percent_ms"]["value"]
    rules = result["rules"]
    delays = [rules[name]["delay"]["value"] for name in ("eager", "balanced", "patient")]
    assert delays == sorted(delays)
    curves = {line["name"]: line for line in result["plots"][0]["series"]}
    for who, line in curves.items():
        assert line["y"] == sorted(line["y"], reverse=True)
        at = line["x"].index(300.0)
        figure = points[who]["cut_offs_at_300_ms"]
        for name, drawn in (("value", line["y"]), ("low", line["low"]), ("high", line["high"])):
            assert drawn[at] == pytest.approx(figure[name])


def test_a_judge_who_knows_is_better_and_one_who_has_it_backwards_worse(
    job: ActiveRun, material: Material
) -> None:
    over = np.array([pause.ends_turn for pause in material.recorded], float)
    knowing = np.repeat(over[:, None], len(turn_end.GRID_S), axis=1)
    found = {
        name: turn_end.compare(job, material, estimates)
        for name, estimates in (("knows", knowing), ("backwards", 1 - knowing))
    }
    assert found["knows"]["points"][OURS]["cut_offs_at_300_ms"]["value"] == 0
    assert found["knows"]["points"][OURS]["delay_at_5_percent_ms"]["value"] == pytest.approx(200)
    points = found["backwards"]["points"]
    for name in ("cut_offs_at_300_ms", "cut_offs_at_600_ms"):
        assert points[OURS][name]["value"] >= points[SPEECH][name]["value"]
    brier = {name: one["calibration"][OURS]["brier"]["value"] for name, one in found.items()}
    assert brier == {"knows": 0, "backwards": 1}


def test_swapped_labels_make_smart_turn_worse(job: ActiveRun, material: Material) -> None:
    swapped = [replace(pause, ends_turn=not pause.ends_turn) for pause in material.recorded]
    ours = np.full((len(swapped), len(turn_end.GRID_S)), 0.5)
    true = turn_end.compare(job, material, ours)["calibration"][SMART_TURN]
    lied = turn_end.compare(job, Material(swapped, [], {}), ours)["calibration"][SMART_TURN]
    assert lied["brier"]["value"] > 2 * true["brier"]["value"]


def test_the_job_tells_published_figures_as_such(data: Path, models: Path, job: ActiveRun) -> None:
    result = turn_end.run(job, data=data, recordings=None, turns=0, seed=1)
    json.dumps(result, allow_nan=False)
    published = result["published"]["smart-turn v3.2"]
    assert published["cut_offs_at_300_ms"]["value"] == 0.352
    assert {figure["evidence"] for figure in published.values()} == {"published"}
    assert result["points"][OURS]["cut_offs_at_300_ms"]["evidence"] == "measured"
    assert result["sources"]["generated"]["pauses"] == 0
