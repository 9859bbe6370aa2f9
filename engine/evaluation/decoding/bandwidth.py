"""Job bandwidth (Go/No-Go 1, the seed's §1): does decoding run into the memory's bandwidth?

Plain decoding of the uncut model and copying of memory, at every thread count, interleaved. Where
more threads stop making decoding faster is the plateau. What follows for another size of model is
extrapolated, never measured. Where a load's weights come to lie in memory moves its speed by more
than its rounds differ, so the model is loaded afresh several times and the loads are the units.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import paths, settings
from engine.evaluation.decoding.copying import Copier, cache_bytes
from engine.evaluation.decoding.identity_prompts import conversations
from engine.evaluation.decoding.number_lists import whole_numbers
from engine.evaluation.decoding.plain import Plain
from engine.evaluation.measurement.protocol import Rules, measured, schedule
from engine.evaluation.measurement.statistics import cluster_bootstrap, median_figure, medians
from engine.evaluation.measurement.watching import watched
from engine.events import Evidence
from engine.records.evidence import Figure, Interval, as_records, words
from engine.records.plots import Axis, Plot, Series, Table
from engine.records.runs import ActiveRun
from engine.store.fetching import locate

_CONTEXT = 512
_NEAR = 0.95
"""The plateau begins where this share of the highest speed is reached."""
_UNIT = "loads of the model"

_DECODE, _COPY = "decode", "copy"

Way = tuple[str, int]
Speeds = dict[Way, list[float]]
"""Tokens or bytes per second by way and thread count: of each load, the median of its rounds."""


def run(
    job: ActiveRun,
    *,
    threads: str,
    loads: int,
    rounds: int,
    tokens: int,
    other_gb: float,
    strict: bool,
) -> dict[str, Any]:
    """Time decoding and copying at the thread counts in `threads` (all, when it is empty)."""
    counts = thread_counts(threads)
    rules = Rules()
    model = locate(settings.load(paths.settings_file()).decoder.model)
    with watched(job, rules, strict=strict) as watch:
        found: Speeds = {(kind, count): [] for count in counts for kind in (_DECODE, _COPY)}
        for load in range(loads):
            with closing(Plain(model, size=_CONTEXT, threads=max(counts))) as plain:
                job.phase("Timing decoding and copying", load / loads)
                _timed(
                    job, plain, load, rounds, tokens, replace(rules, seed=rules.seed + load), found
                )
    result = summarise(found, counts, model.stat().st_size, other_gb * 1e9, job.evidence)
    plots, tables = _pictures(counts, result, job.evidence)
    for name in ("plateau_threads", "other_model"):
        job.note(f"{name.replace('_', ' ')}: {words(result[name].record())}")
    return {
        "model": model.name,
        "tokens": tokens,
        **as_records(result),
        **watch.result(plots, tables),
    }


def thread_counts(text: str) -> list[int]:
    """The counts named, or 1 to the processors this process may use (beyond 8 only some)."""
    if not text.strip():
        usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
        most = usable or os.cpu_count() or 1
        return [n for n in range(1, most + 1) if n <= 8 or n == most or n % 4 == 0]
    return whole_numbers(text, "thread counts")


def _timed(
    job: ActiveRun, plain: Plain, load: int, rounds: int, tokens: int, rules: Rules, found: Speeds
) -> None:
    """Time one load of the model and one pair of blocks, and add its medians to `found`."""
    copier = Copier()
    prompts = [plain.tokenize(asked[-1].text) for asked in conversations(8)]
    kept: Speeds = {way: [] for way in found}
    for slot in schedule(list(found), rounds, rules):
        kind, count = slot.candidate
        if kind == _COPY:
            rate = copier.rate(count)
        else:
            plain.threads = count
            number = max(slot.round, 0) % len(prompts)
            rate = tokens / measured(plain.seconds(prompts[number], tokens), "Decoding")
        job.metric(way=kind, threads=count, load=load, round=slot.round, kept=slot.kept, per_s=rate)
        if slot.kept:
            kept[slot.candidate].append(measured(rate, f"The speed of {kind}"))
    for way, rates in kept.items():
        found[way].append(float(np.median(rates)))


def summarise(
    found: Speeds, counts: Sequence[int], model_bytes: int, other_bytes: float, evidence: Evidence
) -> dict[str, Any]:
    """Figures by thread count, where the plateau begins, and what follows for another model."""
    by_threads = {str(n): _at(found, n, model_bytes, evidence) for n in counts}
    speeds = np.array([found[_DECODE, n] for n in counts]).T
    begins = plateau(speeds, counts, evidence)
    best = counts[int(np.argmax(np.median(speeds, axis=0)))]
    cache = cache_bytes()
    caveat = ""
    if cache is not None and model_bytes < cache:
        caveat = (
            f"the model ({model_bytes / 1e6:.0f} MB) fits into this processor's cache "
            f"({cache / 1e6:.0f} MB), so its speed says little about the memory's"
        )
    decoding = median_figure(
        found[_DECODE, best], measure="tokens/s", unit=_UNIT, evidence=evidence
    )
    copying = median_figure(found[_COPY, best], measure="B/s", unit=_UNIT, evidence=evidence)
    return {
        "by_threads": by_threads,
        "plateau_threads": begins,
        "verdict": _verdict(begins, counts),
        "fastest_threads": best,
        "caveat": caveat,
        "other_model_gb": other_bytes / 1e9,
        "other_model": _scaled(
            decoding, model_bytes / other_bytes, "as many bytes a second as this model; " + caveat
        ),
        "other_model_at_most": _scaled(
            copying, 1 / other_bytes, "weights read as fast as memory is copied"
        ),
    }


def _at(found: Speeds, n: int, model_bytes: int, evidence: Evidence) -> dict[str, Figure]:
    decoding, copying = np.array(found[_DECODE, n]), np.array(found[_COPY, n])
    reading = decoding * model_bytes
    figures = {
        "tokens_per_s": (decoding, "tokens/s", evidence),
        "copy": (copying / 1e9, "GB/s", evidence),
        "weights_read": (reading / 1e9, "GB/s", Evidence.DERIVED),
        "share_of_copy": (reading / copying, "", Evidence.DERIVED),
    }
    return {
        name: median_figure(values.tolist(), measure=unit, unit=_UNIT, evidence=tag)
        for name, (values, unit, tag) in figures.items()
    }


def plateau(speeds: NDArray[np.float64], counts: Sequence[int], evidence: Evidence) -> Figure:
    """Fewest threads that reach `_NEAR` of the highest median; `speeds` is [loads, counts].

    Unavailable when that is the largest count: the speed may go on rising beyond it. The
    interval resamples loads.
    """

    def begins(draws: NDArray[np.float64]) -> NDArray[np.float64]:
        each = np.column_stack([medians(column, draws) for column in speeds.T])
        near = each >= _NEAR * each.max(axis=1, keepdims=True)
        found: NDArray[np.float64] = np.array(counts, np.float64)[near.argmax(axis=1)][:, None]
        return found

    value = int(begins(np.ones((1, len(speeds))))[0, 0])
    if value == counts[-1]:
        reason = (
            "only one thread count was measured"
            if len(counts) == 1
            else f"decoding still becomes faster up to {value} threads, the most that were measured"
        )
        return Figure(value=None, unit="threads", evidence=Evidence.UNAVAILABLE, reason=reason)
    interval: Interval | None = None
    if len(speeds) > 1:
        (interval,) = cluster_bootstrap(np.eye(len(speeds)), begins, unit=_UNIT)
    return Figure(value=value, unit="threads", evidence=evidence, interval=interval)


def _verdict(begins: Figure, counts: Sequence[int]) -> str:
    """What Go/No-Go 1 asks: "saturated", "still rising", or "undecided"."""
    if begins.value is None:
        return "undecided" if len(counts) == 1 else "still rising"
    if begins.interval is not None and begins.interval.high >= counts[-1]:
        return "undecided"
    return "saturated"


def _scaled(figure: Figure, factor: float, assumption: str) -> Figure:
    """A figure extrapolated in proportion, with the assumption it stands on."""
    assert figure.value is not None
    interval = figure.interval and Interval(
        low=figure.interval.low * factor,
        high=figure.interval.high * factor,
        level=figure.interval.level,
        method=f"{figure.interval.method}, scaled",
    )
    return Figure(
        value=figure.value * factor,
        unit="tokens/s",
        evidence=Evidence.EXTRAPOLATED,
        interval=interval,
        reason=f"assumes {assumption.rstrip('; ')}",
    )


def _pictures(
    counts: Sequence[int], result: dict[str, Any], evidence: Evidence
) -> tuple[list[Plot], list[Table]]:
    figures: dict[int, dict[str, Figure]] = {n: result["by_threads"][str(n)] for n in counts}

    def series(name: str, title: str, tag: Evidence) -> Series:
        each = [figures[n][name] for n in counts]
        bands = [figure.interval for figure in each if figure.interval is not None]
        banded = len(bands) == len(each)
        return Series(
            name=title,
            x=list(counts),
            y=[figure.value or 0.0 for figure in each],
            low=[band.low for band in bands] if banded else None,
            high=[band.high for band in bands] if banded else None,
            evidence=tag,
        )

    speed = series("tokens_per_s", "plain decoding", evidence)
    moved = [
        series("copy", "memory copied", evidence),
        series("weights_read", "weights read", Evidence.DERIVED),
    ]
    threads = Axis(name="threads")
    plots = [
        Plot(title="Decoding", x=threads, y=Axis(name="speed", unit="tokens/s"), series=[speed]),
        Plot(title="Bytes moved", x=threads, y=Axis(name="rate", unit="GB/s"), series=moved),
    ]
    columns = ("threads", "decoding", "copying", "weights read", "share of copying")
    rows: list[list[str | int | Figure]] = [[n, *figures[n].values()] for n in counts]
    return plots, [Table(title="By threads", columns=columns, rows=rows)]
