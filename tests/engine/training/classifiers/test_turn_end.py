"""The head's training on real pauses: nothing leaks, and labels matter."""

import io
import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine import paths
from engine.errors import DataUnavailable, JobFailed
from engine.events import Evidence
from engine.records.runs import ActiveRun
from engine.training.classifiers import turn_end
from engine.training.classifiers.turn_end import CHOICES, Material, fit, rows
from engine.training.corpora import generated
from engine.turntaking import head

CUES = CHOICES["completeness and silence"]


@pytest.fixture
def job(tmp_path: Path) -> ActiveRun:
    return ActiveRun(tmp_path, evidence=Evidence.MEASURED, stream=io.StringIO())


def opposite(material: Material) -> Material:
    """The same pauses with every label turned round."""
    pauses = [replace(pause, ends_turn=not pause.ends_turn) for pause in material.recorded]
    return Material(pauses, [], {})


def test_every_tenth_of_a_second_of_silence_is_a_row(material: Material) -> None:
    table, over = rows(material.recorded, CUES)
    holds = [pause for pause in material.recorded if not pause.ends_turn]
    ends = len(material.recorded) - len(holds)
    silent = [max(1, min(16, int(pause.silence_s * 10 + 1e-9))) for pause in holds]
    assert over.sum() == 16 * ends
    assert len(over) - over.sum() == pytest.approx(sum(silent), abs=len(holds))
    assert np.exp(table[:, 1]).min() == pytest.approx(0.1)
    assert np.exp(table[:, 1]).max() == pytest.approx(1.6)


def test_a_left_out_meeting_leaves_no_trace(material: Material) -> None:
    meeting = material.meetings[0]
    lies = [
        replace(pause, ends_turn=not pause.ends_turn) if pause.group == meeting else pause
        for pause in material.recorded
    ]
    changed = Material(lies, [], {})
    assert fit(changed.without(meeting), CUES) == fit(material.without(meeting), CUES)
    assert fit(changed, CUES) != fit(material, CUES)


def test_completeness_and_silence_both_speak_for_a_turn_end(material: Material) -> None:
    found = fit(material, CUES)
    assert min(found.coefficients.values()) > 0


def test_swapped_labels_make_a_worse_head(material: Material) -> None:
    honest, lied_to = (
        np.array(
            [
                fit(source.without(pause.group), CUES).p_end(pause.cues, 0.0)
                for pause in material.recorded
            ]
        )
        for source in (material, opposite(material))
    )
    over = np.array([pause.ends_turn for pause in material.recorded])
    assert np.mean((honest - over) ** 2) < 0.75 * np.mean((lied_to - over) ** 2)


def test_pauses_of_one_kind_are_no_material(material: Material) -> None:
    holds = [pause for pause in material.recorded if not pause.ends_turn]
    with pytest.raises(JobFailed, match="same label"):
        fit(Material(holds, [], {}), CUES)


def test_recordings_of_one_meeting_are_refused(
    data: Path, models: Path, job: ActiveRun, tmp_path: Path
) -> None:
    for path in (data / "audio").glob("ami_ES2003b*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    with pytest.raises(DataUnavailable, match="fewer than two meetings"):
        turn_end.gather(job, tmp_path, None, 0, 1)


@pytest.mark.skipif(not generated.installed(), reason="espeak-ng is not installed")
def test_the_whole_job(
    data: Path, models: Path, job: ActiveRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "shipped" / "models"
    shipped.mkdir(parents=True)
    shutil.copy(paths.manifest(), shipped)
    monkeypatch.setattr(paths, "shipped", lambda: tmp_path / "shipped")
    (tmp_path / "manifest.json").write_text(
        json.dumps({"command": "secret", "started": "now", "code": {"commit": "abc"}}), "utf-8"
    )
    result = turn_end.run(job, data=data, recordings=None, turns=12, seed=1, install=True)
    json.dumps(result)
    assert result["sources"]["generated"]["turn_ends"] >= 8
    assert result["chosen"] == min(
        CHOICES, key=lambda name: result["held_out_log_loss"][name]["value"]
    )
    ours, raw = result["calibration_left_out_meetings"], result["calibration_smart_turn"]
    assert ours["brier"]["value"] < raw["brier"]["value"]
    assert sum(row["count"] for row in ours["reliability"]) == ours["count"]
    installed = shipped / "turn_end"
    assert dict(head.load(installed).coefficients) == result["coefficients"]
    card = (installed / "README.md").read_text("utf-8")
    assert "left-out meetings" in card
    assert "secret" not in (installed / "run.json").read_text("utf-8")


def test_the_shipped_weights_are_those_of_their_record() -> None:
    folder = paths.shipped() / "models" / "turn_end"
    record = json.loads((folder / "result.json").read_text("utf-8"))
    assert dict(head.load(folder).coefficients) == record["coefficients"]
    assert head.load(folder).intercept == record["intercept"]
