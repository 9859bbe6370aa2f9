"""From speech flags to the boundaries of a turn, on the sample clock alone.

No wall time enters here, so the same audio gives the same boundaries on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from engine.settings import SpeechSettings


class Boundary(Enum):
    """What a chunk of audio meant for the turn."""

    TURN_STARTED = auto()
    PAUSE_STARTED = auto()
    SPEECH_RESUMED = auto()
    COMMIT_DUE = auto()


class _Phase(Enum):
    LISTENING = auto()
    SPEAKING = auto()
    PAUSING = auto()


@dataclass(slots=True)
class Endpointer:
    """State machine LISTENING → SPEAKING ⇄ PAUSING → LISTENING over chunks of audio.

    Speech must last `speech_ms` to open or resume a turn, so that a click does neither;
    silence must last `pause_ms` to be a pause. `commit_ms` may be set at every pause.
    """

    settings: SpeechSettings
    commit_ms: int
    started_s: float = 0.0
    """Where the turn's first speech chunk began."""
    onset_s: float = 0.0
    """Where the current silence began: the end of the last speech chunk."""
    _phase: _Phase = _Phase.LISTENING
    _speech_from_s: float | None = None

    def update(self, start_s: float, end_s: float, speech: bool) -> Boundary | None:
        """Take one chunk from `start_s` to `end_s`; the boundary it completes, if any."""
        if not speech:
            return self._silence(end_s)
        if self._speech_from_s is None:
            self._speech_from_s = start_s
        if self._phase is _Phase.SPEAKING:
            self.onset_s = end_s
            return None
        if _ms(end_s - self._speech_from_s) < self.settings.speech_ms:
            return None
        resumed = self._phase is _Phase.PAUSING
        if not resumed:
            self.started_s = self._speech_from_s
        self._phase, self.onset_s = _Phase.SPEAKING, end_s
        return Boundary.SPEECH_RESUMED if resumed else Boundary.TURN_STARTED

    def _silence(self, end_s: float) -> Boundary | None:
        self._speech_from_s = None
        silent_ms = _ms(end_s - self.onset_s)
        if self._phase is _Phase.SPEAKING and silent_ms >= self.settings.pause_ms:
            self._phase = _Phase.PAUSING
            return Boundary.PAUSE_STARTED
        if self._phase is _Phase.PAUSING and silent_ms >= self.commit_ms:
            self._phase = _Phase.LISTENING
            return Boundary.COMMIT_DUE
        return None

    @property
    def in_turn(self) -> bool:
        """Whether a turn is open."""
        return self._phase is not _Phase.LISTENING

    def reset(self) -> None:
        """Forget an open turn."""
        self._phase, self._speech_from_s, self.onset_s = _Phase.LISTENING, None, 0.0


def _ms(seconds: float) -> int:
    """Whole milliseconds, so that sums of 32 ms chunks compare exactly."""
    return round(seconds * 1000)
