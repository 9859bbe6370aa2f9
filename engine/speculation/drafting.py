"""How many tokens a draft may have: pure arithmetic (the seed's §2)."""

from __future__ import annotations


def draft_length(wanted: int, *, emitted: int, max_tokens: int, room: int, widest: int) -> int:
    """Tokens to draft in the next round, 0 for a plain step.

    A round of d drafts verifies d + 1 positions and serves at most d + 1 tokens, so it must
    fit in what is left of the reply (`max_tokens` - `emitted`), in the context (`room`
    positions) and in the widest batch proved bit-equal to single steps.
    """
    return max(0, min(wanted, max_tokens - emitted - 1, room - 1, widest - 1))
