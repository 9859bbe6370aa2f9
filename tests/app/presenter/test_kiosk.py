"""The kiosk loop by a moved clock and the engine's events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.presenter.kiosk import ATTRACT_S, IDLE_S, RESULT_S, Kiosk, Phase
from engine import commands, events

DEMOS = [Path("a.flac"), Path("b.flac")]


@pytest.fixture
def sent() -> list[Any]:
    return []


@pytest.fixture
def kiosk(sent: list[Any]) -> Kiosk:
    return Kiosk(DEMOS, sent.append, lambda: "Headset")


def heard(*, speech: bool) -> events.AudioHeard:
    return events.AudioHeard(heard_s=1, low=0, high=0, p_speech=float(speech), speech=speech)


def opened(kind: str) -> events.SourceOpened:
    return events.SourceOpened(heard_s=0, name="it", kind=kind, seconds=None)


def ended(reason: str) -> events.SourceEnded:
    return events.SourceEnded(heard_s=9, reason=reason)


def demo(kiosk: Kiosk, now_s: float) -> None:
    """A demo from its opening, which closes what was open, to its end."""
    kiosk.take(ended("closed"), now_s)
    assert kiosk.phase is Phase.DEMO
    kiosk.take(opened("file"), now_s)
    kiosk.take(ended("finished"), now_s + 30)


def test_demos_follow_each_other_with_the_attract_screen_between(
    kiosk: Kiosk, sent: list[Any]
) -> None:
    kiosk.start(100.0)
    assert kiosk.phase is Phase.ATTRACT
    assert sent == [commands.CheckMicrophone(name="Headset")]
    kiosk.tick(100.0 + ATTRACT_S - 0.1)
    assert kiosk.phase is Phase.ATTRACT
    now_s = 100.0 + ATTRACT_S
    for name in ("a.flac", "b.flac", "a.flac"):
        kiosk.tick(now_s)
        assert sent[-1] == commands.OpenFile(path=name)
        demo(kiosk, now_s)
        assert kiosk.phase is Phase.RESULT
        kiosk.tick(now_s + 30 + RESULT_S)
        assert kiosk.phase is Phase.ATTRACT
        now_s += 30 + RESULT_S + ATTRACT_S


def test_a_voice_at_the_attract_screen_gets_the_microphone_and_a_cough_does_not(
    kiosk: Kiosk, sent: list[Any]
) -> None:
    kiosk.start(0.0)
    for _ in range(9):
        kiosk.take(heard(speech=True), 1.0)
    kiosk.take(heard(speech=False), 1.0)
    assert kiosk.phase is Phase.ATTRACT
    for _ in range(10):
        kiosk.take(heard(speech=True), 2.0)
    assert kiosk.phase is Phase.VISITOR
    assert sent[-1] == commands.OpenMicrophone(name="Headset")


def test_a_visitor_who_has_left_gives_the_loop_its_turn(kiosk: Kiosk, sent: list[Any]) -> None:
    kiosk.start(0.0)
    kiosk.interrupt(10.0)
    kiosk.take(heard(speech=True), 30.0)
    kiosk.tick(30.0 + IDLE_S - 1)
    assert kiosk.phase is Phase.VISITOR
    kiosk.interrupt(40.0)
    kiosk.tick(40.0 + IDLE_S)
    assert kiosk.phase is Phase.ATTRACT
    assert sent[-1] == commands.CheckMicrophone(name="Headset")


def test_muted_it_opens_no_microphone(kiosk: Kiosk, sent: list[Any]) -> None:
    kiosk.muted = True
    kiosk.start(0.0)
    kiosk.interrupt(1.0)
    assert sent == [commands.CloseSource(), commands.CloseSource()]


def test_a_demo_that_cannot_be_played_does_not_stop_the_loop(kiosk: Kiosk, sent: list[Any]) -> None:
    kiosk.start(0.0)
    kiosk.tick(ATTRACT_S)
    kiosk.take(ended("The recording a.flac cannot be played: choose another"), ATTRACT_S)
    assert kiosk.phase is Phase.RESULT


def test_outside_the_loop_the_next_demo_is_played_and_nothing_else_happens(
    kiosk: Kiosk, sent: list[Any]
) -> None:
    assert kiosk.next_demo(0.0) == DEMOS[0]
    kiosk.interrupt(1.0)
    kiosk.tick(1000.0)
    assert kiosk.phase is Phase.OFF
    assert sent == [commands.OpenFile(path="a.flac")]
    kiosk.start(0.0)
    kiosk.stop()
    assert kiosk.phase is Phase.OFF
    assert Kiosk([], sent.append, lambda: None).next_demo(0.0) is None


def test_a_voice_is_only_waited_for_while_a_microphone_is_open(kiosk: Kiosk) -> None:
    kiosk.start(0.0)
    assert not kiosk.listening
    kiosk.take(opened(events.CHECK), 0.1)
    assert kiosk.listening
    kiosk.take(ended("closed"), 0.2)
    kiosk.take(opened("file"), 0.3)
    assert not kiosk.listening
    kiosk.take(ended("finished"), 9.0)
    kiosk.take(ended("No microphone was found: connect one, or play a demo"), 9.1)
    assert not kiosk.listening
