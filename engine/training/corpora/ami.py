"""AMI meeting corpus, manual annotations 1.7 (Carletta 2007, CC BY 4.0): words and their times.

`words/<meeting>.<speaker>.words.xml` holds one speaker's words in order, with times in seconds
of the meeting from forced alignment. Files are parsed with expat; a document type declaration,
which could carry an entity bomb and which no AMI file has, makes a file malformed.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

from engine.errors import DataUnavailable
from engine.training.corpora import location
from engine.training.corpora.archive import Archive

FILE = "ami_manual_1.7.zip"
LICENCE = "CC BY 4.0"
BAD_TIMINGS = {
    "EN2002a": "timings known to be incomplete or incorrect",
    "EN2002c": "timings known to be incomplete or incorrect",
    "EN2003a": "timings known to be incomplete or incorrect",
    "TS3009c": "timings of channel 3 known to be incomplete or incorrect",
}
"""Defects that the corpus's own README lists."""

_OBTAIN = f"get the AMI manual annotations, release 1.7, as {FILE} from the AMI corpus's site"
_NAME = re.compile(r"words/(?P<meeting>\w+)\.(?P<speaker>[A-Z])\.words\.xml")


@dataclass(frozen=True, slots=True)
class Word:
    """One element of a words file; times are None where the corpus gives none.

    `kind` is "word", "punctuation", "vocalsound" (a laugh, a cough) or another element's name.
    """

    kind: str
    text: str
    start_s: float | None
    end_s: float | None


@dataclass(frozen=True, slots=True)
class Meeting:
    """A meeting's speakers with their words, in the files' order."""

    name: str
    speakers: dict[str, list[Word]]
    malformed: tuple[str, ...]
    """Files that could not be parsed, each with the reason."""


def find(given: Path | None) -> Path:
    """The corpus on this machine; `DataUnavailable` tells how to get it."""
    return location.find(FILE, given, obtain=_OBTAIN)


def files(archive: Archive, exclude: Collection[str] = ()) -> dict[str, dict[str, str]]:
    """Words files by meeting and speaker, without the meetings in `exclude`.

    `DataUnavailable` when there are none, or when an excluded meeting is not in the corpus:
    a misspelt exclusion would let held-out meetings in.
    """
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for name in archive.names("words", ".words.xml"):
        match = _NAME.fullmatch(name)
        if match:
            found[match["meeting"]][match["speaker"]] = name
    if not found:
        raise archive.damaged("words/", "holds no words files")
    unknown = sorted(set(exclude) - found.keys())
    if unknown:
        raise DataUnavailable(
            f"The meetings to exclude, {', '.join(unknown)}, are not in the corpus",
            remedy="correct their names",
        )
    return {name: found[name] for name in sorted(found.keys() - set(exclude))}


def meetings(archive: Archive, exclude: Collection[str] = ()) -> Iterator[Meeting]:
    """Every meeting but those in `exclude`, one at a time (the corpus has 1.2 million words)."""
    for name, members in files(archive, exclude).items():
        speakers, malformed = {}, []
        for speaker, member in members.items():
            try:
                speakers[speaker] = parse(archive.read(member))
            except ValueError as exc:
                malformed.append(f"{member}: {exc}")
        yield Meeting(name, speakers, tuple(malformed))


def parse(document: bytes) -> list[Word]:
    """The elements of one words file in its order; `ValueError` says why it is malformed."""
    reader = _Reader()
    try:
        reader.parser.Parse(document, True)
    except expat.ExpatError as exc:
        raise ValueError(f"not well-formed ({exc})") from exc
    return reader.words


class _Reader:
    """Collects the root's children; what is deeper belongs to them."""

    def __init__(self) -> None:
        self.words: list[Word] = []
        self._path: list[str] = []
        self._attributes: dict[str, str] = {}
        self._text = ""
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters

    def _refuse(self, *_: object) -> None:
        raise ValueError("it declares a document type, which may carry an entity bomb")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._path and name != "nite:root":
            raise ValueError(f"its root is <{name}> instead of <nite:root>")
        self._path.append(name)
        if len(self._path) == 2:
            self._attributes, self._text = attributes, ""

    def _characters(self, text: str) -> None:
        if len(self._path) == 2:
            self._text += text

    def _end(self, name: str) -> None:
        if len(self._path) == 2:
            kind = name
            if name == "w":
                kind = "punctuation" if self._attributes.get("punc") == "true" else "word"
            self.words.append(
                Word(kind, self._text.strip(), self._time("starttime"), self._time("endtime"))
            )
        self._path.pop()

    def _time(self, attribute: str) -> float | None:
        value = self._attributes.get(attribute)
        if value is None:
            return None
        try:
            seconds = float(value)
        except ValueError:
            seconds = math.nan
        if not math.isfinite(seconds):
            raise ValueError(f"{attribute}={value!r} is not a time")
        return seconds
