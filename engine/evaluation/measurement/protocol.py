"""The measurement protocol that every timed job keeps (the seed's §8).

Warm-up, first rounds left out, cool-down between rounds, an order in which no candidate is
favoured, and a watch over the machine while it is measured. What breaks the protocol is refused,
or stands in the result for everybody to see.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any, Generic, TypeVar

import numpy as np

from engine.errors import JobFailed
from engine.evaluation.measurement.statistics import SEED

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a job's protocol asks for."""

    warm_up: int = 1
    """Untimed runs of every candidate before the first round."""
    discarded: int = 1
    """First rounds that are run and recorded but left out of the figures."""
    cool_down_s: float = 0.5
    """Rest between two rounds."""
    seed: int = SEED
    """Of the order within the rounds."""
    most_background_cores: float | None = 0.25
    """Work of other programs from which on no time is believed, in cores; None: it is no matter."""
    heat_is_the_subject: bool = False
    """Throttling is what is measured, and no fault."""

    def record(self) -> dict[str, Any]:
        """The rules as a JSON-ready dictionary."""
        return asdict(self)


RACE = Rules(cool_down_s=0.1)
"""Of ways to decode that race prompt by prompt: a round is seconds long."""


@dataclass(frozen=True, slots=True)
class Slot(Generic[T]):
    """One run of one candidate: in warm-up `round` is below 0; only `kept` ones count."""

    round: int
    candidate: T
    kept: bool


def schedule(
    candidates: Sequence[T], rounds: int, rules: Rules, rest: threading.Event | None = None
) -> Iterator[Slot[T]]:
    """Every run in its order, resting between rounds; the caller does each before the next.

    `rounds` are kept after those discarded. Setting `rest` cuts rests short.
    """
    waiting = rest or threading.Event()
    for number in range(rules.warm_up):
        yield from (Slot(number - rules.warm_up, one, False) for one in candidates)
    orders = balanced(len(candidates), rules.seed)
    for number in range(rules.discarded + rounds):
        if number and rules.cool_down_s:
            waiting.wait(rules.cool_down_s)
        kept = number >= rules.discarded
        for index in next(orders):
            yield Slot(max(number - rules.discarded, 0), candidates[index], kept)


def balanced(size: int, seed: int) -> Iterator[list[int]]:
    """Orders of 0..size-1 without end: a Williams design under a seeded renaming.

    In every `size` rounds each candidate stands at each place once; in every 2 * `size` each
    follows each other one equally often, so that neither heat nor a neighbour favours anybody.
    """
    names = np.random.default_rng(seed).permutation(size).tolist()
    steps = [(place + 1) // 2 * (1 if place % 2 else -1) % size for place in range(size)]
    for number in count():
        order = [names[(step + number) % size] for step in steps]
        yield order[::-1] if number // size % 2 else order


def measured(value: float | None, what: str, output: str = "") -> float:
    """The value, if it was measured: finite and above 0; `JobFailed` with `output` otherwise."""
    if value is None or not math.isfinite(value) or value <= 0:
        said = f"; it said: {output.strip()[-2000:]}" if output.strip() else ""
        raise JobFailed(
            f"{what} was not measured (it gave {value}{said})",
            remedy="run the job again, and report it if it happens again",
        )
    return value
