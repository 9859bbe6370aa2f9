"""Training text: conversations of all corpora, without what evaluations ask, as a token stream.

Speakers take the roles of user and assistant in turn, in the base model's own chat template: the
prompt/response form of the seed's §4. The stream is cut into blocks of one length.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import JobFailed
from engine.evaluation.exits.ami_items import Item
from engine.speculation import llama
from engine.speculation.chat import Chat
from engine.speculation.messages import Message
from engine.training.corpora import ami, archive, chats
from engine.training.corpora.ami_lines import lines, turns
from engine.training.text.adapter_corpus import splits
from engine.training.text.leaks import HeldOut, Verbatim

AMI, DAILYDIALOG = "ami", "dailydialog"
_ROLES = ("user", "assistant")
_LONGEST = 16
"""Turns of one talk; each begins with the system message that replies are given under."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation: what its speakers say in turn."""

    source: str
    name: str
    said: tuple[str, ...]


@dataclass(slots=True)
class Texts:
    """Conversations to learn from, and how the corpora came down to them."""

    talks: list[Talk] = field(default_factory=list)
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    excluded: list[str] = field(default_factory=list)
    """AMI meetings left out."""
    found: dict[str, list[str]] = field(default_factory=dict)
    """AMI meetings in which prompts or responses stand, left out or not."""
    as_written: list[str] = field(default_factory=list)
    """AMI meetings in which one of them stands letter for letter."""
    malformed: list[str] = field(default_factory=list)


def verbatim(items: Sequence[Item]) -> Verbatim:
    """Prompts 0..n-1 and responses n..2n-1 of an evaluation set, to be looked for whole."""
    return Verbatim([*(item.prompt for item in items), *(item.response for item in items)])


def labels(numbers: Collection[int], items: Sequence[Item]) -> list[str]:
    """What `verbatim` numbers stand for: `prompt 3`, `response 17`."""
    count = len(items)
    return [
        f"prompt {number}" if number < count else f"response {number - count}"
        for number in sorted(numbers)
    ]


def meetings(data: Path | None, items: Sequence[Item], exclude: Collection[str] | None) -> Texts:
    """The AMI meetings as talks, without those in `exclude`.

    None excludes the meetings in which a prompt or response of `items` stands verbatim, as one
    speaker says it or across speakers, and the meetings that the items were taken from.
    """
    texts, looked_for = Texts(), verbatim(items)
    counts = {"meetings": 0, "turns": 0, "kept_meetings": 0, "kept_turns": 0}
    named = set(exclude or ())
    with archive.opened(ami.find(data)) as corpus:
        ami.files(corpus, named)  # refuses unknown names
        for meeting in ami.meetings(corpus):
            texts.malformed += meeting.malformed
            said = tuple(turns(meeting))
            by_speaker = "\n".join(line.text for line in lines(meeting))
            found = looked_for.found(by_speaker) | looked_for.found(" ".join(said))
            asked = (text for item in items for text in (item.prompt, item.response))
            if any(text in by_speaker for text in asked):
                texts.as_written.append(meeting.name)
            if found:
                texts.found[meeting.name] = labels(found, items)
            counts["meetings"] += 1
            counts["turns"] += len(said)
            origin = any(item.meeting == meeting.name for item in items)
            if meeting.name in named or (exclude is None and (found or origin)):
                texts.excluded.append(meeting.name)
                continue
            counts["kept_meetings"] += 1
            counts["kept_turns"] += len(said)
            texts.talks.append(Talk(AMI, meeting.name, said))
    texts.counts[AMI] = counts
    return texts


def everyday(data: Path | None, items: Sequence[Item]) -> Texts:
    """DailyDialog's training split, without dialogues that repeat its test split or an item."""
    train, test = splits(data)
    held_out = HeldOut(text for talk in test for text in talk)
    texts, looked_for = Texts(), verbatim(items)
    for number, talk in enumerate(train):
        asked = looked_for.found(" ".join(talk))
        if not asked and not any(held_out.in_text(text) for text in talk):
            texts.talks.append(Talk(DAILYDIALOG, str(number), tuple(talk)))
    texts.counts[DAILYDIALOG] = {"dialogues": len(train), "kept_dialogues": len(texts.talks)}
    return texts


def plain(path: Path, items: Sequence[Item]) -> Texts:
    """A file of chats, without those that repeat an item."""
    read, texts, looked_for = chats.read(path), Texts(), verbatim(items)
    for number, talk in enumerate(read):
        if not looked_for.found(" ".join(talk)):
            texts.talks.append(Talk(path.name, str(number), tuple(talk)))
    texts.counts[path.name] = {"chats": len(read), "kept_chats": len(texts.talks)}
    return texts


def together(parts: Sequence[Texts]) -> Texts:
    """Several corpora as one."""
    whole = Texts()
    for part in parts:
        whole.talks += part.talks
        whole.counts |= part.counts
        whole.excluded += part.excluded
        whole.malformed += part.malformed
        whole.found |= part.found
        whole.as_written += part.as_written
    return whole


def encoded(chat: Chat, talks: Sequence[Talk]) -> Iterator[list[int]]:
    """Each talk's tokens by the base model's template; a long one is cut into several."""
    for talk in talks:
        for begin in range(0, len(talk.said), _LONGEST):
            part = talk.said[begin : begin + _LONGEST]
            if len(part) > 1:
                yield chat.transcript([Message(_ROLES[n % 2], text) for n, text in enumerate(part)])


def blocks(encoded: Iterator[list[int]], length: int) -> NDArray[np.int32]:
    """The stream in blocks, shape [n, length + 1]: a block's last token is only predicted.

    `JobFailed` when it does not fill one.
    """
    tokens = np.fromiter((token for talk in encoded for token in talk), np.int32)
    count = (len(tokens) - 1) // length
    if count < 1:
        raise JobFailed(
            f"The training text has {len(tokens)} tokens, which is less than a block",
            remedy="add text or choose shorter blocks",
        )
    starts = np.arange(count)[:, None] * length
    return np.asarray(tokens[starts + np.arange(length + 1)])


def left(model: llama.Model, tokens: NDArray[np.int32], items: Sequence[Item]) -> dict[str, Any]:
    """Prompts and responses that stand in the token stream itself, read back as text."""
    text = b"".join(model.piece(token) for token in tokens.flatten().tolist()).decode(
        "utf-8", "replace"
    )
    found = verbatim(items).found(text)
    prompts = sum(number < len(items) for number in found)
    return {
        "items": len(items),
        "prompts": prompts,
        "responses": len(found) - prompts,
        "which": labels(found, items),
    }
