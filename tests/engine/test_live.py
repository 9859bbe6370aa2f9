"""The end of a source: what nobody has heard of it yet is never heard, and recording ends."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from engine import commands, events, paths
from engine.events import Event
from engine.live import Engine
from engine.outbox import Outbox
from engine.records.recorder import Recorder
from engine.settings import Settings
from engine.trigger.turn_audio import CHUNK

_DEMO = commands.OpenFile(path=str(paths.demo_recordings()[0]))


def lag(engine: Engine) -> None:
    """Let sound pile up, as on a crowded machine, and hear the first of it."""
    deadline = time.monotonic() + 30
    while engine._ring.unread < 8 * CHUNK:
        assert time.monotonic() < deadline
    engine.step()


@pytest.mark.usefixtures("models")
def test_however_a_source_ends_nothing_more_of_it_is_heard_or_recorded(tmp_path: Path) -> None:
    outbox = Outbox()
    with ExitStack() as stack:
        recorder = Recorder(outbox, tmp_path / "sessions", stack)
        engine = Engine(Settings(), recorder, stack, threading.Event())
        engine.obey(commands.RecordSound(on=True))
        engine.obey(_DEMO)
        lag(engine)
        engine.obey(commands.CloseSource())
        for _ in range(8):
            engine.step()
        closed = told(outbox)
        engine.obey(_DEMO)
        lag(engine)
        engine.break_off("The engine stopped")
        broken = told(outbox)
    for seen in (closed, broken):
        kinds = [type(event) for event in seen]
        assert events.AudioHeard in kinds
        assert events.AudioHeard not in kinds[kinds.index(events.SourceEnded) :]
        written = [event.on for event in seen if isinstance(event, events.SoundRecorded)]
        assert written == [True, False]


def told(outbox: Outbox) -> list[Event]:
    return list(outbox.drain()[0])
