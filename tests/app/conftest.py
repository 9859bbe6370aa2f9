"""What tests of the window share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import soundfile
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import theme
from app.main_window import MainWindow
from engine.outbox import Outbox
from engine.settings import AppearanceSettings

Wear = Callable[[AppearanceSettings], None]


@pytest.fixture
def themed(qapp: QApplication) -> Iterator[Wear]:
    """The dark look at text size 100 %, taken off again; call it to wear another."""
    font, palette, style = qapp.font(), qapp.palette(), qapp.style().name()

    def wear(appearance: AppearanceSettings) -> None:
        theme.apply(qapp, appearance)

    wear(AppearanceSettings(colours="dark"))
    yield wear
    # Windows that are closed need not be dressed once more, which takes a second.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    wear(AppearanceSettings(colours="dark"))
    qapp.setStyleSheet("")
    if qapp.style().name() != style:
        qapp.setStyle(style)
    qapp.setPalette(palette)
    qapp.setFont(font)


@pytest.fixture
def outbox() -> Outbox:
    """What a test's window and its engine exchange."""
    return Outbox()


@pytest.fixture
def window(qtbot: QtBot, outbox: Outbox) -> Iterator[MainWindow]:
    """The window, drawn, without an engine; modules that need another have their own."""
    window = MainWindow(outbox, pads=True)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    yield window
    window.close()


def question(recorded: Path, folder: Path) -> Path:
    """The question that the recorded session begins with, three seconds, as a file in `folder`."""
    sound, rate = soundfile.read(recorded.parent.parent / "first turn.wav", frames=3 * 16_000)
    soundfile.write(folder / "question.wav", sound, rate)
    return folder / "question.wav"


@pytest.fixture
def sent(window: MainWindow) -> list[Any]:
    """What the window asks of the engine, as it comes."""
    found: list[Any] = []
    window.command.connect(found.append)
    return found
