"""What pictures of the window are made from: one real session, its vital signs, one real run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import shiboken6
from PySide6.QtWidgets import QApplication

from app.main_window import MainWindow
from app.preferences import Preferences
from engine import events
from engine.errors import DataUnavailable
from engine.events import Event, VitalsRead
from engine.history import recording
from engine.history.recording import Recording
from engine.outbox import Outbox
from engine.records import session_log
from engine.records.runs import RunDirectory
from engine.settings import AppearanceSettings, Settings

_AT_ONCE = 4000  # of the outbox's 8192 events
_AFTERWARDS_S = 0.6  # heard after an answer was accounted for, so that its last block is in view


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """A session of the engine as its log tells it, and finished or running runs of `compare`."""

    session: Path
    vitals: list[VitalsRead]
    comparison: RunDirectory
    running: RunDirectory
    appearance: AppearanceSettings

    def read(self) -> Recording:
        """The session as the history shows it."""
        return recording.read(self.session)


def logged(session: Path) -> list[Event]:
    """All events of a session that can be read, in order."""
    found = (events.from_record(record) for record in session_log.read(session))
    return [event for event in found if event is not None]


def best(every: list[Event]) -> events.TurnAccounted:
    """The answer that hid most work in a pause, not the first one if possible.

    Raises `DataUnavailable` when nothing was answered.
    """
    accounts = [event for event in every if isinstance(event, events.TurnAccounted)]
    if not accounts:
        raise DataUnavailable(
            "Nothing was answered in this session, so there is nothing to show",
            remedy="choose a session with a conversation, or a recording with speech",
        )
    return max(accounts, key=lambda one: (one.hidden_ms > 0, one.turn > 1, one.hidden_ms))


def answered(every: list[Event]) -> int:
    """How many events it takes until that answer was accounted for, and a moment more."""
    moment_s = best(every).heard_s + _AFTERWARDS_S
    for number, event in enumerate(every):
        if isinstance(event, events.SourceEnded) or (
            isinstance(event, events.AudioHeard) and event.heard_s > moment_s
        ):
            return number
    return len(every)


def working(every: list[Event]) -> int:
    """How many events it takes to the last moment before that answer's turn was over."""
    turn = best(every).turn
    return next(
        number
        for number, event in enumerate(every)
        if isinstance(event, events.TurnCommitted) and event.turn == turn
    )


@contextmanager
def fed(material: Material, moment: str) -> Iterator[MainWindow]:
    """The window as it stands at a moment: the engine is ready (idle), working, answered."""
    outbox = Outbox()
    window = MainWindow(
        outbox, Preferences(Settings(introduced=True, appearance=material.appearance))
    )
    window.asks = False
    window.show()
    try:
        happened = told(material.session, moment)
        for start in range(0, len(happened), _AT_ONCE):
            for event in happened[start : start + _AT_ONCE]:
                outbox.post(event)
            window.bridge.deliver()
        for vitals in material.vitals:
            outbox.show(vitals)
            window.bridge.deliver()
        settle()
        yield window
    finally:
        window.close()
        window.presenter.close()
        # At once: no event loop would do it later, and a look is worn by all widgets there are.
        shiboken6.delete(window.presenter)
        shiboken6.delete(window)


def told(session: Path, moment: str) -> list[Event]:
    """What the engine had told of itself (idle), or of the conversation, by that moment."""
    every = logged(session)
    if moment == "idle":
        ready: list[Event] = [one for one in every if isinstance(one, events.EngineReady)]
        return ready[:1]
    return every[: working(every) if moment == "working" else answered(every)]


def settle() -> None:
    """Let layouts and styles be worked out."""
    for _ in range(4):
        QApplication.sendPostedEvents()
        QApplication.processEvents()
