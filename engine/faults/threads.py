"""An error that nobody expected, raised once inside each of the threads of a conversation."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine import commands, events, paths
from engine.audio import decoding
from engine.events import Event
from engine.faults.case import NotAsExpected, Observed
from engine.faults.conversation import STATES, complete, recorded
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import Settings
from engine.speculation import messages
from engine.trigger.turns import Turns
from engine.turntaking.predictor import TurnTakingPredictor

_PATIENCE_S = 60.0

ON_PURPOSE = "an error on purpose"

PLACES: dict[str, tuple[Any, str]] = {
    "engine": (Turns, "hear"),
    "replay": (decoding.Decoding, "read"),
    "decoder's keeper": (messages, "decode"),
    "turn end's helper": (TurnTakingPredictor, "at_pause"),
}
"""Threads by their names, each with a function that it calls again and again."""


class Stage:
    """A session, and all that it told."""

    def __init__(self, sessions: Path, settings: Settings | None = None) -> None:
        self._outbox = Outbox()
        self.session = Session(settings or Settings(), self._outbox, log_folder=sessions)
        self.seen: list[Event] = []
        self._read = 0

    def until(
        self, wanted: Callable[[Event], bool], otherwise: str, patience_s: float | None = None
    ) -> Event:
        """The next event of a kind; raises `NotAsExpected` when it does not come.

        It does not come either when the engine's thread is gone.
        """
        deadline_s = time.monotonic() + (_PATIENCE_S if patience_s is None else patience_s)
        while time.monotonic() < deadline_s:
            while self._read < len(self.seen):
                event = self.seen[self._read]
                self._read += 1
                if isinstance(event, events.WorkerDied):
                    raise NotAsExpected(f"the {event.name} thread is gone ({event.reason})")
                if wanted(event):
                    return event
            self._outbox.wait(0.1)
            self.seen += self._outbox.drain()[0]
        raise NotAsExpected(otherwise)


@contextmanager
def failing_once(owner: Any, name: str) -> Iterator[threading.Event]:
    """A function that raises an error at its next call once the event is set, and never again."""
    real, armed = getattr(owner, name), threading.Event()

    def fail(*arguments: Any, **named: Any) -> Any:
        if armed.is_set():
            armed.clear()
            raise RuntimeError(ON_PURPOSE)
        return real(*arguments, **named)

    setattr(owner, name, fail)
    try:
        yield armed
    finally:
        setattr(owner, name, real)


def failing(thread: str, state: str) -> Callable[[Path], Observed]:
    """A check: the error comes when a state is reached; it is told, and a turn is answered."""

    def check(folder: Path) -> Observed:
        stage = Stage(folder / "sessions")
        file = commands.OpenFile(path=str(recorded(folder)))
        with failing_once(*PLACES[thread]) as armed:
            stage.session.start()
            try:
                stage.until(ready, "it never became ready")
                stage.session.send(file)
                stage.until(STATES[state], f"{state} was never reached")
                armed.set()
                told = stage.until(
                    lambda event: _told(event) or isinstance(event, events.SourceEnded),
                    "nobody told of the error",
                )
                if not _told(told):
                    raise NotAsExpected("the conversation ended as if nothing had happened")
                struck_s = time.monotonic()
                _begin_again(stage, told, file)
                again_s = time.monotonic()
                words = _to_the_end(stage)
            finally:
                stage.session.stop(10)
        complete(folder / "sessions", stage.seen)
        return Observed(
            words=f"said “{_sentence(told)}”, and then understood “{words}” and answered",
            recovery_s=again_s - struck_s,
            lost=_lost(told),
        )

    return check


def _begin_again(stage: Stage, told: Event, file: commands.OpenFile) -> None:
    """Do what the sentence asks of a user, and wait until it hears again."""
    match told:
        case events.EngineFailed():
            stage.session.send(commands.Retry())
            stage.until(ready, "a second attempt did not help")
            stage.session.send(file)
        case events.SourceEnded(reason=reason) if "starts again" in reason:
            stage.until(ready, "it did not start again")
            stage.session.send(file)
        case events.SourceEnded():
            stage.session.send(file)
        case events.DecoderStatus():
            stage.until(lambda event: getattr(event, "state", "") == "ready", "no decoder came")
            return
    stage.until(lambda event: isinstance(event, events.SourceOpened), "nothing could be opened")


def answered(stage: Stage) -> str:
    """What was understood of the turn that comes now, and is answered."""
    turn = stage.until(_committed, "the turn after it was never over")
    reply = stage.until(lambda event: isinstance(event, events.ReplyFinished), "no answer came")
    assert isinstance(turn, events.TurnCommitted)
    if "cactus" not in turn.text.lower():
        raise NotAsExpected(f"understood {turn.text!r}")
    if getattr(reply, "reason", "") == "failed":
        raise NotAsExpected("the answer failed")
    return turn.text


def _to_the_end(stage: Stage) -> str:
    words = answered(stage)
    ended = stage.until(lambda event: isinstance(event, events.SourceEnded), "it never ended")
    if getattr(ended, "reason", "") != "finished":
        raise NotAsExpected(f"the recording ended with {ended}")
    return words


def ready(event: Event) -> bool:
    """Whether the engine is."""
    return isinstance(event, events.EngineReady)


def _committed(event: Event) -> bool:
    return isinstance(event, events.TurnCommitted)


def _told(event: Event) -> bool:
    match event:
        case events.SourceEnded(reason=reason):
            return reason not in ("finished", "closed")
        case events.DecoderStatus(state=state):
            return state == "died"
    return isinstance(event, events.EngineFailed)


def _sentence(event: Event) -> str:
    for name in ("message", "reason", "note"):
        if found := getattr(event, name, ""):
            return str(found).replace(str(paths.data()), "…")
    return ""


def _lost(told: Event) -> str:
    return "nothing" if isinstance(told, events.DecoderStatus) else "the turn under way"
