"""The ledger: every millisecond a deep branch worked was hidden, visible or wasted.

A branch's work is hidden when it happened before the turn was committed and the branch was
served, visible when it happened after, wasted when the branch was thrown away. Work is the
decoder's own clock; the three always add up to it, with `pending_ms` for a branch whose fate
is open. A step that straddles the commit is split there.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class _Branch:
    turn: int
    speculative: bool
    steps: list[tuple[float, float]] = field(default_factory=list)
    committed_s: float | None = None
    discarded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Milliseconds of deep work by fate, and the speculative starts that were thrown away."""

    hidden_ms: float
    visible_ms: float
    wasted_ms: float
    pending_ms: float
    extra_starts: int

    @property
    def total_ms(self) -> float:
        """All deep work: the decoder's own clock."""
        return self.hidden_ms + self.visible_ms + self.wasted_ms + self.pending_ms


class Ledger:
    """Accounts deep work by branch; times are `time.monotonic()` seconds."""

    def __init__(self) -> None:
        self._branches: dict[int, _Branch] = {}

    def start(self, branch: int, turn: int, *, speculative: bool) -> None:
        """Open a branch of a turn."""
        self._branches[branch] = _Branch(turn, speculative)

    def worked(self, branch: int, start_s: float, end_s: float) -> None:
        """Book one step of a branch; also after its discard, for the step that ran on."""
        self._branches[branch].steps.append((start_s, end_s))

    def commit(self, branch: int, committed_s: float) -> None:
        """The turn was over at `committed_s` and this branch is the one served."""
        self._branches[branch].committed_s = committed_s

    def discard(self, branch: int) -> None:
        """The branch was thrown away."""
        self._branches[branch].discarded = True

    def turn(self, turn: int) -> Account:
        """The account of one turn."""
        return _sum([b for b in self._branches.values() if b.turn == turn])

    def totals(self) -> Account:
        """The account of the whole conversation."""
        return _sum(list(self._branches.values()))


def _sum(branches: list[_Branch]) -> Account:
    hidden = visible = wasted = pending = 0.0
    for branch in branches:
        for start_s, end_s in branch.steps:
            ms = (end_s - start_s) * 1000
            if branch.discarded:
                wasted += ms
            elif branch.committed_s is None:
                pending += ms
            else:
                before = min(max((branch.committed_s - start_s) * 1000, 0.0), ms)
                hidden, visible = hidden + before, visible + ms - before
    return Account(
        hidden_ms=hidden,
        visible_ms=visible,
        wasted_ms=wasted,
        pending_ms=pending,
        extra_starts=sum(b.discarded and b.speculative for b in branches),
    )
