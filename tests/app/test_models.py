"""The models manager over real files, a real package that pip finds, and the real engine."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.dialogs.models import ModelsDialog
from app.main_window import MainWindow
from app.preferences import Preferences
from app.widgets.model_card import ModelCard
from engine import commands, events, paths, settings
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import Settings
from engine.store import library, manifest
from tests.wheels import write_wheel

_MS = 120_000
_LANGUAGE = Settings().decoder.model
_LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def store(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A models folder of the test's own; its files are links to the real ones."""
    folder = tmp_path / "models"
    for model in manifest.read():
        place, real = folder / model.file, models / model.file
        place.parent.mkdir(parents=True, exist_ok=True)
        if real.exists():
            place.symlink_to(real)
    monkeypatch.setenv("PADS_MODELS", str(folder))
    return folder


@pytest.fixture
def with_voice(store: Path) -> Path:
    """The same with a voice in it, which set-up leaves out; only its size is looked at."""
    for model in manifest.read():
        place = store / model.file
        if model.name.startswith("piper-joe") and not place.exists():
            place.touch()
            os.truncate(place, model.size)
    return store


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which pip finds packages while the test runs."""
    folder = tmp_path / "offered"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def window(qtbot: QtBot, outbox: Outbox, store: Path, home: Path) -> Iterator[MainWindow]:
    window = MainWindow(outbox, Preferences(Settings(), paths.settings_file()))
    window.show()
    qtbot.waitExposed(window)
    yield window
    window.close()
    window.deleteLater()


@pytest.fixture
def dialog(qtbot: QtBot, window: MainWindow) -> ModelsDialog:
    window.models.show()
    qtbot.waitExposed(window.models)
    return window.models


def card(dialog: ModelsDialog, name: str) -> ModelCard:
    dialog.page.refresh()
    return dialog.page.cards[name]


def state(dialog: ModelsDialog, name: str) -> str:
    return card(dialog, name).accessibleName().rpartition(": ")[2]


def ended(qtbot: QtBot, dialog: ModelsDialog) -> str:
    """Wait for the work under way, and read the sentence it ends with."""
    qtbot.waitUntil(lambda: not dialog.page.work.busy, timeout=_MS)
    return dialog.page.message.text()


def spoil(store: Path) -> None:
    """Take the speech detector away and cut the turn-end model off."""
    (store / "silero_vad.onnx").unlink()
    turn_end = store / "smart-turn-v3.2-cpu.onnx"
    content = turn_end.read_bytes()[:1000]
    turn_end.unlink()
    turn_end.write_bytes(content)


def offer_listening_models(index: Path, models: Path) -> None:
    """The real files in a package under its real name."""
    wanted = [m for m in manifest.read() if m.source == "pipecat-ai==1.14.0"]
    members = {str(m.member): (models / m.file).read_bytes() for m in wanted}
    write_wheel(index, "pipecat_ai", "1.14.0", members)


def test_every_model_tells_its_purpose_size_licence_and_state(
    dialog: ModelsDialog, store: Path, models: Path
) -> None:
    spoil(store)
    whisper = card(dialog, "whisper-tiny-en")
    assert whisper.about.text().startswith("Writes down what you say.")
    size = sum(m.size for m in manifest.read() if m.name.startswith("whisper-tiny-en"))
    assert f"{size / 1e6:.0f} MB · licence: MIT" in whisper.facts.text()
    assert state(dialog, "whisper-tiny-en") == "in use", "three files are one model"
    assert state(dialog, "silero-vad") == "missing"
    assert state(dialog, "smart-turn-v3.2") == "damaged"
    assert "1000 of 8679182 bytes" in card(dialog, "smart-turn-v3.2").trouble.text()
    assert state(dialog, _LANGUAGE) == "in use"
    roles = {model.role for model in manifest.read()}
    assert len(dialog.page.cards) == len(roles)
    assert "2 models are missing or damaged" in dialog.page.summary.text()
    assert "measured" in dialog.page.summary.text()


def test_missing_models_are_fetched_and_the_engine_that_lacked_them_is_asked_again(
    qtbot: QtBot, dialog: ModelsDialog, store: Path, index: Path, models: Path
) -> None:
    spoil(store)
    offer_listening_models(index, models)
    dialog.page.refresh()
    dialog.take(events.EngineFailed(heard_s=0, message="silero-vad is missing"))
    assert dialog.page.fetch_all.text() == "&Fetch what is missing (11 MB)"
    with qtbot.waitSignal(dialog.command, timeout=_MS) as asked:
        qtbot.mouseClick(dialog.page.fetch_all, _LEFT)
        assert dialog.page.progress.isVisible()
        assert not dialog.page.fetch_all.isEnabled()
    assert asked.args == [commands.Retry()]
    assert ended(qtbot, dialog) == "Fetched and checked."
    assert state(dialog, "silero-vad") == state(dialog, "smart-turn-v3.2") == "in use"
    assert "nothing has to be fetched" in dialog.page.summary.text()
    assert not dialog.page.fetch_all.isVisible()


def test_a_fetch_is_cancelled_and_leaves_nothing_half_written(
    qtbot: QtBot, dialog: ModelsDialog, store: Path, index: Path, models: Path
) -> None:
    spoil(store)
    before = {path.name for path in store.iterdir()}
    offer_listening_models(index, models)
    qtbot.mouseClick(card(dialog, "silero-vad").fetching, _LEFT)
    qtbot.mouseClick(dialog.page.cancel, _LEFT)
    assert ended(qtbot, dialog).startswith("Cancelled: what was fetched whole stays")
    assert {path.name for path in store.iterdir()} == before
    assert not dialog.page.cancel.isVisible()


def test_without_a_network_that_is_said_and_the_window_goes_on(
    qtbot: QtBot, dialog: ModelsDialog, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(store)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nowhere = f"https://127.0.0.1:{closed.getsockname()[1]}/simple"
        monkeypatch.setenv("PIP_INDEX_URL", nowhere)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        dialog.page.refresh()
        qtbot.mouseClick(dialog.page.fetch_all, _LEFT)
        turns: list[int] = []
        qtbot.waitUntil(lambda: turns.append(1) is None and len(turns) > 3, timeout=_MS)
        sentence = ended(qtbot, dialog)
    assert "there is no connection" in sentence
    assert "check the network" in sentence
    assert dialog.page.message.accessibleName() == sentence
    assert state(dialog, "silero-vad") == "missing"


def test_a_check_finds_bytes_that_changed(qtbot: QtBot, dialog: ModelsDialog, store: Path) -> None:
    place = store / "silero_vad.onnx"
    content = bytearray(place.read_bytes())
    place.unlink()
    content[1000] ^= 1
    place.write_bytes(content)
    assert state(dialog, "silero-vad") == "in use", "its size is right"
    qtbot.mouseClick(dialog.page.check_all, _LEFT)
    assert ended(qtbot, dialog) == "Damaged: silero-vad. Fetch them again."
    assert state(dialog, "silero-vad") == "damaged"
    assert card(dialog, "silero-vad").fetching.text() == "Fetch again"
    qtbot.mouseClick(card(dialog, "whisper-tiny-en").checking, _LEFT)
    assert ended(qtbot, dialog) == "3 files are as they should be, to the last bit."


def test_deleting_asks_first_and_never_takes_what_is_in_use(
    with_voice: Path, dialog: ModelsDialog
) -> None:
    for name in ("silero-vad", "whisper-tiny-en", _LANGUAGE):
        assert not card(dialog, name).deleting.isEnabled()
        assert card(dialog, name).deleting.accessibleDescription()
    voice = card(dialog, "piper-joe")
    voice.deleting.click()
    assert voice.confirm.isVisible()
    assert "Delete piper-joe and free" in voice.question.text()
    voice.keep.click()
    assert not voice.confirm.isVisible()
    assert (with_voice / "piper-joe" / "en_US-joe-medium.onnx").exists()
    voice.deleting.click()
    voice.sure.click()
    assert not list((with_voice / "piper-joe").iterdir())
    assert dialog.page.message.text().startswith("Deleted: ")
    assert state(dialog, "piper-joe") == "missing"


def drop(window: MainWindow, *files: Path) -> bool:
    """Drop files on the window as a file manager does; whether they were taken."""
    carried = QMimeData()
    carried.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    how = (Qt.DropAction.CopyAction, carried, _LEFT, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(QPoint(50, 50), *how)
    QApplication.sendEvent(window, enter)
    if not enter.isAccepted():
        return False
    QApplication.sendEvent(window, QDropEvent(QPointF(50, 50), *how, QEvent.Type.Drop))
    return True


@pytest.fixture
def mine(models: Path, tmp_path: Path) -> Path:
    """A language model that is not one of ours: longer by a few bytes."""
    file = tmp_path / "Mine.gguf"
    shutil.copy(models / manifest.find(_LANGUAGE).file, file)
    with file.open("ab") as content:
        content.write(b"longer, and so another file")
    return file


def test_a_dropped_file_is_inspected_and_added_as_the_user_chooses(
    qtbot: QtBot, window: MainWindow, dialog: ModelsDialog, mine: Path, tmp_path: Path
) -> None:
    picture = tmp_path / "picture.png"
    picture.touch()
    assert not drop(window, picture)
    dialog.hide()
    assert drop(window, picture, mine)
    qtbot.waitUntil(dialog.offer.isVisible, timeout=_MS)
    assert "Mine.gguf can be used: llama, 30 layers, q4_1" in dialog.question.text()
    assert "licence: apache-2.0" in dialog.question.text()
    assert library.added() == (), "nothing is taken before the user has chosen"
    dialog.linking.click()
    assert "mine was added" in ended(qtbot, dialog)
    assert state(dialog, "mine") == "present"
    assert str(mine) in card(dialog, "mine").facts.text()

    def can_be_used() -> bool:
        return card(dialog, "mine").using.isVisible()

    qtbot.waitUntil(can_be_used, timeout=_MS)

    card(dialog, "mine").deleting.click()
    assert "Its file stays where it is" in card(dialog, "mine").question.text()
    card(dialog, "mine").sure.click()
    assert mine.exists()
    assert "mine" not in dialog.page.cards

    assert drop(window, mine)
    qtbot.waitUntil(dialog.offer.isVisible, timeout=_MS)
    dialog.copying.click()
    assert "mine was added" in ended(qtbot, dialog)
    (model,) = library.added()
    assert model.sha256 == hashlib.sha256(mine.read_bytes()).hexdigest()
    assert (paths.added_models() / "mine.gguf").stat().st_size == mine.stat().st_size


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        (lambda whole: b"no model at all", "is not a GGUF file"),
        (lambda whole: whole[:-1_000_000], "is truncated"),
        (lambda whole: whole[:5_000], "is damaged in its header"),
    ],
)
def test_a_dropped_file_that_cannot_be_used_is_refused_with_the_reason(
    qtbot: QtBot,
    window: MainWindow,
    dialog: ModelsDialog,
    mine: Path,
    spoilt: Callable[[bytes], bytes],
    why: str,
) -> None:
    mine.write_bytes(spoilt(mine.read_bytes()))
    assert drop(window, mine)
    assert why in ended(qtbot, dialog)
    assert not dialog.offer.isVisible()
    assert library.added() == ()


def test_the_language_model_is_switched_kept_in_the_settings_and_switched_back(
    qtbot: QtBot, window: MainWindow, dialog: ModelsDialog, outbox: Outbox, mine: Path
) -> None:
    library.add(mine, licence="MIT", note="", copy=False, report=lambda *_: None)
    session = Session(Settings(), outbox, log_folder=None)
    window.command.connect(session.send)
    window.bridge.start()
    session.start()
    try:
        qtbot.waitUntil(window.controls.start.isEnabled, timeout=_MS)
        card(dialog, "mine").using.click()
        qtbot.waitUntil(lambda: "answers from now on" in dialog.page.message.text(), timeout=_MS)
        qtbot.waitUntil(lambda: "Mine.gguf" in window.certificate.text, timeout=_MS)
        assert (state(dialog, "mine"), state(dialog, _LANGUAGE)) == ("in use", "present")
        kept = settings.load(paths.settings_file()).decoder
        assert (kept.model, kept.exit_layer) == ("mine", 15)

        # Whole when it is looked at, and gone before the decoder opens it: the switch fails.
        asked = window.command
        default = paths.fetched_models() / manifest.find(_LANGUAGE).file
        target = default.resolve()

        def gone(command: object) -> None:
            if isinstance(command, commands.SwitchModel):
                default.unlink(missing_ok=True)

        asked.disconnect()
        asked.connect(gone)
        asked.connect(session.send)
        card(dialog, _LANGUAGE).using.click()
        qtbot.waitUntil(lambda: "mine answers still" in dialog.page.message.text(), timeout=_MS)
        assert "is missing" in dialog.page.message.text()
        assert settings.load(paths.settings_file()).decoder.model == "mine"
        default.symlink_to(target)
    finally:
        assert session.stop(10)
        window.bridge.stop()
