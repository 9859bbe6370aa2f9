"""What is said in an AMI meeting, as lines of text.

A line is one speaker's words with no more than one second of silence between them. The corpus
has 80,490 of them, 76,617 without the meetings that the seed's §4 names; its page says 80,489
and 76,616, so this must be its rule but for one line.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.training.corpora.ami import Meeting, Word

GAP_S = 1.0


@dataclass(frozen=True, slots=True)
class Line:
    """One speaker's words; `start_s` is when the first of them began."""

    speaker: str
    start_s: float
    text: str


def lines(meeting: Meeting, *, punctuation: bool = False) -> list[Line]:
    """The meeting's lines speaker by speaker, as its files are; words without times are left out.

    With `punctuation`, the lines are the same and marks stand behind their words.
    """
    found: list[Line] = []
    for speaker, words in sorted(meeting.speakers.items()):
        found += _lines(speaker, words, punctuation)
    return found


def _lines(speaker: str, words: list[Word], punctuation: bool) -> list[Line]:
    found: list[Line] = []
    start_s, end_s, parts = 0.0, 0.0, list[str]()
    for word in words:
        if word.kind == "punctuation" and punctuation and parts:
            parts[-1] += word.text
        if word.kind != "word" or word.start_s is None:
            continue
        if parts and word.start_s - end_s > GAP_S:
            found.append(Line(speaker, start_s, " ".join(parts)))
            parts = []
        if not parts:
            start_s = word.start_s
        parts.append(word.text)
        end_s = word.end_s if word.end_s is not None else word.start_s
    return [*found, Line(speaker, start_s, " ".join(parts))] if parts else found


def turns(meeting: Meeting) -> list[str]:
    """What is said in turn, with punctuation: lines as they begin, those of one speaker joined."""
    found: list[str] = []
    last = ""
    for line in sorted(lines(meeting, punctuation=True), key=lambda line: line.start_s):
        if line.speaker == last:
            found[-1] += f" {line.text}"
        else:
            found.append(line.text)
        last = line.speaker
    return found
