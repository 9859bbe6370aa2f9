"""What the profiler shows on its lanes and can explain; free of Qt.

Positions are seconds on the conversation's axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine import events
from engine.events import Evidence


class Fate(Enum):
    """What became of a piece of decoder work."""

    SHALLOW = "shallow"
    PENDING = "not decided yet"
    HIDDEN = "hidden in the pause"
    VISIBLE = "visible as waiting"
    WASTED = "wasted"


class MarkKind(Enum):
    """Moments marked across the lanes."""

    TRIGGER = "deep work started"
    DISCARD = "thrown away"
    COMMIT = "turn over"


@dataclass(slots=True)
class Work:
    """Adjacent decoder steps of one branch with one fate; `ms` is the decoder's own clock."""

    start_s: float
    end_s: float
    branch: int
    fate: Fate
    ms: float
    turn: int
    evidence: Evidence = Evidence.MEASURED
    """Derived when the commit cut a step in two: its clock is then shared out by time."""
    note: str = ""
    """Why it was thrown away."""


@dataclass(slots=True)
class Verdict:
    """A dialogue-act verdict and the gate's decision on it.

    `ended` and `deep` are the gate's two inputs: was each probability above its threshold.
    """

    start_s: float
    end_s: float
    turn: int
    act: str
    p_end: float
    theta_end: float
    p_deep: float
    theta_deep: float
    ended: bool
    deep: bool
    triggered: bool
    reason: str
    gate_ms: float


@dataclass(slots=True)
class Reply:
    """A reply from its first shown word on."""

    turn: int
    start_s: float
    end_s: float
    text: str


@dataclass(slots=True)
class Mark:
    """A marked moment; `note` is the engine's reason, or the turn's words at its end."""

    at_s: float
    kind: MarkKind
    turn: int
    note: str

    @property
    def start_s(self) -> float:
        """A moment is a stretch without length."""
        return self.at_s

    @property
    def end_s(self) -> float:
        """A moment is a stretch without length."""
        return self.at_s


Block = Work | Verdict | Reply | Mark


@dataclass(slots=True)
class Turn:
    """A turn from the first speech to the end of its reply, as far as it has come."""

    number: int
    start_s: float
    end_s: float
    text: str = ""
    account: events.TurnAccounted | None = None
    dropped: events.TurnDropped | None = None
