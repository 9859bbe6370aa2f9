"""No words are cut off, shortened or over each other in any window, at any size of text."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTableWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app import languages
from app.screenshots import scenes
from app.screenshots.material import Material, logged, settle, told
from engine import events, paths
from engine.jobs import catalogue
from engine.jobs.launch import job_directory
from engine.records.progress import Phase, to_line
from engine.records.runs import RunDirectory
from engine.settings import AppearanceSettings
from engine.telemetry.vitals import VitalsReader
from tests.app.conftest import Wear
from tests.app.geometry import unreadable

LOOKS = [(percent, language) for language in ("en", "de") for percent in (100, 200)]


@pytest.fixture
def material(qapp: QApplication, recorded: Path, compared: Path, home: Path) -> Material:
    """The session and the run in the test's own home, and a run that goes on."""
    folder = paths.sessions() / recorded.name
    shutil.copytree(recorded, folder)
    run = paths.runs() / compared.name
    shutil.copytree(compared, run)
    running = job_directory(catalogue.find("compare"), {"recording": folder})
    with (running.folder / "progress.jsonl").open("w", encoding="utf-8") as file:
        file.write(to_line(Phase(name="PADS off: listening", fraction=0.4, eta_s=30.0)) + "\n")
    return Material(
        session=folder,
        vitals=[VitalsReader().read()],
        comparison=RunDirectory(run),
        running=running,
        appearance=AppearanceSettings(colours="dark"),
    )


@contextmanager
def speaking(application: QApplication, language: str) -> Iterator[None]:
    assert languages.speak(application, language) == language
    yield
    for translator in application.findChildren(QTranslator):
        application.removeTranslator(translator)
        translator.deleteLater()


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize(("percent", "language"), LOOKS)
def test_every_word_can_be_read_in_every_window(
    qapp: QApplication, material: Material, themed: Wear, percent: int, language: str
) -> None:
    every = {**scenes.SCENES, **scenes.RUNNING, **scenes.PRESENTED}
    appearance = AppearanceSettings(colours="dark", text_percent=percent, language=language)
    themed(appearance)
    found = {}
    with speaking(qapp, language):
        dressed = replace(material, appearance=appearance)
        for name, widget in scenes.shown(dressed, every):
            if wrong := unreadable(widget):
                found[name] = wrong
    assert found == {}


def test_the_moments_of_a_session(recorded: Path) -> None:
    """Before the answer work goes on; after it all is accounted for."""
    before, after = told(recorded, "working"), told(recorded, "answered")
    assert [type(event) for event in told(recorded, "idle")] == [events.EngineReady]
    assert not any(isinstance(event, events.TurnCommitted) for event in before)
    assert any(isinstance(event, events.TurnAccounted) for event in after)
    assert not any(isinstance(event, events.SourceEnded) for event in after)
    assert logged(recorded)[: len(after)] == after


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    page = QWidget()
    page.resize(600, 200)
    qtbot.addWidget(page)
    return page


def shown(page: QWidget, *widgets: QWidget) -> list[str]:
    row = QHBoxLayout(page)
    for widget in widgets:
        row.addWidget(widget)
    page.show()
    settle()
    return unreadable(page)


def box(*words: str) -> QComboBox:
    box = QComboBox()
    box.addItems(words)
    return box


def table(width: int) -> QTableWidget:
    table = QTableWidget(1, 1)
    table.setHorizontalHeaderLabels(["deep work hidden"])
    table.setColumnWidth(0, width)
    return table


def test_what_can_be_read_is_no_fault(page: QWidget) -> None:
    long = QLabel("so many words that they need more than one line of this page " * 3)
    long.setWordWrap(True)
    assert shown(page, QPushButton("Start"), long, box("a", "b"), table(300)) == []


def narrowed(widget: QWidget, width: int = 20) -> QWidget:
    widget.setFixedWidth(width)
    return widget


def lowered(widget: QWidget) -> QWidget:
    widget.setFixedHeight(5)
    return widget


def shortened() -> QLabel:
    label = QLabel("a sentence that is …")
    label.setAccessibleName("a sentence that is longer than its place")
    return label


@pytest.mark.parametrize(
    ("widget", "told_of"),
    [
        (lambda: narrowed(QLabel("many words")), "many words"),
        (lambda: lowered(QLabel("many words")), "many words"),
        (lambda: narrowed(QPushButton("Start")), "Start"),
        (lambda: narrowed(box("a long choice"), 60), "a long choice"),
        (lambda: table(40), "deep work hidden"),
        (shortened, "ellipsis"),
    ],
)
def test_what_cannot_be_read_is_found(page: QWidget, widget: object, told_of: str) -> None:
    assert callable(widget)
    (fault,) = shown(page, widget())
    assert told_of in fault


def test_words_over_words_and_out_of_view_are_found(page: QWidget) -> None:
    for x, words in ((10, "one"), (15, "other"), (590, "away")):
        label = QLabel(words, page)
        label.move(x, 10)
        label.adjustSize()
    page.show()
    settle()
    faults = unreadable(page)
    assert len(faults) == 2
    assert "lies over" in faults[1]
    assert "reaches out" in faults[0]
