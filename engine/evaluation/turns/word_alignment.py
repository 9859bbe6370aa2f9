"""Word errors: what was heard against what was said, by the cheapest alignment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_FILLERS = frozenset({"hmm", "mm", "mhm", "mmm", "uh", "um"})
"""Left out on both sides, as Whisper's English normaliser does (Radford et al. 2022, app. C)."""


@dataclass(frozen=True, slots=True)
class Errors:
    """Words of an alignment by fate."""

    hits: int = 0
    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0

    @property
    def total(self) -> int:
        """All three kinds of errors."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def reference(self) -> int:
        """Words that were said."""
        return self.hits + self.substitutions + self.deletions


def words(text: str) -> list[str]:
    """The words as they are compared: lower case, without punctuation and fillers.

    Numbers stay as they are written: "25" for "twenty-five" is an error.
    """
    return [word for word in _WORD.findall(text.lower().replace("’", "'")) if word not in _FILLERS]


def align(said: Sequence[str], heard: Sequence[str]) -> Errors:
    """The alignment of `heard` to `said` with the fewest errors; of equals, the one with the most
    hits (Levenshtein 1966)."""
    row = [(insertions, 0, 0, 0) for insertions in range(len(heard) + 1)]  # errors, −hits, S, D
    for deletions, expected in enumerate(said, 1):
        corner, row[0] = row[0], (deletions, 0, 0, deletions)
        for column, found in enumerate(heard, 1):
            errors, missed, swapped, lost = corner
            hit = expected == found
            diagonal = errors + (not hit), missed - hit, swapped + (not hit), lost
            deleted = row[column][0] + 1, row[column][1], row[column][2], row[column][3] + 1
            inserted = row[column - 1][0] + 1, *row[column - 1][1:]
            corner, row[column] = row[column], min(diagonal, deleted, inserted)
    errors, missed, swapped, lost = row[-1]
    return Errors(-missed, swapped, lost, errors - swapped - lost)
