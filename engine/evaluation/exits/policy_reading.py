"""What exit policies decide by, at every position of a text: exit and full depth side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.evaluation.exits.exit_reading import ExitReader
from engine.evaluation.exits.matched_compute import THRESHOLDS, Curve, curve
from engine.evaluation.exits.prompt_sets import Item
from engine.speculation.policies import top_probability
from engine.speculation.sampling import Sampling

PROMPTS, REPLIES = "prompts", "replies"
CONFIDENCE, ACT = "token confidence", "dialogue act"

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Text:
    """Tokens already read, and those after each of which the next one is asked for."""

    before: tuple[int, ...]
    asked: tuple[int, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Read:
    """One text at one exit, shape [positions]: whether the exit's token is full depth's, and the
    exit's highest probability."""

    agrees: Bools
    top: Floats


def texts(reader: ExitReader, items: Sequence[Item], positions: str, tokens: int) -> list[Text]:
    """The positions to evaluate: the prompts' own, as in the seed's comparison, or the replies'."""
    if positions == PROMPTS:
        begin = reader.decoder.model.begin_token()
        before = () if begin is None else (begin,)
        tokenize = reader.decoder.model.tokenize
        return [Text(before, tuple(tokenize(item.text)), item.text) for item in items]
    found = []
    for item in items:
        prompt = reader.loaded.chat.prompt(item.messages).tokens
        reply = reader.reply(prompt, tokens, Sampling())
        asked = (prompt[-1], *reply.tokens[:-1])
        found.append(Text(tuple(prompt[:-1]), asked, reader.words(reply)))
    return found


def deepest(reader: ExitReader, text: Text) -> NDArray[np.intp]:
    """Full depth's most probable next token at each position."""
    rows = reader.deep_logits(text.before, text.asked)
    return np.concatenate([chunk.argmax(axis=1) for chunk in rows])


def read(reader: ExitReader, text: Text, deep: NDArray[np.intp]) -> Read:
    """What the exit says at each position, beside full depth's tokens `deep`."""
    best: list[int] = []
    top: list[float] = []
    for chunk in reader.exit_logits(text.before, text.asked):
        best += reader.vocabulary[chunk.argmax(axis=1)].tolist()
        top += [top_probability(row) for row in chunk]
    return Read(np.array(best) == deep, np.array(top))


def by_confidence(found: Sequence[Read]) -> Curve:
    """Token confidence: deep where the exit's highest probability is below the threshold."""
    limits = np.array(THRESHOLDS)[:, None]
    return curve([r.agrees for r in found], [r.top < limits for r in found])


def by_act(found: Sequence[Read], p_deep: Sequence[float]) -> Curve:
    """Dialogue act: deep at every position of a text whose P(deep) reaches the threshold."""
    limits = np.array(THRESHOLDS)[:, None]
    deep = [
        np.broadcast_to(p >= limits, (len(limits), len(r.agrees)))
        for r, p in zip(found, p_deep, strict=True)
    ]
    return curve([r.agrees for r in found], deep)
