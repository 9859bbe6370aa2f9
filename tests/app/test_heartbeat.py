"""When a source stops, the panels it feeds say so by turning grey."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.heartbeat import SILENT_S, Heartbeat
from app.main_window import MainWindow
from app.widgets.greyed import grey, is_grey
from engine import commands, events
from engine.outbox import Outbox
from engine.telemetry.vitals import VitalsReader


def opened(kind: str = "microphone") -> events.SourceOpened:
    return events.SourceOpened(heard_s=0, name="mic", kind=kind, seconds=None)


HEARD = events.AudioHeard(heard_s=0.03, low=0, high=0, p_speech=0, speech=False)
DEAD = events.WorkerDied(heard_s=0, name="engine", reason="a test")
READY = events.EngineReady(heard_s=0, elapsed_ms=1, details={})
ENDED = events.SourceEnded(heard_s=1, reason="closed")


def test_silence_of_an_open_source_is_no_life() -> None:
    beat = Heartbeat()
    assert beat.alive(0.0)
    beat.take(opened(), 10.0)
    assert beat.alive(10.0 + SILENT_S - 0.1)
    assert not beat.alive(10.0 + SILENT_S)
    beat.take(HEARD, 20.0)
    assert beat.alive(20.0 + SILENT_S - 0.1)
    beat.take(ENDED, 21.0)
    assert beat.alive(100.0)


def test_a_dead_engine_stays_dead_until_it_is_ready_again() -> None:
    beat = Heartbeat()
    beat.take(DEAD, 1.0)
    beat.take(HEARD, 1.0)
    assert not beat.alive(1.0)
    beat.take(READY, 2.0)
    assert beat.alive(2.0)


def test_a_source_opened_for_its_level_has_no_conversation_to_miss() -> None:
    beat = Heartbeat()
    beat.take(opened(events.CHECK), 1.0)
    assert beat.alive(1000.0)


def test_panels_turn_grey_when_the_engine_dies_and_back(window: MainWindow, outbox: Outbox) -> None:
    panels = (window.headline, window.profiler, window.conversation, window.ladder)
    window.bridge.deliver()
    assert not any(map(is_grey, panels))
    outbox.post(DEAD)
    window.bridge.deliver()
    assert all(map(is_grey, panels))
    assert not is_grey(window.vitals)
    outbox.post(READY)
    window.bridge.deliver()
    assert not any(map(is_grey, panels))


def test_grey_is_seen(window: MainWindow) -> None:
    before = window.headline.grab().toImage()
    grey(window.headline, True)
    assert window.headline.grab().toImage() != before
    grey(window.headline, False)
    assert window.headline.grab().toImage() == before


def test_vitals_turn_grey_when_no_readings_arrive_and_back(
    window: MainWindow, outbox: Outbox
) -> None:
    reading = VitalsReader().read()
    window.vitals._read_s -= 60  # as if nothing had come for a minute
    window.bridge.deliver()
    assert is_grey(window.vitals)
    assert "no readings arrive" in window.vitals.load.words.text()
    outbox.show(reading)
    window.bridge.deliver()
    assert not is_grey(window.vitals)


def test_the_recording_lamp_shines_only_while_sound_is_written(
    window: MainWindow, outbox: Outbox, qtbot: QtBot
) -> None:
    lamp, switch = window.controls.recording, window.sound.recording.switch
    assert not switch.isChecked()
    with qtbot.waitSignal(window.command) as asked:
        switch.click()
    assert asked.args == [commands.RecordSound(on=True)]
    assert not lamp.isVisible()
    for on in (True, False):
        outbox.post(events.SoundRecorded(heard_s=1, file="sound-1.wav", on=on))
        window.bridge.deliver()
        assert lamp.isVisible() == on
    assert switch.isChecked()
    outbox.post(events.SoundRecorded(heard_s=1, file="", on=False))
    window.bridge.deliver()
    assert not switch.isChecked()


def test_resting_for_heat_is_said_with_the_temperature(window: MainWindow, outbox: Outbox) -> None:
    assert not window.controls.rests.isVisible()
    outbox.post(events.SpeculationRested(heard_s=1, resting=True, reason="97 °C"))
    window.bridge.deliver()
    assert window.controls.rests.isVisible()
    assert window.controls.rests.text() == "PADS rests: 97 °C"
    outbox.post(events.SpeculationRested(heard_s=1, resting=False, reason=""))
    window.bridge.deliver()
    assert not window.controls.rests.isVisible()


def test_the_lamp_shines_in_presenter_mode_too(window: MainWindow, outbox: Outbox) -> None:
    window.presenter.show()
    for on in (True, False):
        outbox.post(events.SoundRecorded(heard_s=1, file="sound-1.wav", on=on))
        window.bridge.deliver()
        assert window.presenter.recording.isVisible() == on
    window.presenter.hide()
