"""The job that finds the fastest way to decode on this machine and remembers it for mode auto.

Threads first (without drafts), then exit layers and draft lengths and prompt lookup against
plain decoding, interleaved. Drafting is chosen only where its whole interval lies above 1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from typing import Any

import psutil

from engine import paths, settings
from engine.evaluation.decoding.decode_race import (
    HalvesWay,
    Results,
    median_interval,
    race,
    records,
)
from engine.evaluation.decoding.identity_prompts import conversations
from engine.evaluation.decoding.number_lists import whole_numbers
from engine.evaluation.measurement.protocol import RACE
from engine.evaluation.measurement.watching import watched
from engine.events import Evidence
from engine.records.evidence import Figure, Interval
from engine.records.plots import Axis, Plot, Series, Table
from engine.records.runs import ActiveRun
from engine.settings import DecoderSettings
from engine.speculation import loading, split, tuning
from engine.store.fetching import locate

_CONTEXT = 1024
_PLAIN = "plain"


def run(
    active: ActiveRun, *, prompts: int, tokens: int, exits: str, drafts: str, install: bool
) -> dict[str, Any]:
    """Measure, choose and (with `install`) remember; the choice with every candidate's figures."""
    layers, lengths = whole_numbers(exits, "numbers"), whole_numbers(drafts, "numbers")
    chosen = replace(
        settings.load(paths.settings_file()).decoder,
        speculation="always",
        context_tokens=_CONTEXT,
    )
    cache = paths.cache() / "halves"
    asked = conversations(prompts)
    active.phase("Measuring thread counts", 0.0)
    with watched(active, RACE) as watch:
        threads, by_threads = _threads(active, chosen, asked, tokens)
        chosen = replace(chosen, threads=threads)
        ways, results = _drafts(active, chosen, layers, lengths, asked, tokens)
    digest = split.identity(locate(chosen.model), cache)
    for record in records(results):
        active.metric(**record)
    figures = {way.name: median_interval(results.ratios(way.name, _PLAIN)) for way in ways}
    best = best_of(figures)
    way = next(way for way in ways if way.name == best)
    choice = tuning.Choice(
        draft_tokens=way.draft_tokens,
        exit_layer=ways[way] if way.draft_tokens else chosen.exit_layer,
        threads=threads,
        gain=figures[best]["median"],
        low=figures[best]["low"],
        high=figures[best]["high"],
        run=active.name,
        lookup=way.lookup,
    )
    if install:
        tuning.remember(digest, cache, choice)
    return {
        "choice": asdict(choice),
        "way": best,
        "ratio_to_plain": figures,
        "plain_tokens_per_s": median_interval(results.speeds(_PLAIN)),
        "tokens_per_s_by_threads": by_threads,
        "installed": install,
        **watch.result(*_pictures(by_threads, figures, active.evidence)),
    }


def _drafts(
    active: ActiveRun,
    chosen: DecoderSettings,
    layers: Sequence[int],
    lengths: Sequence[int],
    asked: Sequence[Any],
    tokens: int,
) -> tuple[dict[HalvesWay, int], Results]:
    """Every way to draft raced against plain decoding; the exit layer of each way."""
    ways: dict[HalvesWay, int] = {}
    with ExitStack() as stack:
        for layer in layers:
            opened = _opened(stack, replace(chosen, exit_layer=layer))
            if not ways:
                chat = opened.chat
                ways[HalvesWay(_PLAIN, opened.decoder, 0)] = layer
                for length in lengths:
                    name = f"prompt lookup, draft {length}"
                    ways[HalvesWay(name, opened.decoder, length, lookup=True)] = layer
            for length in lengths:
                ways[HalvesWay(f"exit {layer}, draft {length}", opened.decoder, length)] = layer
        results = race(
            list(ways),
            [chat.prompt(messages).tokens for messages in asked],
            tokens,
            lambda done, of: active.phase("Measuring drafts", 0.3 + 0.7 * done / of),
        )
    return ways, results


def _pictures(
    by_threads: Mapping[str, Mapping[str, float]],
    ratios: Mapping[str, Mapping[str, float]],
    evidence: Evidence,
) -> tuple[list[Plot], list[Table]]:
    plot = Plot(
        title="Plain decoding by thread count",
        x=Axis(name="threads"),
        y=Axis(name="speed", unit="tokens/s"),
        series=[
            Series(
                name="whole model",
                x=[int(count) for count in by_threads],
                y=[found["median"] for found in by_threads.values()],
                low=[found["low"] for found in by_threads.values()],
                high=[found["high"] for found in by_threads.values()],
                evidence=evidence,
            )
        ],
    )
    table = Table(
        title="Ways to decode against plain decoding",
        columns=("way", "times as fast"),
        rows=[[way, _figure(found, evidence)] for way, found in ratios.items()],
    )
    return [plot], [table]


def _figure(found: Mapping[str, float], evidence: Evidence) -> Figure:
    interval = Interval(
        low=found["low"],
        high=found["high"],
        level=0.95,
        method="percentile bootstrap of the median over prompts",
    )
    return Figure(value=found["median"], evidence=evidence, interval=interval)


def best_of(figures: Mapping[str, Mapping[str, float]]) -> str:
    """The fastest way whose gain's interval lies above 1.0; else plain decoding."""
    paying = {name: figure for name, figure in figures.items() if figure["low"] > 1.0}
    return max(paying, key=lambda name: paying[name]["median"], default=_PLAIN)


def _threads(
    active: ActiveRun, chosen: DecoderSettings, asked: Sequence[Any], tokens: int
) -> tuple[int, dict[str, Any]]:
    """The fastest number of threads; fewer where more are not clearly faster."""
    counts = sorted({*_powers(_cores()), min(chosen.threads, _cores())})
    with ExitStack() as stack:
        opened = [_opened(stack, replace(chosen, threads=count)) for count in counts]
        ways = [
            HalvesWay(str(count), one.decoder, 0) for count, one in zip(counts, opened, strict=True)
        ]
        prompts = [opened[0].chat.prompt(messages).tokens for messages in asked]
        results = race(
            ways,
            prompts,
            tokens,
            lambda done, of: active.phase("Measuring thread counts", 0.3 * done / of),
        )
    speeds = {str(count): median_interval(results.speeds(str(count))) for count in counts}
    return _fewest(results, counts), speeds


def _fewest(results: Results, counts: Sequence[int]) -> int:
    best = counts[0]
    for count in counts[1:]:
        if median_interval(results.ratios(str(count), str(best)))["low"] > 1.0:
            best = count
    return best


def _opened(stack: ExitStack, wanted: DecoderSettings) -> loading.Loaded:
    one = loading.load(locate(wanted.model), paths.cache() / "halves", wanted, lambda *_: None)
    stack.callback(one.decoder.close)
    return one


def _cores() -> int:
    """Cores this process may use; two threads of one core only get in each other's way."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(psutil.cpu_count(logical=False) or usable or 1, usable or 1)


def _powers(most: int) -> Iterator[int]:
    count = 1
    while count <= most:
        yield count
        count *= 2
