"""One decoding of one turn's text, speculative or not."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.speculation import client


@dataclass(slots=True)
class Branch:
    """`number` is its job in the decoder; times named `_s` are `time.monotonic()` seconds."""

    number: int
    turn: int
    text: str
    p_deep: float
    started_s: float
    speculative: bool
    triggered: bool
    onset_wall_s: float = 0.0
    committed_heard_s: float = 0.0
    committed_s: float | None = None
    first_token_s: float | None = None
    tokens: list[client.Token] = field(default_factory=list)
    served: int = 0
    attempts: int = 1
    done: client.Done | None = None

    def take_over(self, branch: Branch) -> None:
        """Go on where `branch` of the same turn was lost."""
        self.committed_s, self.onset_wall_s = branch.committed_s, branch.onset_wall_s
        self.committed_heard_s = branch.committed_heard_s
        self.triggered, self.attempts = branch.triggered, branch.attempts + 1
        self.first_token_s = branch.first_token_s
        self.tokens, self.served = branch.tokens, branch.served
