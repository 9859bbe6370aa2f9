"""Details of a problem that can be copied: useful, and without a word of what was said."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.application import _offer_crash
from app.main_window import MainWindow
from engine import events, logs
from engine.outbox import Outbox
from engine.records.session_log import read

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(window: MainWindow) -> Iterator[MainWindow]:
    """The shared window, with a log."""
    with logs.recording() as tail:
        window.reports.tail = tail
        yield window


def replay(folder: Path, outbox: Outbox, window: MainWindow) -> set[str]:
    """Let the window see a recorded conversation; what was said and answered in it."""
    said = set()
    for record in read(folder):
        event = events.from_record(record)
        assert event is not None
        outbox.post(event)
        if isinstance(event, events.TurnCommitted | events.ReplyFinished):
            said.add(event.text.strip())
    window.bridge.deliver()
    assert len(said) == 2
    return said


def test_details_hold_what_helps_but_no_words_unless_chosen(
    window: MainWindow, outbox: Outbox, recorded: Path
) -> None:
    said = replay(recorded, outbox, window)
    logging.getLogger("engine.test").warning("the disk is full at %s", Path.home() / "x")
    logging.getLogger("engine.test").error("could not answer %s", max(said, key=len))
    outbox.post(events.Problem(heard_s=1, message="The microphone is gone: connect it again"))
    window.bridge.deliver()
    QTest.mouseClick(window.banner.copy, LEFT)
    copied = QGuiApplication.clipboard().text()
    assert "The microphone is gone" in copied
    assert "the disk is full at ~/x" in copied
    assert "onnxruntime" in copied
    assert "smollm2" in copied.lower()
    assert '"threads"' in copied or "threads:" in copied
    assert not any(text in copied for text in said)
    assert "[words left out]" in copied
    assert str(Path.home()) not in copied
    window.banner.with_words.setChecked(True)
    QTest.mouseClick(window.banner.copy, LEFT)
    copied = QGuiApplication.clipboard().text()
    assert all(text in copied for text in said)


def test_the_choice_of_words_does_not_outlive_the_problem(
    window: MainWindow, outbox: Outbox
) -> None:
    for message in ("first", "second"):
        outbox.post(events.Problem(heard_s=1, message=message))
        window.bridge.deliver()
        assert not window.banner.with_words.isChecked()
        window.banner.with_words.setChecked(True)


def crash() -> None:
    code = (
        "import logging, os, signal; from engine import logs\n"
        "with logs.recording():\n"
        "    logging.getLogger('engine').warning('the last words')\n"
        "    os.kill(os.getpid(), signal.SIGSEGV)"
    )
    subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, timeout=60)


def test_a_crash_is_offered_at_the_next_start_until_it_was_seen(
    qtbot: QtBot, outbox: Outbox, home: Path
) -> None:
    crash()
    for _ in range(2):
        window = MainWindow(outbox, pads=True)
        qtbot.addWidget(window)
        window.show()
        qtbot.waitExposed(window)
        with logs.recording():
            _offer_crash(window)
        assert "ended abruptly" in window.banner.words.text()
        assert not window.banner.with_words.isVisible()
    QTest.mouseClick(window.banner.copy, LEFT)
    copied = QGuiApplication.clipboard().text()
    assert "Segmentation fault" in copied
    assert "the last words" in copied
    assert logs.crashes() == []
    assert os.listdir(logs.folder())
