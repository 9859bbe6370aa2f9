"""`pads bench gui` measures with and without the window; its figures fit its samples."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.bench import gui
from app.bench.gui import HEADLESS, WINDOW, Pass
from engine import paths
from engine.evaluation.measurement.protocol import Rules
from engine.events import Evidence
from engine.records import runs
from tests.app.conftest import Wear, question


@pytest.mark.usefixtures("models", "qapp")
def test_both_ways_are_measured_and_the_figures_fit_the_samples(
    recorded: Path,
    tmp_path: Path,
    themed: Wear,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(gui, "RULES", Rules(warm_up=0, discarded=0, cool_down_s=0.0))
    sound = question(recorded, tmp_path)
    assert gui.run(argparse.Namespace(recording=str(sound), rounds=1, json=True)) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    (run,) = runs.every(paths.runs())
    assert run.result() is not None
    lines = (run.folder / "passes.jsonl").read_text("utf-8").splitlines()
    passes = {one["arm"]: one for one in map(json.loads, lines)}
    assert passes.keys() == {HEADLESS, WINDOW}
    window, headless = passes[WINDOW], passes[HEADLESS]
    assert window["gates_ms"]
    assert headless["gates_ms"]
    assert headless["frames_ms"] == []
    assert len(window["frames_ms"]) > 10
    assert 0 < window["gui_s"] < window["seconds"]
    assert told["frame_p99"]["value"] >= told["frame_median"]["value"]
    rate = len(window["frames_ms"]) / window["seconds"]
    assert told["frames_a_second"]["value"] == pytest.approx(rate)
    share = told["gui_share"]["value"]
    assert share == pytest.approx(100 * window["gui_s"] / window["seconds"])
    assert told["gui_share_at_30"]["value"] == pytest.approx(share * 30 / rate)
    longer = told["gate_window"]["value"] / told["gate_headless"]["value"] - 1
    # Figures are told in eight digits, and of two that are nearly the same few are left.
    assert told["gate_longer"]["value"] == pytest.approx(100 * longer, abs=1e-4)
    assert {told[name]["evidence"] for name in ("frame_median", "gui_share")} == {"measured"}
    assert {told[name]["evidence"] for name in ("gate_longer", "gui_share_at_30")} == {"derived"}
    assert "kept" in (run.result() or {})["protocol"]
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    assert not any(widget.isVisible() for widget in application.topLevelWidgets())


def passed(arm: str, gates_ms: list[float], gui_s: float = 0.0) -> Pass:
    frames_ms = [33.0] * 300 if arm == WINDOW else []
    return Pass(arm, seconds=10.0, gates_ms=gates_ms, frames_ms=frames_ms, gui_s=gui_s)


@pytest.mark.parametrize(
    ("gui_s", "gates_ms", "kept"),
    [(1.9, [109.0], (True, True)), (2.1, [111.0], (False, False)), (1.0, [], (True, None))],
)
def test_what_was_asked_for_is_judged(
    gui_s: float, gates_ms: list[float], kept: tuple[bool, bool | None]
) -> None:
    found = gui.figures(
        [passed(HEADLESS, [100.0]), passed(WINDOW, gates_ms, gui_s)], Evidence.MEASURED
    )
    assert tuple(gui.limits(found).values()) == kept
    assert (found["gate_longer"].value is None) == (not gates_ms)
