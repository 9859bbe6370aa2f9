"""Whose turns the base model answers to make an adapter's training set, and what it may not read.

DailyDialog's training speakers, and the speakers of AMI meetings that no evaluation takes from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import DataUnavailable
from engine.evaluation.exits.ami_items import SHORTEST, ami_items
from engine.training.adapters.exit_adapter import Request
from engine.training.text import adapter_corpus, texts
from engine.training.text.adapter_corpus import Opening
from engine.training.text.leaks import HeldOut

_LONGEST = 300
"""Characters of the longest meeting turn that is answered."""


@dataclass(frozen=True, slots=True)
class People:
    """What people say: turns to be answered, and what the evaluations ask."""

    daily: list[list[str]]
    """DailyDialog's training dialogues."""
    meetings: list[list[str]]
    """Turns of AMI meetings that no evaluation takes from, one a list; none without AMI."""
    test: list[list[str]]
    """DailyDialog's test dialogues."""
    held_out: dict[str, list[str]]

    @property
    def dialogues(self) -> list[list[str]]:
        """What conversations count by number."""
        return [*self.daily, *self.meetings]


def read(data: Path | None) -> People:
    """All of it; `data` is DailyDialog's folder or archive, and AMI is where the data folder is.

    `DataUnavailable` without DailyDialog.
    """
    daily, test = adapter_corpus.splits(data)
    held_out = {"dailydialog_test": [text for talk in test for text in talk]}
    try:
        items = ami_items(None)
        others = texts.meetings(None, items, None)
    except DataUnavailable:
        return People(daily, [], test, held_out)
    held_out["ami_items"] = [text for item in items for text in (item.prompt, item.response)]
    meetings = [
        [_unmarked(turn) if number % 2 else turn]
        for talk in others.talks
        for number, turn in enumerate(talk.said)
        if SHORTEST <= len(turn) <= _LONGEST
    ]
    return People(daily, meetings, test, held_out)


def _unmarked(turn: str) -> str:
    """Without punctuation, as the evaluation set's prompts are."""
    return re.sub(r"[.,?!]+(?=\s|$)", "", turn)


def openings_of(
    people: People, asked: Sequence[HeldOut], request: Request
) -> tuple[list[Opening], dict[str, Any]]:
    """Starts of as many conversations as give the replies, and what the leak check left out."""
    answers_ami = round(request.replies * request.ami_share) if people.meetings else 0
    daily, daily_repeat = adapter_corpus.openings(
        people.daily,
        asked,
        count=-(-(request.replies - answers_ami) // adapter_corpus.TURNS),
        seed=request.seed,
    )
    meetings, meetings_repeat = adapter_corpus.openings(
        people.meetings, asked, count=answers_ami, seed=request.seed, first=len(people.daily)
    )
    return [*daily, *meetings], {
        "dialogues": len(people.daily),
        "dialogues_repeating_held_out_text": daily_repeat,
        "meeting_turns": len(people.meetings),
        "meeting_turns_repeating_held_out_text": meetings_repeat,
    }
