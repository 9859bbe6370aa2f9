"""The window explained in words, beside the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.panels.lanes import LANES


def test_f1_explains_every_lane_and_the_window_stays_usable(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_F1)
    dialog = window.what_you_see
    qtbot.waitExposed(dialog)
    assert not dialog.isModal()
    said = [label.text() for label in dialog.findChildren(QLabel)]
    assert len(said) == len(set(said))
    assert all(f"Lane “{lane}”" in said for lane in LANES)


@pytest.fixture
def qt_dialogs() -> None:
    """A file dialog that a test can type into."""
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)


@pytest.mark.usefixtures("qt_dialogs")
def test_a_sound_file_is_opened_from_the_menu(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    file = tmp_path / "talk.wav"
    file.touch()

    def choose() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QFileDialog) or not dialog.isVisible():
            return
        waiting.stop()
        line = dialog.findChild(QLineEdit)
        assert isinstance(line, QLineEdit)
        line.setText(str(file))
        QTest.keyClick(line, Qt.Key.Key_Return)

    waiting = QTimer(interval=20)
    waiting.timeout.connect(choose)
    waiting.start()
    (action,) = [a for a in window.menus.file.actions() if "Open a sound file" in a.text()]
    action.trigger()
    assert window.controls.source.currentText() == "File: talk.wav"
