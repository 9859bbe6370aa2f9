"""How often an early exit says what full depth serves: replies decoded once, read at each exit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.evaluation.exits.draft_replay import replayed
from engine.evaluation.exits.exit_reading import ExitReader, Reply
from engine.evaluation.exits.prompt_sets import Item
from engine.speculation.sampling import Sampling, distribution

Floats = NDArray[np.float64]
Ids = NDArray[np.int32]

EVERY, ONE, MANY, SAMPLED = "every_position", "one_draft", "drafts", "sampled"
MEASURES = (EVERY, ONE, MANY, SAMPLED)
"""Greedy: share of the positions at which the exit says the served token; accepted of drafted
tokens with one and with several drafts a round. Sampled: the probability, at each position, that
one draft is accepted, which is the sum over tokens of the smaller probability."""

Shares = dict[str, list[float | None]]
"""Values of `MEASURES`, one a prompt; None where the generation was empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is measured: prompts of each set, most tokens of a reply, drafts of a round."""

    prompts: int
    tokens: int
    draft_tokens: int
    exits: tuple[int, ...]
    sampling: Sampling


@dataclass(frozen=True, slots=True)
class Served:
    """What a model answers to one prompt.

    `targets` is full depth's distribution at each place of the sampled reply: the token ids it
    can draw, shape [n], and their probabilities.
    """

    prompt: list[int]
    greedy: Reply
    sampled: Reply
    targets: list[tuple[Ids, Floats]]


def answer(reader: ExitReader, item: Item, request: Request) -> Served:
    """The model's greedy and sampled reply to one item."""
    prompt = reader.loaded.chat.prompt(item.messages).tokens
    greedy = reader.reply(prompt, request.tokens, Sampling())
    sampled = reader.reply(prompt, request.tokens, request.sampling)
    targets = []
    for rows in reader.deep_logits(prompt[:-1], (prompt[-1], *sampled.tokens[:-1])):
        for row in rows:
            whole = distribution(row, request.sampling)
            ids = np.flatnonzero(whole).astype(np.int32)
            targets.append((ids, whole[ids]))
    return Served(prompt, greedy, sampled, targets)


def measure(reader: ExitReader, served: Sequence[Served], request: Request) -> Shares:
    """The exit's values on these replies."""
    found: Shares = {name: [] for name in MEASURES}
    for one in served:
        values = _greedy(reader, one, request) | {SAMPLED: _sampled(reader, one, request)}
        for name, value in values.items():
            found[name].append(value)
    return found


def _greedy(reader: ExitReader, one: Served, request: Request) -> dict[str, float | None]:
    reply = one.greedy.tokens
    if one.greedy.empty:
        return {EVERY: None, ONE: None, MANY: None}
    proposed = proposals(reader, one.prompt, reply)
    right = [a == b for a, b in zip(proposed, reply, strict=True)]

    def drafting(draft_tokens: int) -> float | None:
        return replayed(
            proposed,
            reply,
            draft_tokens=draft_tokens,
            max_tokens=request.tokens,
            widest=reader.decoder.widest,
            ends=reader.decoder.model.ends,
        ).acceptance

    return {
        EVERY: sum(right) / len(right),
        ONE: drafting(1),
        MANY: drafting(request.draft_tokens),
    }


def proposals(reader: ExitReader, prompt: Sequence[int], reply: Sequence[int]) -> list[int]:
    """The exit's most probable token at each place of `reply`."""
    return [
        int(reader.vocabulary[best])
        for rows in reader.exit_logits(prompt[:-1], (prompt[-1], *reply[:-1]))
        for best in rows.argmax(axis=1)
    ]


def _sampled(reader: ExitReader, one: Served, request: Request) -> float | None:
    if one.sampled.empty:
        return None
    reply, overlaps = one.sampled.tokens, []
    asked = (one.prompt[-1], *reply[:-1])
    rows = (row for rows in reader.exit_logits(one.prompt[:-1], asked) for row in rows)
    for row, (ids, target) in zip(rows, one.targets, strict=True):
        proposal = np.zeros(len(row))
        proposal[reader.vocabulary] = distribution(row, request.sampling)
        overlaps.append(float(np.minimum(proposal[ids], target).sum()))
    return float(np.mean(overlaps))
