"""The two sets of prompts that exits, policies and replies are evaluated on, always the same.

AMI: the turns of a meeting that no training text may hold. DailyDialog: test dialogues, of which
1, 3 or 5 utterances were heard; what was said next is the reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.errors import DataUnavailable
from engine.evaluation.exits import ami_items
from engine.speculation.messages import Message
from engine.training.corpora import dailydialog
from engine.training.corpora.archive import opened
from engine.training.text.adapter_corpus import dialogues

AMI, DAILYDIALOG = "AMI", "DailyDialog"
_HEARD = (1, 3, 5)
"""Utterances heard before the answer, taken in turn; the last is the user's."""


@dataclass(frozen=True, slots=True)
class Item:
    """What was said before an answer, and what a person answered."""

    messages: tuple[Message, ...]
    reference: str

    @property
    def text(self) -> str:
        """What is to be answered."""
        return self.messages[-1].text


def ami(data: Path | None) -> list[Item]:
    """The 40 items of the AMI evaluation set."""
    return [
        Item((Message("user", item.prompt),), item.response) for item in ami_items.ami_items(data)
    ]


def daily(count: int, data: Path | None) -> list[Item]:
    """Items of the first `count` test dialogues that go on after what was heard."""
    with opened(dailydialog.find(data)) as archive:
        talks = dialogues(dailydialog.read(archive, "test"))
    found: list[Item] = []
    for talk in talks:
        heard = min(_HEARD[len(found) % len(_HEARD)], len(talk) // 2 * 2 - 1)
        if heard > 0 and len(found) < count:
            said = [Message("user" if n % 2 == 0 else "assistant", t) for n, t in enumerate(talk)]
            found.append(Item(tuple(said[:heard]), talk[heard]))
    if len(found) < count:
        raise DataUnavailable(
            f"DailyDialog's test split gives {len(found)} of {count} prompts",
            remedy="ask for fewer",
        )
    return found


def both(count: int, data: Path | None) -> dict[str, list[Item]]:
    """`count` items of each set, of AMI its 40 at most."""
    return {AMI: ami(data)[:count], DAILYDIALOG: daily(count, data)}
