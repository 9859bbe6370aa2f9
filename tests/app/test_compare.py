"""The comparison in the window, by real clicks and keys, over a real recording."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from engine import commands, events
from engine.evaluation.conversations.comparison import Heard, compared, read_events
from engine.outbox import Outbox

LEFT = Qt.MouseButton.LeftButton


def pixels(widget: QWidget) -> QImage:
    return widget.grab().toImage()


def altered(folder: Path, copy: Path, broken: list[str]) -> Path:
    """A copy of a run in which one token id of one reply with PADS on is another; `broken` is what
    was the matter with the machine."""
    shutil.copytree(folder, copy)
    heard = {arm: Heard() for arm in ("off", "on")}
    for arm, one in heard.items():
        for event in read_events(copy / f"{arm}.jsonl"):
            if arm == "on" and isinstance(event, events.ReplyFinished):
                first, *rest = event.tokens
                one.take(replace(event, tokens=(first + 1, *rest)))
            else:
                one.take(event)
    found = compared(heard["off"], heard["on"], events.Evidence.MEASURED)
    result = {**found, "evidence": "measured", "protocol": {"broken": broken}}
    (copy / "result.json").write_text(json.dumps(result), "utf-8")
    return copy


@pytest.mark.usefixtures("models")
def test_a_recording_is_compared_and_an_altered_token_is_told(
    qtbot: QtBot, window: MainWindow, data: Path, tmp_path: Path
) -> None:
    qtbot.mouseClick(window.controls.compare, LEFT)
    dialog = window.compare
    qtbot.waitExposed(dialog)
    dialog.choose(data / "audio" / "livekit_weather_question.wav")
    empty = {arm: pixels(lane.profiler) for arm, lane in dialog.view.lanes.items()}
    qtbot.mouseClick(dialog.start, LEFT)
    assert not dialog.start.isEnabled()
    assert not dialog.source.isEnabled()
    assert dialog.cancel.isEnabled()
    qtbot.waitUntil(lambda: "s left" in dialog.status.text(), timeout=120_000)
    assert 0 < dialog.progress.value() < dialog.progress.maximum()
    qtbot.waitUntil(dialog.view.isVisible, timeout=240_000)
    view = dialog.view
    assert "1 of 1 replies are identical" in view.verdict.text()
    assert "measured" in view.headline.text()
    cells = [view.table.item(0, column).text() for column in range(view.table.columnCount())]
    off_ms, on_ms, earlier_ms = map(int, cells[1:4])
    assert abs(off_ms - on_ms - earlier_ms) <= 1
    assert cells[-1] == "same"
    assert "Paris" in view.words.text()
    assert f"{off_ms} ms after you stopped" in view.lanes["off"].caption.text()
    qtbot.waitUntil(lambda: all(lane.profiler.frames > 0 for lane in view.lanes.values()))
    ends = {lane.profiler.timeline.now_s for lane in view.lanes.values()}
    assert len(ends) == 1
    shown = {arm: pixels(lane.profiler) for arm, lane in view.lanes.items()}
    assert shown["off"] not in (shown["on"], empty["off"])
    assert shown["on"] != empty["on"]
    folder = Path(dialog.status.text().removeprefix("Kept in "))
    dialog.show_run(altered(folder, tmp_path / "at rest", []))
    assert not view.conditions.isVisible()
    busy = "other programs kept 2.00 cores busy before it: close them"
    dialog.show_run(altered(folder, tmp_path / "altered", [busy]))
    assert view.conditions.isVisible()
    assert busy in view.conditions.text()
    assert "0 of 1 replies are identical" in view.verdict.text()
    assert "1 different" in view.verdict.text()
    assert view.table.item(0, view.table.columnCount() - 1).text() == "different"
    assert view.verdict.property("tone") == "alert"
    assert dialog.start.isEnabled()


@pytest.mark.usefixtures("models")
def test_the_live_conversation_is_stopped_first_and_escape_cancels(
    qtbot: QtBot, window: MainWindow, outbox: Outbox
) -> None:
    asked: list[object] = []
    window.command.connect(asked.append)
    outbox.post(events.SourceOpened(heard_s=0.0, name="a", kind="file", seconds=9.0))
    window.bridge.deliver()
    QTest.keyClick(window, Qt.Key.Key_C)
    dialog = window.compare
    qtbot.waitExposed(dialog)
    qtbot.mouseClick(dialog.start, LEFT)
    assert asked == [commands.CloseSource()]
    assert "being stopped" in dialog.status.text()
    outbox.post(events.SourceEnded(heard_s=1.0, reason="closed"))
    window.bridge.deliver()
    qtbot.waitUntil(lambda: dialog.progress.value() > 0, timeout=120_000)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    qtbot.waitUntil(lambda: not dialog.busy, timeout=60_000)
    assert "Cancelled" in dialog.status.text()
    assert dialog.start.isEnabled()


def test_a_recording_that_is_none_is_named(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = window.compare
    dialog.choose(tmp_path / "nothing.wav")
    dialog.show()
    qtbot.keyClick(dialog.start, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not dialog.busy, timeout=60_000)
    assert "nothing.wav" in dialog.status.text()


def test_every_control_has_a_name_and_is_reached_by_keys(window: MainWindow) -> None:
    dialog = window.compare
    for control in (dialog.source, dialog.start, dialog.cancel, dialog.progress, dialog.view.table):
        assert control.accessibleName()
    for control in (dialog.source, dialog.start, dialog.cancel, dialog.view.table):
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus
