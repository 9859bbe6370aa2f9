"""Conversations for the decoder's benches: the demos' turns, then DailyDialog's test dialogues."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from engine import paths
from engine.errors import DataUnavailable
from engine.speculation.messages import Message
from engine.training.corpora import dailydialog
from engine.training.corpora.archive import opened

_HEARD = (1, 3, 5)
"""Utterances of a dialogue heard before the answer, taken in turn; the last is the user's."""


def conversations(count: int, data: Path | None = None) -> list[list[Message]]:
    """The first `count` conversations, always the same ones.

    The demos need no research data; beyond them `DataUnavailable` says how to get it.
    """
    found = list(islice(_demo_turns(), count))
    if len(found) < count:
        found += islice(_dialogues(data), count - len(found))
    if len(found) < count:
        raise DataUnavailable(
            f"Only {len(found)} of {count} prompts could be found", remedy="ask for fewer"
        )
    return found


def _demo_turns() -> Iterator[list[Message]]:
    """Every turn of the bundled demos, without what was said before it."""
    for path in sorted(paths.demos().glob("*.json")):
        turns: dict[int, list[str]] = {}
        for segment in json.loads(path.read_text("utf-8"))["segments"]:
            turns.setdefault(segment["turn"], []).append(segment["text"])
        for texts in turns.values():
            yield [Message("user", " ".join(texts))]


def _dialogues(data: Path | None) -> Iterator[list[Message]]:
    with opened(dailydialog.find(data)) as archive:
        split = dailydialog.read(archive, "test")
    starts = np.flatnonzero(np.diff(split.dialogues, prepend=-1)).tolist()
    for i, (start, end) in enumerate(zip(starts, [*starts[1:], len(split.texts)], strict=True)):
        heard = min(_HEARD[i % len(_HEARD)], (end - start - 1) // 2 * 2 + 1)
        yield [
            Message("user" if n % 2 == 0 else "assistant", text)
            for n, text in enumerate(split.texts[start : start + heard])
        ]
