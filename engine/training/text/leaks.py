"""Does training text hold what an evaluation asks? Compared word by word, case and marks apart.

A held-out text of eight words or more is found by any eight words in a row; one of four to
seven by all of its words. Shorter ones ("Thank you very much") belong to nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

RUN = 8
"""Words in a row that count as the same text."""
SHORTEST = 4
"""Words of the shortest text that is looked for."""

_WORD = re.compile(r"\w+(?:'\w+)?")
Grams = set[tuple[str, ...]]


class HeldOut:
    """Texts that no training text may repeat."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._grams: Grams = set()
        self.skipped = 0
        """Texts too short to be told apart."""
        for text in texts:
            found = words(text)
            if len(found) < SHORTEST:
                self.skipped += 1
            else:
                self._grams.update(_runs(found, min(len(found), RUN)))

    def in_text(self, text: str) -> bool:
        """Whether `text` repeats any of the held-out texts."""
        found = words(text)
        return any(
            gram in self._grams
            for length in range(SHORTEST, RUN + 1)
            for gram in _runs(found, length)
        )


def words(text: str) -> list[str]:
    """Lower-case words; the corpus's spaced-out apostrophes are closed up."""
    closed = re.sub(r"\s*['\u2018\u2019]\s*", "'", text.lower())
    return _WORD.findall(closed)


def pieces(text: str) -> list[str]:
    """Lower-case words in parts at apostrophes, which texts set in different ways."""
    return re.findall(r"\w+", text.lower())


def _runs(found: Sequence[str], length: int) -> Iterator[tuple[str, ...]]:
    return (tuple(found[i : i + length]) for i in range(len(found) - length + 1))


class Verbatim:
    """Texts that are looked for whole, in any case and whatever marks stand between the words."""

    _START = 4  # words by which a text is found

    def __init__(self, texts: Sequence[str]) -> None:
        self._starts: dict[tuple[str, ...], list[tuple[int, list[str]]]] = {}
        for number, text in enumerate(texts):
            if found := pieces(text):
                start = tuple(found[: self._START])
                self._starts.setdefault(start, []).append((number, found))
        self._lengths = {len(start) for start in self._starts}

    def found(self, said: str) -> set[int]:
        """Numbers of the texts that stand in `said`."""
        inside = pieces(said)
        return {
            number
            for length in self._lengths
            for place, start in enumerate(_runs(inside, length))
            for number, text in self._starts.get(start, ())
            if inside[place : place + len(text)] == text
        }
