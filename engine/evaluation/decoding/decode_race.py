"""Ways to decode the same replies, timed in turn: one prompt by all, then the next prompt.

Each way is timed from a reply's first token to its end, so that prefill doesn't count. All
greedy ways serve the same tokens, which makes every prompt a paired comparison.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Protocol

import numpy as np

from engine.evaluation.decoding.plain import Plain
from engine.evaluation.measurement.protocol import RACE, Rules, schedule
from engine.evaluation.measurement.statistics import RESAMPLES, SEED
from engine.speculation.choosing import Choosing, by
from engine.speculation.decoder import Decoder
from engine.speculation.sampling import Sampling


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One reply: `tokens` after the first took `seconds`; what drafting did meanwhile."""

    way: str
    prompt: int
    tokens: int
    seconds: float
    rounds: int = 0
    drafted: int = 0
    accepted: int = 0
    head_ms: float = 0.0
    tail_ms: float = 0.0
    reply: tuple[int, ...] = ()
    load: int = 0
    """Which load of the models it is of."""


_GREEDY = by(Sampling())

_WARM_UP_TOKENS = 4
_SHORTEST = 7  # tokens after the first: fewer are not worth timing


class Way(Protocol):
    """One way to decode; `name` for records."""

    @property
    def name(self) -> str:
        """Its name in records."""
        ...

    def run(self, prompt: Sequence[int], count: int, number: int) -> Sample:
        """Answer prompt `number`, timed."""
        ...


@dataclass(frozen=True, slots=True)
class PlainWay:
    """llama-cpp-python's own loop on the uncut file."""

    name: str
    plain: Plain

    def run(self, prompt: Sequence[int], count: int, number: int) -> Sample:
        """Answer prompt `number`, timed."""
        self.plain.forget()
        reply: list[int] = []
        began = ended = 0.0
        for token in self.plain.stream(prompt, count):
            ended = time.perf_counter()
            began = began or ended
            reply.append(token)
        # A reply that ends by itself took one step more, which serves nothing.
        if len(reply) < count:
            ended = time.perf_counter()
        return Sample(
            way=self.name,
            prompt=number,
            tokens=len(reply) - 1,
            seconds=ended - began,
            reply=tuple(reply),
        )


@dataclass(frozen=True, slots=True)
class HalvesWay:
    """Head and tail, with `draft_tokens` drafted at a time (0: none)."""

    name: str
    decoder: Decoder
    draft_tokens: int
    lookup: bool = False
    choosing: Choosing = _GREEDY

    def run(self, prompt: Sequence[int], count: int, number: int) -> Sample:
        """Answer prompt `number`, timed."""
        self.decoder.forget()
        self.decoder.draft_tokens, self.decoder.lookup = self.draft_tokens, self.lookup
        self.decoder.choosing = self.choosing
        steps = [s for s in self.decoder.decode(prompt, count) if s.served or s.ended]
        rounds = steps[1:]
        reply = tuple(item.token for step in steps for item in step.served)
        return Sample(
            way=self.name,
            prompt=number,
            tokens=len(reply) - 1,
            seconds=steps[-1].end_s - steps[0].end_s,
            rounds=len(rounds),
            drafted=sum(step.drafted for step in rounds),
            accepted=sum(step.accepted for step in rounds),
            head_ms=sum(step.head_ms for step in rounds),
            tail_ms=sum(step.tail_ms for step in rounds),
            reply=reply,
        )


@dataclass(slots=True)
class Results:
    """All samples, by way and prompt."""

    samples: dict[str, list[Sample]] = field(default_factory=dict)

    def speeds(self, way: str) -> list[float]:
        """Tokens per second of each of a way's replies."""
        return [s.tokens / s.seconds for s in self.samples[way]]

    def ratios(self, way: str, reference: str) -> list[float]:
        """Speed of `way` against `reference`, prompt by prompt."""
        pairs = zip(self.speeds(way), self.speeds(reference), strict=True)
        return [speed / against for speed, against in pairs]

    def by_load(self, values: Sequence[float]) -> list[float]:
        """Of `values`, one a reply, each load's median."""
        loads: dict[int, list[float]] = {}
        for sample, value in zip(next(iter(self.samples.values())), values, strict=True):
            loads.setdefault(sample.load, []).append(value)
        return [statistics.median(found) for found in loads.values()]

    def add(self, other: Results, load: int, first: int) -> None:
        """Take over another load's samples, whose prompts are counted from `first` on."""
        for way, samples in other.samples.items():
            kept = self.samples.setdefault(way, [])
            kept += [replace(s, load=load, prompt=first + s.prompt) for s in samples]


def race(
    ways: Sequence[Way],
    prompts: Sequence[Sequence[int]],
    count: int,
    see: Callable[[int, int], None] = lambda *_: None,
    rules: Rules = RACE,
) -> Results:
    """Every way answers every prompt in the protocol's order; short replies are left out.

    Warm-up and discarded rounds have the first prompt, which is then timed again. `see` hears
    how many prompts are done, of how many.
    """
    results = Results({way.name: [] for way in ways})
    samples: list[Sample] = []
    for slot in schedule(ways, len(prompts), rules):
        if slot.round < 0:
            slot.candidate.run(prompts[0], _WARM_UP_TOKENS, 0)
            continue
        samples.append(slot.candidate.run(prompts[slot.round], count, slot.round))
        if len(samples) < len(ways):
            continue
        if slot.kept:
            if min(sample.tokens for sample in samples) >= _SHORTEST:
                for sample in samples:
                    results.samples[sample.way].append(sample)
            see(slot.round + 1, len(prompts))
        samples = []
    return results


def median_interval(values: Sequence[float]) -> dict[str, float]:
    """Median with its 95 % percentile-bootstrap interval over independent `values`."""
    draws = np.random.default_rng(SEED).choice(values, (RESAMPLES, len(values)))
    low, high = np.percentile(np.median(draws, axis=1), [2.5, 97.5])
    return {
        "median": round(statistics.median(values), 4),
        "low": round(float(low), 4),
        "high": round(float(high), 4),
    }


def records(results: Results) -> Iterator[dict[str, object]]:
    """Every sample as a JSON-ready object."""
    for samples in results.samples.values():
        yield from (asdict(sample) for sample in samples)
