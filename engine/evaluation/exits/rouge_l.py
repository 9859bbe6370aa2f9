"""ROUGE-L (Lin 2004): how much of a reference a reply has, word by word and in order.

Words as the rouge-score package takes them without a stemmer: lower case, letters and digits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"[a-z0-9]+")


def rouge_l(reply: str, reference: str) -> float:
    """F1 of the longest common subsequence of words, 0..1; 0 where either has no words."""
    ours, theirs = _WORD.findall(reply.lower()), _WORD.findall(reference.lower())
    common = longest_common(ours, theirs)
    return 2 * common / (len(ours) + len(theirs)) if common else 0.0


def longest_common(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    lengths = [0] * (len(second) + 1)
    for word in first:
        before = 0  # of the row above, one column to the left
        for column, other in enumerate(second, start=1):
            above = lengths[column]
            lengths[column] = before + 1 if word == other else max(above, lengths[column - 1])
            before = above
    return lengths[-1]
