"""What the profiler draws, gathered from engine events; free of Qt.

All positions are seconds on the conversation's axis. Work of a branch is pending until its
fate is known: hidden or visible when it is served, wasted when it is thrown away. Of a live one,
what ended more than `KEEP_S` ago is forgotten, so that hours of conversation need no more memory
than ten minutes: 31 rows of sound a second, a row a turn-end estimate, and the blocks in between.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace

from engine import events
from engine.events import Event, Evidence, TurnState
from engine.history.blocks import Block, Fate, Mark, MarkKind, Reply, Turn, Verdict, Work
from engine.history.track import Track
from engine.settings import GateSettings

KEEP_S = 600.0
"""How much of a live conversation's past can be looked at."""

_JOIN_S = 0.05  # steps closer than this are drawn as one block


@dataclass(slots=True)
class _Branch:
    """What is known of a branch."""

    start_s: float
    speculative: bool = False
    commit_s: float | None = None
    discarded: str | None = None


@dataclass(slots=True)
class Timeline:
    """The conversation so far, ready to draw."""

    keep_s: float = KEEP_S
    """What ended longer ago is forgotten; `math.inf` keeps everything."""
    now_s: float = 0.0
    state: TurnState = TurnState.LISTENING
    theta_end: float = GateSettings().theta_end
    changes: int = 0
    """Grows with everything taken: what has been drawn once need not be drawn again."""
    decisions: int = 0
    """Grows with everything but measurements of sound: only these change what is past."""
    openings: int = 0
    """Grows with every source."""
    audio: Track = field(default_factory=lambda: Track(3))
    """Rows (end of a 32 ms chunk, lowest sample, highest sample, 1 where speech)."""
    turn_end: Track = field(default_factory=lambda: Track(1))
    """Rows (time, P(the turn ends))."""
    verdicts: deque[Verdict] = field(default_factory=deque)
    work: deque[Work] = field(default_factory=deque)
    replies: deque[Reply] = field(default_factory=deque)
    marks: deque[Mark] = field(default_factory=deque)
    turns: deque[Turn] = field(default_factory=deque)
    _act: events.DialogueActJudged | None = None
    _live: int | None = None
    _branches: dict[int, _Branch] = field(default_factory=dict)

    def clear(self) -> None:
        """Forget everything: another source was opened."""
        kept = self.theta_end, self.changes, self.decisions, self.openings + 1
        self.__init__(self.keep_s)  # type: ignore[misc]  # the dataclass's own defaults, in one place
        self.theta_end, self.changes, self.decisions, self.openings = kept

    @property
    def oldest_s(self) -> float:
        """From here on everything is kept."""
        return max(0.0, self.now_s - self.keep_s)

    def blocks(self) -> list[Block]:
        """Everything that can be explained, in order of time."""
        found: list[Block] = [*self.marks, *self.verdicts, *self.work, *self.replies]
        return sorted(found, key=lambda block: block.start_s)

    def turn(self, number: int) -> Turn | None:
        """A turn by its number, if it is kept."""
        return next((turn for turn in reversed(self.turns) if turn.number == number), None)

    def turn_at(self, at_s: float) -> Turn | None:
        """The turn that goes on at a moment; the later one of two."""
        holding = (turn for turn in reversed(self.turns) if turn.start_s <= at_s <= turn.end_s)
        return next(holding, None)

    def take(self, event: Event) -> None:
        """Take the next event."""
        self.changes += 1
        if not isinstance(event, events.EngineProgress | events.DecoderStatus):
            self.now_s = max(self.now_s, event.heard_s)
        if not isinstance(event, events.AudioHeard | events.TurnEndEstimated):
            self.decisions += 1
        self._follow_turn(event)
        match event:
            case events.SourceOpened():
                self.clear()
            case events.AudioHeard():
                self.audio.append(event.heard_s, event.low, event.high, event.speech)
                self._forget()
            case events.TurnEndEstimated():
                self.turn_end.append(event.heard_s, event.p_end)
            case events.DialogueActJudged():
                self._act = event
            case events.GateDecided():
                self._gate(event)
            case events.BranchStarted():
                self._live = event.branch
                self._branches[event.branch] = _Branch(event.heard_s, event.speculative)
            case events.BranchDiscarded():
                self._discard(event)
            case events.TurnCommitted():
                self._commit(event)
            case events.DecoderWorked():
                self._worked(event)
            case events.ReplyServed():
                self._served(event)

    def _follow_turn(self, event: Event) -> None:
        """Let turns begin, grow and end; they grow with all that is told of them."""
        if isinstance(event, events.StateChanged):
            self.state = event.state
            if event.state is TurnState.SPEAKING and self.turn(event.turn) is None:
                self.turns.append(Turn(event.turn, event.heard_s, event.heard_s))
        number = getattr(event, "turn", None)
        if number is None:
            if isinstance(event, events.AudioHeard) and self.turns and self.state != "listening":
                self.turns[-1].end_s = event.heard_s
            return
        turn = self.turn(number)
        if turn is None:
            return
        turn.end_s = max(turn.end_s, event.heard_s)
        match event:
            case events.TurnCommitted() | events.Transcribed():
                turn.text = event.text
            case events.TurnAccounted():
                turn.account = event
            case events.TurnDropped():
                turn.dropped = event

    def _gate(self, event: events.GateDecided) -> None:
        self.theta_end = event.theta_end
        if self._act is not None and self._act.turn == event.turn:
            verdict = Verdict(
                event.onset_s,
                event.heard_s,
                event.turn,
                self._act.act,
                event.p_end,
                event.theta_end,
                event.p_deep,
                event.theta_deep,
                event.p_end >= event.theta_end,
                event.p_deep >= event.theta_deep,
                event.triggered,
                event.reason,
                event.gate_ms,
            )
            self.verdicts.append(verdict)
        if event.triggered:
            self._mark(MarkKind.TRIGGER, event.heard_s, event.turn, event.reason)

    def _mark(self, kind: MarkKind, at_s: float, turn: int, note: str) -> None:
        self.marks.append(Mark(at_s, kind, turn, note))

    def _discard(self, event: events.BranchDiscarded) -> None:
        self._branches.setdefault(event.branch, _Branch(event.heard_s)).discarded = event.reason
        for work in self.work:
            if work.branch == event.branch:
                work.fate, work.note = Fate.WASTED, event.reason
        self._mark(MarkKind.DISCARD, event.heard_s, event.turn, event.reason)
        self._live = None

    def _commit(self, event: events.TurnCommitted) -> None:
        self._mark(MarkKind.COMMIT, event.heard_s, event.turn, event.text)
        branch = None if self._live is None else self._branches.get(self._live)
        if not event.from_branch or branch is None:
            return
        branch.commit_s = event.heard_s
        settled = [piece for work in self.work for piece in self._pieces(work)]
        self.work = deque(settled)

    def _pieces(self, work: Work) -> list[Work]:
        """Decide the work's fate: hidden before the commit, visible after, cut in two there."""
        branch = self._branches.get(work.branch)
        commit_s = None if branch is None else branch.commit_s
        if work.fate is not Fate.PENDING or commit_s is None:
            return [work]
        if work.start_s >= commit_s:
            work.fate = Fate.VISIBLE
            return [work]
        if work.end_s <= commit_s:
            work.fate = Fate.HIDDEN
            return [work]
        before_ms = work.ms * (commit_s - work.start_s) / (work.end_s - work.start_s)
        after = replace(work, start_s=commit_s, fate=Fate.VISIBLE, ms=work.ms - before_ms)
        work.end_s, work.fate, work.ms = commit_s, Fate.HIDDEN, before_ms
        work.evidence = after.evidence = Evidence.DERIVED
        return [work, after]

    def _worked(self, event: events.DecoderWorked) -> None:
        branch, note = self._branches.get(event.branch), ""
        if event.depth != "deep":
            fate = Fate.SHALLOW
        elif branch is not None and branch.discarded is not None:
            fate, note = Fate.WASTED, branch.discarded
        else:
            fate = Fate.PENDING if branch is not None and branch.speculative else Fate.VISIBLE
        ms, span = event.head_ms + event.tail_ms, (event.start_s, event.heard_s)
        for work in self._pieces(Work(*span, event.branch, fate, ms, event.turn, note=note)):
            last = self.work[-1] if self.work else None
            if (
                last is not None
                and (last.branch, last.fate) == (work.branch, work.fate)
                and work.start_s - last.end_s < _JOIN_S
            ):
                last.end_s, last.ms = work.end_s, last.ms + work.ms
                if work.evidence is Evidence.DERIVED:
                    last.evidence = work.evidence
            else:
                self.work.append(work)

    def _served(self, event: events.ReplyServed) -> None:
        last = self.replies[-1] if self.replies else None
        if last is not None and last.turn == event.turn:
            last.text, last.end_s = last.text + event.text, event.heard_s
        else:
            self.replies.append(Reply(event.turn, event.heard_s, event.heard_s, event.text))

    def _forget(self) -> None:
        oldest_s = self.oldest_s
        if oldest_s <= 0:
            return
        self.audio.forget(oldest_s)
        self.turn_end.forget(oldest_s)
        for lane in (self.work, self.replies, self.verdicts, self.marks, self.turns):
            while lane and lane[0].end_s < oldest_s:
                lane.popleft()
        old = [name for name, branch in self._branches.items() if branch.start_s < oldest_s]
        for name in old:
            if name != self._live:
                del self._branches[name]
