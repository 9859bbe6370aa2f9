"""The hands-off loop: attract screen, a demo, its result, and again; free of Qt.

A key, a click or a voice interrupts it: then the microphone listens to the visitor, until
nothing has happened for a while.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from engine import commands, events
from engine.events import Event

ATTRACT_S = 12.0
RESULT_S = 7.0
IDLE_S = 45.0
_VOICE_CHUNKS = 10  # of 32 ms: a cough is shorter


class Phase(Enum):
    """What the loop is at."""

    OFF = "off"
    ATTRACT = "attract"
    DEMO = "demo"
    RESULT = "result"
    VISITOR = "visitor"


class Kiosk:
    """Plays `demos` in turn. `send` carries commands, `microphone` names the one to open.

    All times are `time.monotonic()` seconds. While `muted` no microphone is opened.
    """

    def __init__(
        self,
        demos: Sequence[Path],
        send: Callable[[Any], None],
        microphone: Callable[[], str | None],
    ) -> None:
        self._demos, self._send, self._microphone = list(demos), send, microphone
        self.phase = Phase.OFF
        self.muted = False
        self.listening = False
        """Whether a microphone is open."""
        self._since_s = 0.0
        self._next = 0
        self._playing = False
        self._voice = 0

    def start(self, now_s: float) -> None:
        """Begin with the attract screen."""
        self._attract(now_s)

    def stop(self) -> None:
        """End the loop; what plays goes on."""
        self.phase = Phase.OFF

    def next_demo(self, now_s: float) -> Path | None:
        """Play the next demo, in the loop or outside it; None without any."""
        if not self._demos:
            return None
        demo = self._demos[self._next % len(self._demos)]
        self._next += 1
        self._playing = False
        if self.phase is not Phase.OFF:
            self._enter(Phase.DEMO, now_s)
        self._send(commands.OpenFile(path=str(demo)))
        return demo

    def interrupt(self, now_s: float) -> None:
        """A visitor is there: listen to them."""
        if self.phase is Phase.VISITOR:
            self._since_s = now_s
        elif self.phase is not Phase.OFF:
            self._enter(Phase.VISITOR, now_s)
            self._send(
                commands.CloseSource()
                if self.muted
                else commands.OpenMicrophone(name=self._microphone())
            )

    def take(self, event: Event, now_s: float) -> None:
        """Take the next event of the engine."""
        if isinstance(event, events.SourceEnded):
            self.listening = False
        match event:
            case events.SourceOpened(kind=kind):
                self._playing = kind == "file"
                self.listening = not self._playing
            case events.SourceEnded(reason=reason) if self.phase is Phase.DEMO:
                # Opening a demo closes what was open before, which also ends with a word.
                if self._playing or reason not in ("closed", "finished"):
                    self._enter(Phase.RESULT, now_s)
            case events.AudioHeard(speech=speech) if self.phase is Phase.ATTRACT:
                self._voice = self._voice + 1 if speech else 0
                if self._voice >= _VOICE_CHUNKS:
                    self.interrupt(now_s)
            case events.AudioHeard(speech=True) if self.phase is Phase.VISITOR:
                self._since_s = now_s
            case events.ReplyServed() if self.phase is Phase.VISITOR:
                self._since_s = now_s

    def tick(self, now_s: float) -> None:
        """Go on when the time for it has come."""
        passed_s = now_s - self._since_s
        match self.phase:
            case Phase.ATTRACT if passed_s >= ATTRACT_S:
                self.next_demo(now_s)
            case Phase.RESULT if passed_s >= RESULT_S:
                self._attract(now_s)
            case Phase.VISITOR if passed_s >= IDLE_S:
                self._attract(now_s)

    def _attract(self, now_s: float) -> None:
        self._enter(Phase.ATTRACT, now_s)
        if self.muted:
            self._send(commands.CloseSource())
        else:
            self._send(commands.CheckMicrophone(name=self._microphone()))

    def _enter(self, phase: Phase, now_s: float) -> None:
        self.phase, self._since_s, self._voice = phase, now_s, 0
