"""What the deep layers make of a draft: pure functions (the seed's §2, greedy verification)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.events import TokenOutcome


@dataclass(frozen=True, slots=True)
class Verified:
    """A token the deep layers stand for, and how it came about."""

    token: int
    outcome: TokenOutcome


def kept_prefix(draft: Sequence[int], target: Sequence[int]) -> int:
    """Length of the longest common prefix of the draft and the deep layers' own tokens."""
    misses = (i for i, (d, t) in enumerate(zip(draft, target, strict=False)) if d != t)
    return next(misses, min(len(draft), len(target)))


def served(draft: Sequence[int], target: Sequence[int]) -> list[Verified]:
    """Tokens to serve after a verification: the kept drafts and one token of the deep layers'.

    `target` holds one token more than `draft`: what full depth says after each position. The
    last token served corrects the first wrong draft, or continues a draft that was all right.
    """
    if len(target) != len(draft) + 1:
        raise ValueError(f"{len(draft)} drafts need {len(draft) + 1} targets, not {len(target)}")
    kept = kept_prefix(draft, target)
    last = TokenOutcome.CORRECTED if kept < len(draft) else TokenOutcome.DEEP
    return [Verified(token, TokenOutcome.KEPT) for token in draft[:kept]] + [
        Verified(target[kept], last)
    ]
