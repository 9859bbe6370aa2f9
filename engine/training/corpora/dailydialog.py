"""DailyDialog (Li et al. 2017, CC BY-NC-SA 4.0): everyday dialogues, one act an utterance.

One dialogue a line, utterances ended by `__eou__`; the acts' file has one number an utterance
on the same line (1 inform, 2 question, 3 directive, 4 commissive).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.training.corpora import location
from engine.training.corpora.archive import Archive

FILE = "dailydialog.zip"
LICENCE = "CC BY-NC-SA 4.0"
_OBTAIN = (
    "get DailyDialog (Li et al. 2017) and zip train/, validation/ and test/ with their "
    f"dialogues_*.txt and dialogues_act_*.txt as {FILE}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Utterances of one official split, in order."""

    texts: list[str]
    acts: NDArray[np.intp]
    """Act of each utterance, 0..3 for the corpus's 1..4."""
    dialogues: NDArray[np.intp]
    """Number of the dialogue each utterance belongs to, from 0."""


def find(given: Path | None) -> Path:
    """The corpus on this machine; `DataUnavailable` tells how to get it."""
    return location.find(FILE, given, obtain=_OBTAIN)


def read(archive: Archive, split: str) -> Split:
    """One split: `train`, `validation` or `test`.

    Raises `DataUnavailable` naming file and line where texts and acts do not pair up.
    """
    dialogues_name = f"{split}/dialogues_{split}.txt"
    acts_name = f"{split}/dialogues_act_{split}.txt"
    dialogues, labels = _lines(archive, dialogues_name), _lines(archive, acts_name)
    if len(dialogues) != len(labels):
        raise archive.damaged(acts_name, f"has {len(labels)} lines for {len(dialogues)} dialogues")
    texts: list[str] = []
    acts: list[int] = []
    numbers: list[int] = []
    for number, (dialogue, label) in enumerate(zip(dialogues, labels, strict=True)):
        utterances = [text for part in dialogue.split("__eou__") if (text := part.strip())]
        codes = label.split()
        if len(utterances) != len(codes) or not set(codes) <= {"1", "2", "3", "4"}:
            raise archive.damaged(acts_name, f"does not fit its dialogue in line {number + 1}")
        texts += utterances
        acts += [int(code) - 1 for code in codes]
        numbers += [number] * len(codes)
    return Split(texts=texts, acts=np.array(acts, np.intp), dialogues=np.array(numbers, np.intp))


def _lines(archive: Archive, name: str) -> list[str]:
    # Utterances hold characters that str.splitlines would take for line ends.
    try:
        return archive.read(name).decode("utf-8").rstrip("\n").split("\n")
    except UnicodeDecodeError as exc:
        raise archive.damaged(name, "is not UTF-8 text") from exc
