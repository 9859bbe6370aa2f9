"""Pauses in an annotated meeting: whose silence it is, and whether anybody fills it.

The seed's §7: a pause is the maximal silence between consecutive words of one speaker, covered
by nobody else's speech. Punctuation marks are no words; a word without usable times makes the
gaps beside it unknown, and those are not counted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from engine.training.corpora.ami import Meeting, Word

Span = tuple[float, float]

LONG_WORD_S = 2.0
"""A "word" that lasts longer is an alignment error: it hides a pause."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Time between two consecutive words of `speaker`, and the parts nobody else covers."""

    speaker: str
    start_s: float
    end_s: float
    uncovered: tuple[Span, ...]

    @property
    def silent(self) -> bool:
        """Whether nobody else speaks in it at all."""
        return self.uncovered == ((self.start_s, self.end_s),)

    @property
    def seconds(self) -> float:
        """Its length; the corpus gives times in milliseconds, so float noise is rounded off."""
        return length(self.start_s, self.end_s)

    @property
    def longest_silence_s(self) -> float:
        """Length of its longest uncovered part."""
        return max((length(*part) for part in self.uncovered), default=0.0)


def length(start_s: float, end_s: float) -> float:
    """Seconds between two annotated times, to the microsecond."""
    return round(end_s - start_s, 6)


def gaps(meeting: Meeting, covering: Collection[str] = ("word",)) -> Iterator[Gap]:
    """All gaps between consecutive words of each speaker.

    `covering` are the kinds of other speakers' elements that count as speech.
    """
    spoken = {
        speaker: merged([_span(word) for word in words if word.kind in covering])
        for speaker, words in meeting.speakers.items()
    }
    for speaker, words in meeting.speakers.items():
        others = merged(
            [span for other, spans in spoken.items() if other != speaker for span in spans]
        )
        ends = [end for _, end in others]
        for start_s, end_s in _between(words):
            yield Gap(speaker, start_s, end_s, _uncovered((start_s, end_s), others, ends))


def merged(spans: Iterable[Span | None]) -> list[Span]:
    """Sorted, disjoint spans that cover the same time; those without length cover none."""
    result: list[Span] = []
    for start, end in sorted(span for span in spans if span is not None):
        if end <= start:
            continue
        if result and start <= result[-1][1]:
            if end > result[-1][1]:
                result[-1] = (result[-1][0], end)
        else:
            result.append((start, end))
    return result


def defects(meeting: Meeting) -> Counter[str]:
    """How often each kind of timing defect occurs in a meeting's words."""
    found: Counter[str] = Counter()
    for words in meeting.speakers.values():
        found["files_without_words"] += not any(word.kind == "word" for word in words)
        latest = 0.0
        for word in words:
            if word.kind != "word":
                continue
            if word.start_s is None or word.end_s is None:
                found["words_without_times"] += 1
                continue
            found["words_ending_before_they_start"] += word.end_s < word.start_s
            found["words_out_of_order"] += word.start_s < latest
            found["words_longer_than_2_s"] += length(word.start_s, word.end_s) > LONG_WORD_S
            latest = word.start_s
    return +found


def _span(word: Word) -> Span | None:
    """When it was said; None when the corpus does not say, or contradicts itself."""
    if word.start_s is None or word.end_s is None or word.end_s < word.start_s:
        return None
    return word.start_s, word.end_s


def _between(words: list[Word]) -> Iterator[Span]:
    """Spans from the end of one word to the start of the next, where both are known."""
    latest: float | None = None
    for word in words:
        if word.kind != "word":
            continue
        span = _span(word)
        if span is None:
            latest = None
            continue
        start_s, end_s = span
        if latest is not None and start_s > latest:
            yield latest, start_s
        # A word may lie inside an earlier, longer one: the silence begins when both are over.
        latest = end_s if latest is None or end_s > latest else latest


def _uncovered(span: Span, others: list[Span], ends: list[float]) -> tuple[Span, ...]:
    """The parts of `span` outside `others` (sorted, disjoint, ending at `ends`)."""
    position, stop = span
    parts = []
    for index in range(bisect_right(ends, position), len(others)):
        start, end = others[index]
        if start >= stop:
            break
        if start > position:
            parts.append((position, start))
        position = max(position, end)
    if position < stop:
        parts.append((position, stop))
    return tuple(parts)
