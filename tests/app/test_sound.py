"""The sound dialog over the real engine and a real microphone behind PulseAudio."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from app.dialogs.sound import SoundDialog
from app.main_window import MainWindow
from engine import commands, events
from engine.events import LevelRead
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import Settings, VoiceSettings
from tests.engine.sounds import RATE, levelled, load
from tests.virtual_microphone import VirtualMicrophone, virtual_microphone

__all__ = ["virtual_microphone"]

_MS = 30_000


@pytest.fixture
def dialog(qtbot: QtBot) -> SoundDialog:
    dialog = SoundDialog("Headset", VoiceSettings())
    qtbot.addWidget(dialog)
    return dialog


def offers(picker: QComboBox) -> list[str]:
    return [picker.itemText(i) for i in range(picker.count())]


def test_inputs_are_offered_by_name_and_a_remembered_one_that_is_away(dialog: SoundDialog) -> None:
    dialog.take(events.InputsListed(heard_s=0, names=("Laptop", "Camera"), default="Laptop"))
    assert offers(dialog.check.picker) == [
        "System default (Laptop)",
        "Laptop",
        "Camera",
        "Headset (not connected)",
    ]
    assert dialog.check.picker.currentText() == "Headset (not connected)"
    dialog.take(events.InputsListed(heard_s=0, names=("Headset",), default="Headset"))
    assert offers(dialog.check.picker) == ["System default (Headset)", "Headset"]
    assert dialog.check.picker.currentText() == "Headset"


def test_a_choice_by_keyboard_is_told_and_opened(qtbot: QtBot, dialog: SoundDialog) -> None:
    dialog.take(events.EngineReady(heard_s=0, elapsed_ms=1, details={}))
    dialog.take(events.InputsListed(heard_s=0, names=("Laptop",), default="Laptop"))
    dialog.show()
    dialog.check.picker.setFocus()
    asked: list[object] = []
    dialog.command.connect(asked.append)
    with qtbot.waitSignal(dialog.chosen) as chosen:
        qtbot.keyClick(dialog.check.picker, Qt.Key.Key_Up)
    assert chosen.args == ["Laptop"]
    assert dialog.check.microphone == "Laptop"
    assert asked[-1] == commands.CheckMicrophone(name="Laptop")


def test_a_conversation_goes_on_with_another_microphone(qtbot: QtBot, dialog: SoundDialog) -> None:
    dialog.take(events.SourceOpened(heard_s=0, name="x", kind="microphone", seconds=None))
    dialog.take(events.InputsListed(heard_s=0, names=("Laptop",), default="Laptop"))
    with qtbot.waitSignal(dialog.command) as asked:
        qtbot.keyClick(dialog.check.picker, Qt.Key.Key_Up)
    assert asked.args == [commands.OpenMicrophone(name="Laptop")]


def test_spoken_replies_are_switched_by_keyboard_and_explained(
    qtbot: QtBot, dialog: SoundDialog
) -> None:
    dialog.show()
    voice = dialog.voice
    assert voice.switch.accessibleName() == "Voice off"
    assert "not listened to" in voice.meaning.text()
    voice.switch.setFocus()
    with qtbot.waitSignal(dialog.command) as asked:
        qtbot.keyClick(voice.switch, Qt.Key.Key_Space)
    assert asked.args == [commands.SwitchVoice(on=True, listening="speaker")]
    assert voice.switch.accessibleName() == "Voice on"
    voice.way.setFocus()
    with qtbot.waitSignal(dialog.command) as asked:
        qtbot.keyClick(voice.way, Qt.Key.Key_Down)
    assert asked.args == [commands.SwitchVoice(on=True, listening="headphones")]
    assert voice.way.accessibleName() == "Replies are heard through"
    assert voice.way.accessibleDescription() == voice.meaning.text()
    assert "it stops" in voice.meaning.text()


def test_the_meter_says_what_it_shows_and_goes_dark_when_nothing_comes(
    qtbot: QtBot, dialog: SoundDialog
) -> None:
    dialog.show()
    dark = dialog.check.meter.grab().toImage()
    dialog.show_gauge(LevelRead(rms_dbfs=-20, peak_dbfs=-6, held_dbfs=-3, clipping=True))
    assert dialog.check.reading.text() == "peak -3 dBFS · clipping · measured"
    assert dialog.check.meter.accessibleDescription() == dialog.check.reading.text()
    lit = dialog.check.meter.grab().toImage()
    assert lit != dark
    dialog.show_gauge(LevelRead(rms_dbfs=-20, peak_dbfs=-6, held_dbfs=-3, clipping=False))
    assert dialog.check.meter.grab().toImage() != lit

    def went_dark() -> bool:
        dialog.redraw()
        return dialog.check.reading.text() == "no sound arrives"

    qtbot.waitUntil(went_dark, timeout=30_000)
    assert dialog.check.meter.grab().toImage() == dark


def test_what_was_lost_and_what_is_the_matter_is_told(dialog: SoundDialog) -> None:
    dialog.show()
    dialog.take(events.SourceOpened(heard_s=0, name="x", kind="microphone", seconds=None))
    dialog.take(events.BlocksDropped(heard_s=1, blocks=3))
    dialog.take(events.BlocksDropped(heard_s=2, blocks=2))
    assert dialog.check.lost.text() == "5 audio blocks lost · measured"
    dialog.take(events.Problem(heard_s=3, message="The microphone x is gone: connect it"))
    assert dialog.check.message.isVisible()
    assert dialog.check.message.accessibleName() == "The microphone x is gone: connect it"
    dialog.take(events.SourceRecovered(heard_s=4, name="x"))
    assert dialog.check.message.text() == "x is back."


@pytest.fixture
def window(
    qtbot: QtBot, virtual_microphone: VirtualMicrophone, models: Path
) -> Iterator[MainWindow]:
    outbox = Outbox()
    window = MainWindow(outbox, pads=True)
    qtbot.addWidget(window)
    window.show()
    session = Session(Settings(), outbox, log_folder=None)
    window.command.connect(session.send)
    window.bridge.start()
    session.start()
    try:
        qtbot.waitUntil(window.controls.start.isEnabled, timeout=60_000)
        yield window
    finally:
        assert session.stop(10)
        window.bridge.stop()


def test_a_microphone_is_checked_unplugged_and_comes_back(
    qtbot: QtBot,
    window: MainWindow,
    virtual_microphone: VirtualMicrophone,
    data: Path,
    tmp_path: Path,
) -> None:
    speech = data / "audio" / "livekit_weather_question.wav"
    seen: list[events.Event] = []
    window.bridge.listen(event=seen.append)
    qtbot.mouseClick(window.controls.sound, Qt.MouseButton.LeftButton)
    sound = window.sound
    qtbot.waitUntil(lambda: sound.check.meter.level is not None, timeout=_MS)
    qtbot.waitUntil(lambda: len(offers(sound.check.picker)) > 1, timeout=_MS)
    default, *inputs = offers(sound.check.picker)
    assert default in [f"System default ({name})" for name in inputs]

    sound.check.test.setFocus()
    player = virtual_microphone.play(said_at(-26.0, speech, tmp_path / "said.wav"))
    qtbot.keyClick(sound.check.test, Qt.Key.Key_Space)
    assert "Speak now" in sound.check.verdict.text()
    qtbot.waitUntil(lambda: not sound.check.verdict.text().startswith("Speak"), timeout=_MS)
    assert sound.check.verdict.text().startswith("Fine")
    player.terminate()
    player.wait(30)
    assert window.controls.start.text() == "Start", "a check is no conversation"

    virtual_microphone.unplug()
    qtbot.waitUntil(sound.check.message.isVisible, timeout=_MS)
    assert "micro" in sound.check.message.text().lower()
    virtual_microphone.plug()
    qtbot.waitUntil(lambda: sound.check.message.text().endswith("is back."), timeout=_MS)
    qtbot.waitUntil(lambda: sound.check.meter.level is not None, timeout=_MS)
    assert sound.check.lost.text() == "0 audio blocks lost · measured"

    sound.close()
    qtbot.waitUntil(lambda: any(isinstance(e, events.SourceEnded) for e in seen), timeout=_MS)
    assert not any(isinstance(e, events.TurnCommitted) for e in seen)


def said_at(dbfs: float | None, speech: Path, file: Path) -> Path:
    """The speech, three times over at a level; None is as loud as a full-scale overdrive."""
    once = load(speech)
    loud = np.clip(once * np.float32(30.0), -1.0, 1.0) if dbfs is None else levelled(once, dbfs)
    soundfile.write(file, np.tile(loud, 3), RATE)
    return file


def test_too_quiet_silent_and_too_loud_are_told_apart_live(
    qtbot: QtBot,
    window: MainWindow,
    virtual_microphone: VirtualMicrophone,
    data: Path,
    tmp_path: Path,
) -> None:
    speech = data / "audio" / "livekit_weather_question.wav"
    sound = window.sound
    qtbot.mouseClick(window.controls.sound, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: sound.check.meter.level is not None, timeout=_MS)

    def tested(verdict: str) -> None:
        qtbot.waitUntil(sound.check.test.isEnabled, timeout=_MS)
        qtbot.keyClick(sound.check.test, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: not sound.check.verdict.text().startswith("Speak"), timeout=_MS)
        assert sound.check.verdict.text().startswith(verdict)

    tested("Silent: nothing arrives")
    for dbfs, verdict in ((-50.0, "Too quiet: come closer"), (None, "Too loud: speech distorts")):
        player = virtual_microphone.play(said_at(dbfs, speech, tmp_path / "said.wav"))
        tested(verdict)
        assert "dBFS, measured" in sound.check.verdict.text()
        player.terminate()
        player.wait(30)
    sound.close()


def test_the_default_input_changes_while_it_listens(
    qtbot: QtBot, window: MainWindow, virtual_microphone: VirtualMicrophone, data: Path
) -> None:
    speech = data / "audio" / "livekit_weather_question.wav"
    seen: list[events.Event] = []
    window.bridge.listen(event=seen.append)

    def committed() -> int:
        return sum(isinstance(event, events.TurnCommitted) for event in seen)

    window.command.emit(commands.OpenMicrophone())
    qtbot.waitUntil(lambda: any(isinstance(e, events.AudioHeard) for e in seen), timeout=_MS)
    virtual_microphone.play(speech)
    qtbot.waitUntil(lambda: committed() == 1, timeout=_MS)

    virtual_microphone.control("load-module", "module-null-sink", "sink_name=den")
    headset = ("module-remap-source", "master=den.monitor", "source_name=headset")
    virtual_microphone.control("load-module", *headset)
    virtual_microphone.control("set-default-source", "headset")
    ends_s = time.monotonic() + 60.0
    while committed() == 1 and time.monotonic() < ends_s:  # moving loses what is said meanwhile
        virtual_microphone.play(speech, "--device=den").wait(30)
        qtbot.wait(2000)  # Qt runs; the turn is committed meanwhile
    assert committed() > 1
    assert not any(isinstance(event, events.SourceEnded) for event in seen)
    window.command.emit(commands.CloseSource())
    qtbot.waitUntil(lambda: any(isinstance(e, events.SourceEnded) for e in seen), timeout=_MS)
