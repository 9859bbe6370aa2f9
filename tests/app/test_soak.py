"""A long conversation by microphone with the window drawing: no block of sound is lost."""

from __future__ import annotations

import time

import pytest
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from engine import events, paths
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import Settings
from tests.virtual_microphone import VirtualMicrophone, virtual_microphone

__all__ = ["virtual_microphone"]

_CHUNKS_A_SECOND = 31.25


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize(
    "seconds",
    [
        pytest.param(20.0, id="short"),
        pytest.param(600.0, id="long", marks=[pytest.mark.soak, pytest.mark.timeout(900)]),
    ],
)
def test_no_block_is_lost_while_the_window_draws(
    qtbot: QtBot, virtual_microphone: VirtualMicrophone, seconds: float
) -> None:
    outbox = Outbox()
    window = MainWindow(outbox, pads=True)
    qtbot.addWidget(window)
    window.show()
    session = Session(Settings(), outbox, log_folder=None)
    window.command.connect(session.send)
    lost: list[int] = []
    heard_s: list[float] = []
    committed: list[int] = []
    answered: list[int] = []

    def see(event: events.Event) -> None:
        match event:
            case events.BlocksDropped(blocks=blocks):
                lost.append(blocks)
            case events.AudioHeard():
                heard_s.append(event.heard_s)
            case events.TurnCommitted(turn=turn):
                committed.append(turn)
            case events.ReplyFinished(turn=turn):
                answered.append(turn)

    window.bridge.listen(event=see)
    window.bridge.start()
    session.start()
    try:
        qtbot.waitUntil(window.controls.start.isEnabled, timeout=60_000)
        session.send(events.OpenMicrophone())
        qtbot.waitUntil(lambda: bool(heard_s), timeout=20_000)
        demos, player = paths.demo_recordings(), None
        frames, ends_s, played = window.profiler.frames, heard_s[-1] + seconds, 0
        patience_s = time.monotonic() + 1.2 * seconds + 20
        while heard_s[-1] < ends_s and time.monotonic() < patience_s:
            if player is None or player.poll() is not None:
                player = virtual_microphone.play(demos[played % len(demos)])
                played += 1
            qtbot.wait(200)  # Qt draws meanwhile
        session.send(events.CloseSource())
        qtbot.waitUntil(lambda: window.controls.start.text() == "Start", timeout=10_000)
    finally:
        assert session.stop(10)
        window.bridge.stop()
    window.bridge.deliver()
    assert (sum(lost), outbox.lost) == (0, 0)
    assert len(heard_s) >= 0.99 * seconds * _CHUNKS_A_SECOND
    assert window.profiler.frames - frames > 5 * seconds
    assert len(committed) >= seconds / 20
    assert answered == committed
