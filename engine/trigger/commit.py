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
    "eager": CommitRule(threshold=0.70, wait_ms=384, longest_ms=800),
    "balanced": CommitRule(threshold=0.72, wait_ms=608, longest_ms=1000),
    "patient": CommitRule(threshold=0.88, wait_ms=704, longest_ms=2500),
}
"""By the setting's word: the least mean delay that cuts off at most 40, 25 and 10 % of the holds
that `pads job run turn-end` counts. The head does not know the people it judges there, but the
rules were chosen on the same pauses: other people will be cut off more (docs/LOG.md)."""
