"""Partial transcripts while someone speaks: how often one may be made, and what of it is sure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

SHARE = 1 / 3
"""Of one core, at most, that partial transcripts take on average."""
PERIOD_S = 0.5
"""From one partial to the next at least: a word or two."""
LATE_S = 0.1
"""Of an engine that hears so late nothing more may be asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Partial:
    """The words of `turn` so far, and the work they took."""

    turn: int
    text: str
    elapsed_ms: float


@dataclass(slots=True)
class Budget:
    """Spaces partials so that they never take more than `SHARE`; times are monotonic seconds.

    The recogniser runs on one thread, so time by the clock is the most processor time that a
    partial can have taken; where others want the cores it is more, and partials become rarer.
    """

    _next_s: float = float("-inf")

    def due(self, now_s: float, late_s: float) -> bool:
        """Whether there may be a partial now, `late_s` after the newest sound was spoken."""
        return now_s >= self._next_s and late_s <= LATE_S

    def spent(self, began_s: float, ended_s: float) -> None:
        """A partial was made between these times."""
        self._next_s = began_s + max(PERIOD_S, (ended_s - began_s) / SHARE)


def stable_prefix(earlier: str, later: str) -> str:
    """The words with which two successive transcripts both begin, the last one left out.

    The last common word may have been cut short in both; what comes before it seldom changes.
    """
    pairs = zip(earlier.split(), later.split(), strict=False)
    common = [word for word, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
    return " ".join(common[:-1])
