"""What the profiler draws, gathered from engine events; free of Qt.

All positions are seconds on the conversation's axis. Work of a branch is pending until its
fate is known: hidden or visible when it is served, wasted when it is thrown away.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from enum import Enum

from app.track import Track
from engine import events
from engine.events import Event, TurnState

KEEP_S = 600.0
"""How much of the past can be looked at."""

_JOIN_S = 0.05  # steps closer than this are drawn as one block


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


@dataclass(slots=True)
class Verdict:
    """A dialogue-act verdict and the gate's decision on it.

    `ended` and `deep` are the gate's two inputs: was each probability above its threshold.
    """

    at_s: float
    end_s: float
    act: str
    p_deep: float
    ended: bool
    deep: bool
    triggered: bool
    reason: str


@dataclass(slots=True)
class Reply:
    """A reply from its first shown word on."""

    turn: int
    start_s: float
    end_s: float
    text: str


@dataclass(slots=True)
class Mark:
    """A marked moment."""

    at_s: float
    kind: MarkKind


@dataclass(slots=True)
class Timeline:
    """The conversation so far, ready to draw."""

    now_s: float = 0.0
    state: TurnState = TurnState.LISTENING
    theta_end: float = 0.6
    changes: int = 0
    """Grows with everything taken: what has been drawn once need not be drawn again."""
    audio: Track = field(default_factory=lambda: Track(3))
    """Rows (end of a 32 ms chunk, lowest sample, highest sample, 1 where speech)."""
    turn_end: Track = field(default_factory=lambda: Track(1))
    """Rows (time, P(the turn ends))."""
    verdicts: deque[Verdict] = field(default_factory=deque)
    work: deque[Work] = field(default_factory=deque)
    replies: deque[Reply] = field(default_factory=deque)
    marks: deque[Mark] = field(default_factory=deque)
    _acts: dict[int, events.DialogueActJudged] = field(default_factory=dict)
    _live: int | None = None
    _commits: dict[int, float] = field(default_factory=dict)
    _speculative: set[int] = field(default_factory=set)
    _wasted: set[int] = field(default_factory=set)

    def clear(self) -> None:
        """Forget everything: another source was opened."""
        theta, changes = self.theta_end, self.changes
        self.__init__()  # type: ignore[misc]  # the dataclass's own defaults, in one place
        self.theta_end, self.changes = theta, changes

    def take(self, event: Event) -> None:
        """Take the next event."""
        self.changes += 1
        if not isinstance(event, events.EngineProgress | events.DecoderStatus):
            self.now_s = max(self.now_s, event.heard_s)
        match event:
            case events.SourceOpened():
                self.clear()
            case events.AudioHeard():
                self.audio.append(event.heard_s, event.low, event.high, event.speech)
                self._forget()
            case events.TurnEndEstimated():
                self.turn_end.append(event.heard_s, event.p_end)
            case events.StateChanged():
                self.state = event.state
            case events.DialogueActJudged():
                self._acts[event.turn] = event
            case events.GateDecided():
                self._gate(event)
            case events.BranchStarted():
                self._live = event.branch
                if event.speculative:
                    self._speculative.add(event.branch)
            case events.BranchDiscarded():
                self._discard(event)
            case events.TurnCommitted():
                self._commit(event)
            case events.DecoderWorked():
                self._worked(event)
            case events.ReplyServed():
                self._served(event)

    def _gate(self, event: events.GateDecided) -> None:
        self.theta_end = event.theta_end
        act = self._acts.get(event.turn)
        if act is not None:
            verdict = Verdict(
                event.onset_s,
                event.heard_s,
                act.act,
                event.p_deep,
                event.p_end >= event.theta_end,
                event.p_deep >= event.theta_deep,
                event.triggered,
                event.reason,
            )
            self.verdicts.append(verdict)
        if event.triggered:
            self.marks.append(Mark(event.heard_s, MarkKind.TRIGGER))

    def _discard(self, event: events.BranchDiscarded) -> None:
        self._wasted.add(event.branch)
        for work in self.work:
            if work.branch == event.branch:
                work.fate = Fate.WASTED
        self.marks.append(Mark(event.heard_s, MarkKind.DISCARD))
        self._live = None

    def _commit(self, event: events.TurnCommitted) -> None:
        self.marks.append(Mark(event.heard_s, MarkKind.COMMIT))
        if not event.from_branch or self._live is None:
            return
        self._commits[self._live] = event.heard_s
        settled = [piece for work in self.work for piece in self._pieces(work)]
        self.work = deque(settled)

    def _pieces(self, work: Work) -> list[Work]:
        """The work with its fate decided: hidden before the commit, visible after, cut there."""
        commit_s = self._commits.get(work.branch)
        if work.fate is not Fate.PENDING or commit_s is None:
            return [work]
        if work.end_s <= commit_s:
            return [replace(work, fate=Fate.HIDDEN)]
        if work.start_s >= commit_s:
            return [replace(work, fate=Fate.VISIBLE)]
        share = (commit_s - work.start_s) / (work.end_s - work.start_s)
        before, after = work.ms * share, work.ms * (1 - share)
        return [
            replace(work, end_s=commit_s, fate=Fate.HIDDEN, ms=before),
            replace(work, start_s=commit_s, fate=Fate.VISIBLE, ms=after),
        ]

    def _worked(self, event: events.DecoderWorked) -> None:
        if event.depth != "deep":
            fate = Fate.SHALLOW
        elif event.branch in self._wasted:
            fate = Fate.WASTED
        else:
            fate = Fate.PENDING if event.branch in self._speculative else Fate.VISIBLE
        ms = event.head_ms + event.tail_ms
        for work in self._pieces(Work(event.start_s, event.heard_s, event.branch, fate, ms)):
            last = self.work[-1] if self.work else None
            if (
                last is not None
                and (last.branch, last.fate) == (work.branch, work.fate)
                and work.start_s - last.end_s < _JOIN_S
            ):
                last.end_s, last.ms = work.end_s, last.ms + work.ms
            else:
                self.work.append(work)

    def _served(self, event: events.ReplyServed) -> None:
        last = self.replies[-1] if self.replies else None
        if last is not None and last.turn == event.turn:
            last.text, last.end_s = last.text + event.text, event.heard_s
        else:
            self.replies.append(Reply(event.turn, event.heard_s, event.heard_s, event.text))

    def _forget(self) -> None:
        oldest_s = self.now_s - KEEP_S
        self.audio.forget(oldest_s)
        self.turn_end.forget(oldest_s)
        for lane in (self.work, self.replies, self.verdicts):
            while lane and lane[0].end_s < oldest_s:
                lane.popleft()
        while self.marks and self.marks[0].at_s < oldest_s:
            self.marks.popleft()
