"""A first visit by real clicks and keys: from an empty home to a report that can be opened."""

from __future__ import annotations

import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCompleter, QFileDialog, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app import application
from app.dialogs.first_run import DEMO, MICROPHONE, MODELS
from app.main_window import MainWindow
from engine import paths, settings
from engine.history import charts, figures, recording, sessions
from tests.app.conftest import Wear, question

LEFT = Qt.MouseButton.LeftButton
START_MS, REPLY_MS, COMPARE_MS = 90_000, 120_000, 280_000


class Words(HTMLParser):
    """The words of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[str] = []

    def handle_data(self, data: str) -> None:
        self.all.append(data)


class Visitor:
    """Somebody at the window, who uses `short` recordings where time is short."""

    def __init__(self, qtbot: QtBot, out: Path, short: Path | None) -> None:
        self.qtbot, self.out, self.short = qtbot, out, short
        self.failures: list[BaseException] = []

    def visit(self) -> None:
        """What is done while the application runs; it is closed at the end, whatever happens."""
        try:
            self.window = next(
                widget
                for widget in QApplication.topLevelWidgets()
                if isinstance(widget, MainWindow) and widget.isVisible()
            )
            self.go_through_the_first_steps()
            self.watch_the_demo()
            self.compare()
            self.export()
            QTest.keyClick(self.window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
        except BaseException as exc:  # noqa: BLE001 - told where the application has ended
            self.failures.append(exc)
        finally:
            self.window.asks = False
            QApplication.closeAllWindows()

    def click(self, widget: QWidget) -> None:
        QTest.mouseClick(widget, LEFT)

    def wait(self, until: Callable[[], bool], timeout_ms: int = START_MS) -> None:
        self.qtbot.waitUntil(until, timeout=timeout_ms)

    def go_through_the_first_steps(self) -> None:
        first = self.window.first_run
        self.wait(first.isVisible)
        assert first.step == MICROPHONE
        self.click(first.forward)  # there is no microphone here
        assert first.step == MODELS
        assert "Next" in first.forward.text(), "models are missing"
        self.click(first.forward)
        assert first.step == DEMO
        self.wait(lambda: "Play" in first.forward.text())
        self.click(first.forward)
        assert not first.isVisible()

    def watch_the_demo(self) -> None:
        window = self.window
        if self.short is None:
            self.wait(lambda: window.controls.start.text() == "Stop")
            self.wait(lambda: window.controls.start.text() == "Start", REPLY_MS)
        else:
            self.wait(lambda: "ms" in window.headline.hidden.value.text(), REPLY_MS)
            self.click(window.controls.start)
            self.wait(lambda: window.controls.start.text() == "Start")
        assert "measured" in window.headline.first_word.words.text()
        assert window.profiler.frames > 30
        assert window.ladder.strip.tokens

    def compare(self) -> None:
        self.window.activateWindow()
        self.wait(self.window.isActiveWindow)
        QTest.keyClick(self.window, Qt.Key.Key_C)
        dialog = self.window.compare
        self.wait(dialog.isVisible)
        if self.short is not None:
            dialog.choose(self.short)
        self.wait(dialog.start.isEnabled)
        self.click(dialog.start)
        self.wait(dialog.view.isVisible, COMPARE_MS)
        assert "identical" in dialog.view.verdict.text()
        assert "measured" in dialog.view.headline.text()
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible()

    def export(self) -> None:
        self.window.activateWindow()
        self.wait(self.window.isActiveWindow)
        QTest.keyClick(self.window, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
        history = self.window.history
        self.wait(lambda: history.isVisible() and not history.busy)
        assert history.table.rowCount() == 1
        self.when(QMenu, self.choose_the_report)
        self.when(QFileDialog, self.name_the_file)
        self.click(history.export)
        self.wait(lambda: history.status.text().startswith("Exported"))
        assert history.status.text() == f"Exported to {self.out}"

    def when(self, kind: type[QWidget], then: Callable[[QWidget], None]) -> None:
        """Once a menu or a dialog has opened, which hold up whoever opened them."""
        timer = QTimer(self.window, interval=50)

        def look() -> None:
            found = QApplication.activePopupWidget() or QApplication.activeModalWidget()
            if isinstance(found, kind):
                timer.stop()
                then(found)

        timer.timeout.connect(look)
        timer.start()

    def choose_the_report(self, menu: QWidget) -> None:
        QTest.keyClick(menu, Qt.Key.Key_Down)
        QTest.keyClick(menu, Qt.Key.Key_Return)

    def name_the_file(self, dialog: QWidget) -> None:
        line = dialog.findChild(QLineEdit, "fileNameEdit")
        assert line is not None
        line.setCompleter(QCompleter())  # none of its files: their list would take the Return key
        line.selectAll()
        QTest.keyClicks(line, str(self.out))

        def accepted() -> bool:  # it reads the folder first
            QTest.keyClick(line, Qt.Key.Key_Return)
            return not dialog.isVisible()

        self.wait(accepted)


def said_in(page: Path) -> str:
    parser = Words()
    parser.feed(page.read_text("utf-8"))
    return " ".join(" ".join(parser.all).split())


@pytest.mark.usefixtures("models", "qapp")
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "short", [True, pytest.param(False, marks=pytest.mark.heavy, id="whole demo")]
)
def test_from_the_first_start_to_a_report(
    qtbot: QtBot,
    themed: Wear,
    recorded: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    short: bool,
) -> None:
    monkeypatch.setattr(sys, "argv", ["pads"])
    assert not paths.settings_file().exists()
    sound = question(recorded, tmp_path) if short else None
    visitor = Visitor(qtbot, tmp_path / "report.html", sound)
    QTimer.singleShot(0, visitor.visit)
    assert application.run() == 0
    if visitor.failures:
        raise visitor.failures[0]
    assert settings.load(paths.settings_file()).introduced
    (folder,) = sessions.folders()
    told = recording.read(folder)
    assert told.status == "finished"
    page = said_in(visitor.out)
    turns = list(figures.turns(told))
    answered = [turn for turn in turns if turn.reply is not None]
    assert answered
    for turn in answered:
        assert turn.reply is not None
        assert " ".join(turn.reply.text.split()) in page
        for figure in (turn.first_word, turn.hidden, turn.visible):
            assert charts.milliseconds(figure) in page
            assert figure.evidence in page
