"""The 40-item AMI evaluation set: prompts and responses from one meeting (the seed's §4).

The page names the meeting and the number; its rule is lost. This one fits what is left of it: take
the meeting's lines (`engine.training.corpora.ami_lines`) in the order of its files, leave out those
under 20 characters, and pair them off, first with second, third with fourth. The first 40 pairs are
the set. Its items then stand word for word in exactly the six meetings that the page excludes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.errors import DataUnavailable
from engine.training.corpora import ami, archive
from engine.training.corpora.ami_lines import lines

MEETING = "EN2001a"
COUNT = 40
SHORTEST = 20
"""Characters of the shortest line that counts."""


@dataclass(frozen=True, slots=True)
class Item:
    """A line of `meeting` and what follows it in its speaker's file."""

    prompt: str
    response: str
    meeting: str
    position: int
    """Number of the prompt among the meeting's lines, from 0."""


def ami_items(data: Path | None) -> list[Item]:
    """The evaluation set, always the same; `data` as in `ami.find`.

    `DataUnavailable` without the corpus or where the meeting does not give 40 items.
    """
    with archive.opened(ami.find(data)) as corpus:
        others = [name for name in ami.files(corpus) if name != MEETING]
        found = [item for meeting in ami.meetings(corpus, others) for item in chosen(meeting)]
    if len(found) != COUNT:
        raise DataUnavailable(
            f"The meeting {MEETING} gives {len(found)} evaluation items instead of {COUNT}",
            remedy="obtain the AMI annotations again",
        )
    return found


def chosen(meeting: ami.Meeting) -> list[Item]:
    """At most `COUNT` items of a meeting, by the rule above."""
    said = [(n, line.text) for n, line in enumerate(lines(meeting)) if len(line.text) >= SHORTEST]
    return [
        Item(prompt, response, meeting.name, position)
        for (position, prompt), (_, response) in zip(said[::2], said[1::2], strict=False)
    ][:COUNT]
