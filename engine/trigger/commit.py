"""When silence becomes the end of a turn: how long to wait, given P(turn end)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

_STEP_MS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitRule:
    """Commit when P(turn end) reaches `threshold` after `wait_ms`, or at `longest_ms`."""

    threshold: float
    wait_ms: int
    longest_ms: int

    def commit_ms(self, p_end_after: Callable[[float], float]) -> int:
        """Silence to wait, where `p_end_after` maps its length in s to P(turn end)."""
        for silence_ms in range(self.wait_ms, self.longest_ms, _STEP_MS):
            if p_end_after(silence_ms / 1000) >= self.threshold:
                return silence_ms
        return self.longest_ms


RULES = {
    "eager": CommitRule(threshold=0.5, wait_ms=320, longest_ms=700),
    "balanced": CommitRule(threshold=0.7, wait_ms=560, longest_ms=1000),
    "patient": CommitRule(threshold=0.8, wait_ms=700, longest_ms=2000),
}
"""Read off the curve of `pads job run turn-end`, see docs/LOG.md."""
