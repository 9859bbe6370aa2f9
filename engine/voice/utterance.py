"""A reply as it is spoken: cut into sentences while it grows, and how much of it was heard."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# A full stop after these, or after a single letter ("J. S. Bach"), ends no sentence.
_ABBREVIATIONS = frozenset(("mr", "mrs", "ms", "dr", "prof", "st", "vs", "etc", "e.g", "i.e"))
_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s)|\n")
_LONGEST = 240
"""Characters after which a sentence that does not end is cut at a comma or between words."""
_UNSPEAKABLE = re.compile(r"[*_`#~<>|\\{}\[\]]+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters `start` to `end` of the reply; `text` is what to speak of them."""

    start: int
    end: int
    text: str


@dataclass(slots=True)
class Utterance:
    """The reply to `turn`. Samples count from the loudspeaker's opening."""

    turn: int
    text: str = ""
    ended: bool = False
    """No more text comes."""
    _cut: int = 0
    _sounding: list[tuple[Sentence, int, int]] = field(default_factory=list)

    def add(self, piece: str) -> list[Sentence]:
        """Take more of the reply; the sentences that are whole now."""
        self.text += piece
        sentences = []
        while (end := self._end()) is not None:
            sentences.append(self._sentence(end))
        return [sentence for sentence in sentences if sentence.text]

    def end(self) -> list[Sentence]:
        """The reply is over; what is left of it as a sentence, if there is any."""
        self.ended = True
        last = self._sentence(len(self.text))
        return [last] if last.text else []

    def _end(self) -> int | None:
        for mark in _END.finditer(self.text, self._cut):
            before = self.text[self._cut : mark.start()].split()
            word = before[-1].lower().lstrip("(\"'") if before else ""
            if mark.group() != "." or not (word in _ABBREVIATIONS or re.fullmatch("[a-z]", word)):
                return mark.end()
        if len(self.text) - self._cut <= _LONGEST:
            return None
        window = self.text[self._cut : self._cut + _LONGEST]
        at = max(window.rfind(", ") + 1, 0) or max(window.rfind(" "), 0) or _LONGEST
        return self._cut + at

    def _sentence(self, end: int) -> Sentence:
        start, self._cut = self._cut, end
        text = " ".join(_UNSPEAKABLE.sub(" ", self.text[start:end]).split())
        return Sentence(start, end, text if re.search(r"\w", text) else "")

    def sounds(self, sentence: Sentence, from_sample: int, to_sample: int) -> None:
        """`sentence` was handed to the loudspeaker as these samples."""
        self._sounding.append((sentence, from_sample, to_sample))

    def heard(self, played_samples: int) -> int:
        """Characters of the reply heard when `played_samples` have been played.

        Whole words only. Within a sentence time is spread evenly over characters: no word times
        come from the synthesisers.
        """
        heard = 0
        for sentence, from_sample, to_sample in self._sounding:
            if played_samples <= from_sample:
                break
            share = min(1.0, (played_samples - from_sample) / max(1, to_sample - from_sample))
            reached = sentence.start + round(share * (sentence.end - sentence.start))
            words = re.finditer(r"\S+", self.text[sentence.start : sentence.end])
            ends = [sentence.start + word.end() for word in words]
            heard = max([heard, *(end for end in ends if end <= reached)])
        return heard

    def begun(self, played_samples: int) -> bool:
        """Whether anything was heard when `played_samples` have been played."""
        return bool(self._sounding) and played_samples > self._sounding[0][1]

    @property
    def end_sample(self) -> int:
        """Where the sentences handed over so far are played to the end."""
        return self._sounding[-1][2] if self._sounding else 0
