"""Drafting replayed: what a decoder would have kept, given what the exit says at each position.

As long as drafts are kept, the exit has read the served reply itself, and what follows the first
wrong draft is dropped. So one pass over a finished greedy reply tells what every draft length
would have kept, exactly (the decoder's own count in a test).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.speculation.drafting import draft_length
from engine.speculation.verifying import kept_prefix


@dataclass(frozen=True, slots=True)
class Rounds:
    """Drafted and accepted tokens of a reply's rounds."""

    rounds: int
    drafted: int
    accepted: int

    @property
    def acceptance(self) -> float | None:
        """Accepted of drafted tokens; None when nothing was drafted."""
        return self.accepted / self.drafted if self.drafted else None


def replayed(
    proposed: Sequence[int],
    reply: Sequence[int],
    *,
    draft_tokens: int,
    max_tokens: int,
    widest: int,
    ends: Callable[[int], bool],
) -> Rounds:
    """Rounds of a reply whose first token full depth gave.

    `proposed[i]` is what the exit says where `reply[i]` was served; `reply` holds the token that
    ended it, if one did. What would have been drafted after a wrong draft is not known: a draft
    counts to its full length there.
    """
    rounds = drafted = accepted = 0
    emitted = 1
    while emitted < min(len(reply), max_tokens):
        wanted = draft_length(
            draft_tokens,
            emitted=emitted,
            max_tokens=max_tokens,
            room=max_tokens,
            widest=widest,
        )
        draft = proposed[emitted : emitted + wanted]
        kept = kept_prefix(draft, reply[emitted:])
        stop = next((n for n, t in enumerate(draft[: kept + 1], start=1) if ends(t)), wanted)
        rounds, drafted, accepted = rounds + 1, drafted + stop, accepted + kept
        emitted += kept + 1
    return Rounds(rounds, drafted, accepted)
