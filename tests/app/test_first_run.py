"""The first steps: with everything, without a microphone, without models and network."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.dialogs.first_run import DEMO, MICROPHONE, MODELS, FirstRunDialog
from app.main_window import MainWindow
from app.preferences import Preferences
from engine import events, paths, settings
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import Settings

_MS = 120_000


@pytest.fixture
def no_microphone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without any input."""
    if any(Path("/proc/asound").glob("card[0-9]")):
        pytest.skip("this machine has a sound card")
    monkeypatch.setenv("PULSE_SERVER", f"unix:{tmp_path / 'nobody'}")


@pytest.fixture
def window(qtbot: QtBot, home: Path) -> Iterator[MainWindow]:
    outbox = Outbox()
    window = MainWindow(outbox, Preferences(Settings(), paths.settings_file()))
    window.show()
    qtbot.waitExposed(window)
    session = Session(Settings(), outbox, log_folder=None)
    window.command.connect(session.send)
    window.bridge.start()
    window.first_run.restart()
    session.start()
    try:
        yield window
    finally:
        assert session.stop(10)
        window.close()
        window.deleteLater()


def press(qtbot: QtBot, dialog: FirstRunDialog, key: Qt.Key = Qt.Key.Key_Space) -> None:
    """Go on by keyboard: the button that leads on has the focus."""
    qtbot.keyClick(dialog.forward, key)


@pytest.mark.usefixtures("models", "no_microphone")
def test_without_a_microphone_it_is_said_and_the_demo_plays(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog = window.first_run
    assert dialog.step == MICROPHONE
    assert "not ready yet" in dialog.waiting.text()
    qtbot.waitUntil(lambda: not dialog.waiting.isVisible(), timeout=_MS)
    qtbot.waitUntil(dialog.check.message.isVisible, timeout=_MS)
    assert "connect one, or play a demo" in dialog.check.message.text()
    qtbot.mouseClick(dialog.check.test, Qt.MouseButton.LeftButton)
    assert "Speak now" in dialog.check.verdict.text()
    qtbot.waitUntil(dialog.check.test.isEnabled, timeout=_MS)
    assert not dialog.check.verdict.text()
    assert "connect one, or play a demo" in dialog.check.message.text()
    assert not window.banner.isVisible()
    assert dialog.forward.text() == "&Skip this step"
    press(qtbot, dialog, Qt.Key.Key_Return)
    assert dialog.step == MODELS
    assert "nothing has to be fetched" in dialog.models.summary.text()
    assert {"silero-vad", "smart-turn-v3.2", "whisper-tiny-en"} <= dialog.models.cards.keys()
    assert not any(card.buttons.isVisible() for card in dialog.models.cards.values())
    assert dialog.forward.text() == "&Next"
    press(qtbot, dialog)
    assert dialog.step == DEMO
    assert dialog.about.text()
    dialog.demos.setCurrentIndex(1)
    assert dialog.forward.text() == "&Play the demo"
    opened: list[events.SourceOpened] = []
    window.bridge.listen(
        event=lambda e: opened.append(e) if isinstance(e, events.SourceOpened) else None
    )
    press(qtbot, dialog)
    qtbot.waitUntil(lambda: bool(opened), timeout=_MS)
    assert opened[0].name in str(paths.demo_recordings()[1])
    assert window.controls.source.currentIndex() == 1
    assert not dialog.isVisible()
    assert settings.load(paths.settings_file()).introduced


@pytest.fixture
def nothing_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No model, and nobody at the other end of the network."""
    monkeypatch.setenv("PADS_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"https://127.0.0.1:{closed.getsockname()[1]}/simple"
        monkeypatch.setenv("PIP_INDEX_URL", address)
        yield


@pytest.mark.usefixtures("nothing_here", "no_microphone")
def test_without_models_and_network_it_can_still_be_walked_through(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog = window.first_run
    qtbot.waitUntil(lambda: "step 2 fetches them" in dialog.waiting.text(), timeout=_MS)
    assert not dialog.check.test.isEnabled()
    press(qtbot, dialog)
    assert "4 models are missing or damaged" in dialog.models.summary.text()
    qtbot.mouseClick(dialog.models.fetch_all, Qt.MouseButton.LeftButton)
    assert dialog.models.progress.isVisible()
    qtbot.waitUntil(lambda: not window.model_work.busy, timeout=_MS)
    assert "there is no connection" in dialog.models.message.text()
    assert dialog.forward.text() == "&Skip this step"
    press(qtbot, dialog)
    assert "no demo can be played yet" in dialog.waiting.text()
    assert dialog.forward.text() == "&Finish without a demo"
    press(qtbot, dialog)
    assert not dialog.isVisible()
    assert window.isVisible()
    assert settings.load(paths.settings_file()).introduced


@pytest.mark.usefixtures("nothing_here")
def test_closing_it_at_any_step_ends_it_and_help_brings_it_back(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog = window.first_run
    press(qtbot, dialog)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert settings.load(paths.settings_file()).introduced
    (again,) = [a for a in window.menus.help.actions() if "First steps" in a.text()]
    again.trigger()
    assert dialog.isVisible()
    assert dialog.step == MICROPHONE
    qtbot.mouseClick(dialog.leave, Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()


@pytest.mark.usefixtures("nothing_here")
def test_a_window_that_is_closed_with_it_open_has_shown_it(window: MainWindow) -> None:
    assert window.first_run.isVisible()
    assert not settings.load(paths.settings_file()).introduced
    window.close()
    assert not window.first_run.isVisible()
    assert settings.load(paths.settings_file()).introduced


@pytest.mark.usefixtures("nothing_here")
def test_a_microphone_chosen_here_is_the_windows(qtbot: QtBot, window: MainWindow) -> None:
    dialog = window.first_run
    QApplication.processEvents()
    listed = events.InputsListed(heard_s=0, names=("Headset",), default=None)
    dialog.take(listed)
    window.sound.take(listed)
    dialog.check.picker.setFocus()
    with qtbot.waitSignal(window.microphone_chosen) as chosen:
        qtbot.keyClick(dialog.check.picker, Qt.Key.Key_Down)
    assert chosen.args == ["Headset"]
    assert window.sound.check.picker.currentText() == "Headset"
