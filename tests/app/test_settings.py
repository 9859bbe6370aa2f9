"""The Settings dialog: what a user changes is kept, counts at once, and can be seen."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QDoubleSpinBox, QLineEdit, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from app import preferences
from app.dialogs.settings import SettingsDialog, value_at
from app.main_window import MainWindow
from app.preferences import Preferences
from app.widgets.setting_editor import SettingEditor
from engine import events, settings
from engine.errors import SettingsRejected
from engine.history.blocks import Verdict
from engine.history.timeline import Timeline
from engine.outbox import Outbox
from engine.settings import GateSettings, Settings

# Set elsewhere in the window, or with no meaning to a user who does not read the code.
ELSEWHERE = {
    "pads",
    "microphone",
    "introduced",
    "voice.enabled",
    "voice.listening",
    "voice.engine",
    "voice.model",
    "voice.piper",
    "speech.enter",
    "speech.leave",
    "speech.speech_ms",
    "speech.pause_ms",
    "speech.vap_model",
    "gate.branch_timeout_s",
    "decoder.model",
    "decoder.draft_vocabulary",
    "decoder.top_k",
    "decoder.top_p",
    "decoder.min_p",
    "decoder.seed",
    "decoder.context_tokens",
}


@pytest.fixture
def kept(tmp_path: Path) -> Preferences:
    file = tmp_path / "settings.toml"
    file.write_text("later_version = 1\n", "utf-8")
    return Preferences(Settings(), file)


@pytest.fixture
def dialog(qtbot: QtBot, kept: Preferences) -> SettingsDialog:
    dialog = SettingsDialog(kept, Timeline())
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    return dialog


def names(group: Any, prefix: str = "") -> set[str]:
    found = set()
    for item in fields(group):
        value = getattr(group, item.name)
        inner = names(value, f"{item.name}.") if is_dataclass(value) else {prefix + item.name}
        found |= inner
    return found


def use(qtbot: QtBot, editor: SettingEditor) -> None:
    """Give a control another value, by its keyboard."""
    control: QWidget = editor.control
    control.setFocus()
    match control:
        case QLineEdit():
            qtbot.keyClicks(control, " and more")
            qtbot.keyClick(control, Qt.Key.Key_Return)
        case QComboBox():
            at = control.currentIndex()
            qtbot.keyClick(control, Qt.Key.Key_Down if at == 0 else Qt.Key.Key_Up)
        case QSpinBox() | QDoubleSpinBox():
            up = control.value() < control.maximum()
            qtbot.keyClick(control, Qt.Key.Key_Up if up else Qt.Key.Key_Down)
        case _:
            qtbot.keyClick(control, Qt.Key.Key_Space)


def test_every_setting_is_here_or_elsewhere(dialog: SettingsDialog) -> None:
    assert dialog.editors.keys() | ELSEWHERE >= names(Settings())
    assert not dialog.editors.keys() & ELSEWHERE


def test_every_control_changes_its_setting_and_keeps_it(
    qtbot: QtBot, dialog: SettingsDialog, kept: Preferences, tmp_path: Path
) -> None:
    for path, editor in dialog.editors.items():
        before = value_at(kept.settings, path)
        with qtbot.waitSignal(kept.changed, timeout=30_000):
            use(qtbot, editor)
        assert value_at(kept.settings, path) != before, path
    stored = settings.load(tmp_path / "settings.toml")
    assert stored == kept.settings
    assert "later_version = 1" in (tmp_path / "settings.toml").read_text("utf-8")
    for reset in dialog.resets.values():
        qtbot.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert kept.settings == settings.load(tmp_path / "settings.toml") == Settings()
    spin = dialog.editors["gate.theta_end"].control
    assert isinstance(spin, QDoubleSpinBox)
    assert spin.value() == GateSettings().theta_end


def test_a_group_s_reset_leaves_the_others(qtbot: QtBot, kept: Preferences) -> None:
    kept.change(lambda old: replace(old, gate=replace(old.gate, theta_end=0.9), data_folder="/x"))
    dialog = SettingsDialog(kept, Timeline())
    qtbot.addWidget(dialog)
    qtbot.mouseClick(dialog.resets["When deep work starts"], Qt.MouseButton.LeftButton)
    assert (kept.settings.gate, kept.settings.data_folder) == (GateSettings(), "/x")


def test_what_is_changed_just_before_closing_is_kept(
    qtbot: QtBot, dialog: SettingsDialog, kept: Preferences
) -> None:
    use(qtbot, dialog.editors["gate.theta_deep"])
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert kept.settings.gate.theta_deep == pytest.approx(0.55)


def test_defaults_are_shown_and_when_a_change_counts(dialog: SettingsDialog) -> None:
    said = dialog.editors["gate.theta_end"].control.accessibleDescription()
    assert "Default: 0.4." in said
    assert "Counts at once." in said
    assert "next start" in dialog.editors["decoder.exit_layer"].control.accessibleDescription()


def test_the_model_limits_the_exit_layer(dialog: SettingsDialog) -> None:
    details = {"decoder": {"layers": 30}}
    dialog.take(events.EngineReady(heard_s=0, elapsed_ms=1, details=details))
    control = dialog.editors["decoder.exit_layer"].control
    assert isinstance(control, QSpinBox)
    assert control.maximum() == 29


def verdict(p_end: float, p_deep: float) -> Verdict:
    start = {"start_s": 0.0, "end_s": 1.0, "turn": 1, "act": "question"}
    gate = {"theta_end": 0.4, "theta_deep": 0.5, "ended": True, "deep": True}
    rest = {"triggered": True, "reason": "", "gate_ms": 1.0}
    return Verdict(p_end=p_end, p_deep=p_deep, **start, **gate, **rest)  # type: ignore[arg-type]


def test_the_effect_of_the_thresholds_is_counted(qtbot: QtBot, kept: Preferences) -> None:
    timeline = Timeline()
    timeline.verdicts += [verdict(0.3, 0.9), verdict(0.7, 0.9), verdict(0.7, 0.2)]
    dialog = SettingsDialog(kept, timeline)
    qtbot.addWidget(dialog)
    assert "Of 3 pauses" in dialog.effect.text()
    assert "would start in 1 (derived)" in dialog.effect.text()
    kept.change(lambda old: replace(old, gate=GateSettings(theta_end=0.2)))
    assert "would start in 2 (derived)" in dialog.effect.text()


def test_the_wheel_changes_no_value_in_passing(dialog: SettingsDialog, kept: Preferences) -> None:
    spin = dialog.editors["gate.theta_end"].control
    spin.clearFocus()
    at = QPointF(spin.rect().center())
    flags = (Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase)
    wheel = QWheelEvent(at, spin.mapToGlobal(at), QPoint(), QPoint(0, 120), *flags, False)
    QApplication.sendEvent(spin, wheel)
    assert isinstance(spin, QDoubleSpinBox)
    assert spin.value() == kept.settings.gate.theta_end


def test_the_threshold_s_line_follows_at_once(qtbot: QtBot) -> None:
    kept = Preferences(Settings(gate=GateSettings(theta_end=0.25)))
    window = MainWindow(Outbox(), kept)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    assert window.timeline.theta_end == 0.25
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=30_000)
    lane = window.profiler.lane("turn end").toRect()
    before = window.profiler.grab(lane).toImage()
    qtbot.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(window.settings.isVisible, timeout=30_000)
    with qtbot.waitSignal(kept.changed):
        use(qtbot, window.settings.editors["gate.theta_end"])
    assert window.timeline.theta_end == pytest.approx(0.3)
    assert window.profiler.grab(lane).toImage() != before
    window.timeline.clear()
    assert window.timeline.theta_end == pytest.approx(0.3)


def test_a_broken_file_is_set_aside_with_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("[gate]\ntheta_end = 7\n", "utf-8")
    chosen, sentence = preferences.read(file)
    assert chosen == Settings()
    assert sentence is not None
    assert "theta_end = 7" in sentence
    assert "settings.broken.toml" in sentence
    assert (tmp_path / "settings.broken.toml").read_text("utf-8").startswith("[gate]")
    assert preferences.read(file) == (Settings(), None)


def test_settings_that_cannot_be_kept_count_nevertheless(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.mkdir()
    with pytest.raises(SettingsRejected):
        settings.load(file)
    kept = Preferences(Settings(), file)
    with qtbot.waitSignals([kept.changed, kept.rejected]):
        kept.change(lambda old: replace(old, pads=False))
    assert not kept.settings.pads


def test_another_program_s_change_of_the_file_is_not_lost(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    kept = Preferences(Settings(), file)
    settings.save(Settings(data_folder="/corpora"), file)
    kept.change(lambda old: replace(old, microphone="Headset"))
    assert settings.load(file) == Settings(data_folder="/corpora", microphone="Headset")
