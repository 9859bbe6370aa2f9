"""The window speaks German, and English where there is no translation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import app
from app import languages
from app.engine_words import worded
from app.jobs import words
from app.main_window import MainWindow
from engine import events
from engine.outbox import Outbox

CODE = Path(app.__file__).parent
SHOWING = {
    "QLabel",
    "QPushButton",
    "QCheckBox",
    "QRadioButton",
    "QGroupBox",
    "QAction",
    "QMenu",
    "setText",
    "setTitle",
    "setWindowTitle",
    "setToolTip",
    "setPlaceholderText",
    "setAccessibleName",
    "setAccessibleDescription",
    "setStatusTip",
    "addItem",
    "addTab",
    "addRow",
    "addButton",
    "addAction",
    "addMenu",
    "setHorizontalHeaderLabels",
}
NAMES = {"PADS", "PADS Live"}  # are the same in every language


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    before = qapp.findChildren(QTranslator)
    assert languages.speak(qapp, "de") == "de"
    yield
    for translator in qapp.findChildren(QTranslator):
        if translator not in before:
            qapp.removeTranslator(translator)
            translator.deleteLater()


@pytest.mark.usefixtures("german")
def test_the_window_speaks_german(qtbot: QtBot) -> None:
    outbox = Outbox()
    window = MainWindow(outbox)
    qtbot.addWidget(window)
    controls = window.controls
    assert controls.compare.text() == "Vergleichen …"
    assert window.menus.file.title() == "&Datei"
    assert window.settings.windowTitle() == "Einstellungen"
    outbox.post(events.SourceOpened(heard_s=0.0, name="a", kind="file", seconds=9.0))
    outbox.post(events.StateChanged(heard_s=1.0, turn=1, state=events.TurnState.SPEAKING))
    window.bridge.deliver()
    assert controls.status.text() == "Sie sprechen"
    outbox.post(events.EngineProgress(heard_s=0.0, step="Loading the language model", fraction=0.5))
    window.bridge.deliver()
    assert controls.status.text() == "Sprachmodell laden …"
    assert words.title("compare") == "Mit und ohne PADS vergleichen"
    assert worded("put together as it is said: 5") == "put together as it is said: 5"
    assert "Mausrad" in window.profiler.inspector.words.text()
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"


def test_english_is_spoken_where_there_is_no_translation(qapp: QApplication) -> None:
    before = len(qapp.findChildren(QTranslator))
    assert languages.speak(qapp, "en") == "en"
    assert languages.speak(qapp, "tlh") == "en"
    assert len(qapp.findChildren(QTranslator)) - before <= 1


@pytest.mark.parametrize(
    ("desktop", "spoken"),
    [(["de-AT", "en"], "de"), (["fr-FR", "de-DE"], "de"), (["en-GB", "de"], "en"), (["fr"], "en")],
)
def test_the_desktop_s_languages_are_asked_in_order(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, desktop: list[str], spoken: str
) -> None:
    monkeypatch.setattr(QLocale, "uiLanguages", lambda _: desktop)
    try:
        assert languages.speak(qapp, "system") == spoken
    finally:
        for translator in qapp.findChildren(QTranslator):
            qapp.removeTranslator(translator)
            translator.deleteLater()


def called(node: ast.Call) -> str:
    """The name of what is called."""
    match node.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def bare(node: ast.AST) -> Iterator[str]:
    """Words in an argument that are not looked up in the translations."""
    match node:
        case ast.Call():
            return  # what is called is looked at by itself
        case ast.Constant(value=str(words)):
            if any(letter.isalpha() for letter in words) and words not in NAMES:
                yield words
        case ast.JoinedStr(values=parts):
            text = "".join(p.value for p in parts if isinstance(p, ast.Constant))
            visible = text.partition("<")[0] + text.rpartition(">")[2]
            if sum(letter.isalpha() for letter in visible) > 4:  # units stand in every language
                yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from bare(body)
            yield from bare(orelse)
        case ast.BinOp(left=left, right=right):
            yield from bare(left)
            yield from bare(right)
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            for element in elements:
                yield from bare(element)


def untranslated(code: str) -> list[str]:
    """Words given to a widget as they are."""
    return [
        words
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call) and called(node) in SHOWING
        for argument in node.args
        for words in bare(argument)
    ]


def test_no_words_reach_a_widget_untranslated() -> None:
    found = {
        str(file.relative_to(CODE)): words
        for file in sorted(CODE.rglob("*.py"))
        if (words := untranslated(file.read_text("utf-8")))
    }
    assert found == {}


def test_untranslated_words_are_found() -> None:
    code = 'QLabel("Hello"); x.setText(f"{n} pauses"); QLabel(self.tr("Fine")); QLabel(f"{n} ms")'
    assert untranslated(code) == ["Hello", " pauses"]
