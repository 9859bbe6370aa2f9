"""How long a draft may be, and drafts found in what was said before: pure functions (seed §2)."""

from __future__ import annotations

from collections.abc import Sequence

_NGRAM = 2


def draft_length(wanted: int, *, emitted: int, max_tokens: int, room: int, widest: int) -> int:
    """Tokens to draft in the next round, 0 for a plain step.

    A round of d drafts verifies d + 1 positions and serves at most d + 1 tokens, so it must
    fit in what is left of the reply (`max_tokens` - `emitted`), in the context (`room`
    positions) and in the widest batch proved bit-equal to single steps.
    """
    return max(0, min(wanted, max_tokens - emitted - 1, room - 1, widest - 1))


def lookup(tokens: Sequence[int], length: int) -> list[int]:
    """At most `length` tokens that followed the newest earlier place that ends like `tokens`.

    Prompt lookup (Saxena 2023): two last tokens are looked for, then one; nothing found gives
    an empty draft.
    """
    for size in range(min(_NGRAM, len(tokens) - 1), 0, -1):
        wanted = list(tokens[-size:])
        for start in range(len(tokens) - size - 1, -1, -1):
            if (
                tokens[start + size - 1] == wanted[-1]
                and list(tokens[start : start + size]) == wanted
            ):
                return list(tokens[start + size : start + size + length])
    return []
