"""Whether what a panel shows still comes from something alive; free of Qt."""

from __future__ import annotations

from engine import events
from engine.events import Event

SILENT_S = 4.0
"""Sound comes 31 times a second, even of a quiet source; a test of the microphone takes three."""


class Heartbeat:
    """Follows the engine's events; times are `time.monotonic()` seconds."""

    def __init__(self) -> None:
        self._heard_s: float | None = None
        self._dead = False

    def take(self, event: Event, now_s: float) -> None:
        """Take the next event."""
        match event:
            case events.WorkerDied(name="engine"):
                self._dead = True
            case events.EngineReady():
                self._dead = False
            case events.SourceEnded() | events.SourceOpened(kind=events.CHECK):
                self._heard_s = None
            case events.SourceOpened() | events.AudioHeard():
                self._heard_s = now_s

    def alive(self, now_s: float) -> bool:
        """The engine runs, and sound arrives wherever a source is open."""
        return not self._dead and (self._heard_s is None or now_s - self._heard_s < SILENT_S)
