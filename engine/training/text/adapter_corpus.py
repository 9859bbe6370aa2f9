"""The adapters' training set: turns of real people, answered by the base model, on disk.

Written batch by batch into a run's folder, so that an interrupted run loses one batch. States
take (exits + 1) * width * 2 bytes a token and are mapped, never loaded as a whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import JobFailed
from engine.records.folders import read_json, replace_json
from engine.training.classifiers.frequent_words import spoken
from engine.training.corpora import archive, dailydialog
from engine.training.corpora.dailydialog import Split
from engine.training.text.leaks import HeldOut

INDEX, TOKENS, STATES = "conversations.json", "tokens.bin", "states.bin"
_TOKEN = np.dtype([("id", "<i4"), ("answering", "?")])
_HEARD = (0, 2)
"""Utterances of a dialogue that stand in the history before the model's first answer."""
TURNS = 2
"""Turns of the user that the model answers in one conversation."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The start of a conversation: what was said before, and the turns to be answered."""

    dialogue: int
    heard: tuple[str, ...]
    turns: tuple[str, ...]


def splits(data: Path | None) -> tuple[list[list[str]], list[list[str]]]:
    """DailyDialog's dialogues to train on and to test on; `data` is its folder or archive."""
    with archive.opened(dailydialog.find(data)) as corpus:
        train, test = (dialogues(dailydialog.read(corpus, name)) for name in ("train", "test"))
    return train, test


def dialogues(split: Split) -> list[list[str]]:
    """Utterances of each dialogue, written as people write."""
    found: dict[int, list[str]] = {}
    for text, number in zip(split.texts, split.dialogues.tolist(), strict=True):
        found.setdefault(number, []).append(spoken(text))
    return list(found.values())


def openings(
    talks: Sequence[Sequence[str]],
    held_out: Sequence[HeldOut],
    *,
    count: int,
    seed: int,
    first: int = 0,
) -> tuple[list[Opening], int]:
    """`count` openings from dialogues that repeat nothing held out; how many do repeat.

    `first` is the number that the first dialogue goes by.
    """
    clean = [
        number
        for number, talk in enumerate(talks)
        if not any(held.in_text(text) for held in held_out for text in talk)
    ]
    order = np.random.default_rng(seed).permutation(len(clean))
    found = []
    for place, index in enumerate(order.tolist()):
        talk, heard = talks[clean[index]], _HEARD[place % len(_HEARD)]
        turns = tuple(talk[heard::2][:TURNS])
        if turns:
            found.append(Opening(first + clean[index], tuple(talk[:heard]), turns))
    return found[:count], len(talks) - len(clean)


class Corpus:
    """Conversations with their states. `width` and `exits` belong to the whole of it."""

    def __init__(self, folder: Path) -> None:
        """Open what `write` has stored; `JobFailed` when there is nothing."""
        index = read_json(folder / INDEX)
        if index is None:
            raise JobFailed(
                f"There are no conversations in {folder}", remedy="name a run that has made some"
            )
        self.exits: list[int] = index["exits"]
        self.sha256: str = index["sha256"]
        self.replies: list[list[list[int]]] = index["replies"]
        self.dialogues: list[int] = index["dialogues"]
        """The training dialogue each conversation began with."""
        self.ends = np.cumsum(index["lengths"])
        total, width = int(self.ends[-1]), index["width"]
        self.tokens = np.fromfile(folder / TOKENS, _TOKEN, total)
        self.states: NDArray[np.float16] = np.memmap(
            folder / STATES, np.float16, "r", shape=(total, len(self.exits) + 1, width)
        )

    def __len__(self) -> int:
        return len(self.ends)

    def rows(self, number: int) -> slice:
        """Where conversation `number` lies in `tokens` and `states`."""
        end = int(self.ends[number])
        return slice(end - self._length(number), end)

    def _length(self, number: int) -> int:
        return int(self.ends[number] - (self.ends[number - 1] if number else 0))


def write(
    folder: Path,
    batches: Sequence[Sequence[Opening]],
    make: Callable[[int], Sequence[Any]],
    *,
    exits: Sequence[int],
    width: int,
    sha256: str,
    report: Callable[[int], None],
) -> None:
    """Store what `make(number)` gives (`Example`s) for every batch.

    Goes on where an earlier call with the same arguments ended.
    """
    index: dict[str, Any] = read_json(folder / INDEX) or {
        "exits": list(exits),
        "width": width,
        "sha256": sha256,
        "batches": 0,
        "lengths": [],
        "replies": [],
        "dialogues": [],
    }
    for number in range(index["batches"], len(batches)):
        report(number)
        examples = make(number)
        total = sum(index["lengths"])
        tokens = np.concatenate([_marked(example) for example in examples])
        states = np.concatenate([example.states for example in examples])
        if not np.isfinite(states).all():
            raise JobFailed(
                "The model's states do not fit 16-bit numbers", remedy="choose another model"
            )
        _append(folder / TOKENS, total * _TOKEN.itemsize, tokens)
        _append(folder / STATES, total * states[0].nbytes, states)
        index["lengths"] += [len(example.tokens) for example in examples]
        index["replies"] += [[list(reply) for reply in e.replies] for e in examples]
        index["dialogues"] += [opening.dialogue for opening in batches[number]]
        index["batches"] = number + 1
        replace_json(folder / INDEX, index)


def _marked(example: Any) -> NDArray[Any]:
    marked = np.empty(len(example.tokens), _TOKEN)
    marked["id"], marked["answering"] = example.tokens, example.answering
    return marked


def _append(path: Path, offset: int, content: NDArray[Any]) -> None:
    """Write at `offset`: over what an interrupted batch may have left there."""
    with path.open("r+b" if path.exists() else "wb") as file:
        file.seek(offset)
        content.tofile(file)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def without_replies(corpus: Corpus, forbidden: Collection[tuple[int, ...]]) -> list[int]:
    """Numbers of the conversations none of whose replies is one of `forbidden`."""
    unwanted = set(forbidden)
    return [
        number
        for number, replies in enumerate(corpus.replies)
        if not any(tuple(reply) in unwanted for reply in replies)
    ]
