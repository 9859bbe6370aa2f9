"""What a soak showed: its figures, which promises were kept, and its pictures.

The first tenth of the time is compared with the last. What the bench itself notes meanwhile, some
kilobytes a minute, is part of the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.evaluation.measurement.statistics import (
    LEVEL,
    RESAMPLES,
    SEED,
    median_figure,
    medians,
    resamples,
)
from engine.events import Evidence
from engine.records.evidence import Figure, Interval
from engine.records.plots import Axis, Plot, Series, Table

MOST_GROWTH_PERCENT = 3.0
"""By which memory may grow from the second tenth, when everything has been used once, to the
last."""


@dataclass(slots=True)
class Turn:
    """A turn: when it was committed, in which source it was which, how often it was answered."""

    committed_s: float
    source: int
    kind: str
    turn: int
    replies: int = 0
    perceived_ms: float | None = None
    """From the end of speech to the first word."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the product's processes held at a moment; memory is what they wrote themselves."""

    elapsed_s: float
    memory_mb: float
    threads: int
    descriptors: int
    processes: int
    temporary_files: int
    frames_a_second: float


@dataclass(frozen=True, slots=True)
class Judged:
    """The figures, and each promise with whether it was kept."""

    figures: dict[str, Figure]
    kept: dict[str, bool]


def judged(
    turns: Sequence[Turn],
    samples: Sequence[Sample],
    gates_ms: Sequence[tuple[float, float]],
    lost: int,
    evidence: Evidence,
) -> Judged:
    """Judge a soak; `gates_ms` are moments in seconds and delays in milliseconds."""
    replies = [turn.replies for turn in turns]
    ends_s = max([s.elapsed_s for s in samples] + [t.committed_s for t in turns], default=0.0)

    def counted(value: float, unit: str) -> Figure:
        return Figure(value=float(value), unit=unit, evidence=evidence)

    figures = {
        "turns": counted(len(turns), "turns"),
        "answered_once": counted(replies.count(1), "turns"),
        "blocks_lost": counted(lost, "blocks"),
    }
    kept = {
        "every_turn_answered_once": bool(turns) and replies.count(1) == len(turns),
        "no_block_lost": lost == 0,
    }
    for name in ("memory_mb", "threads", "descriptors", "processes", "temporary_files"):
        held = [(s.elapsed_s, float(getattr(s, name))) for s in samples]
        unit = "MB" if name == "memory_mb" else name.replace("_", " ")
        word = name.removesuffix("_mb")
        for when, part in (("first", 0), ("second", 1), ("last", 9)):
            if when == "second" and name != "memory_mb":
                continue
            figures[f"{word}_{when}_tenth"] = median_figure(
                tenth(held, part, ends_s), measure=unit, unit="samples", evidence=evidence
            )
        kept[f"{word}_flat"] = flat(held, ends_s, name)
    for name, times in (("gate", gates_ms), ("first_word", _perceived(turns))):
        first, last = tenth(times, 0, ends_s), tenth(times, 9, ends_s)
        for when, delays in (("first", first), ("last", last)):
            figures[f"{name}_{when}_tenth"] = median_figure(
                delays, measure="ms", unit="turns", evidence=evidence
            )
        longer = figures[f"{name}_longer"] = slower(first, last)
        kept[f"{name}_as_in_the_beginning"] = longer.interval is not None and (
            longer.interval.low <= 0
        )
    return Judged(figures, kept)


def _perceived(turns: Sequence[Turn]) -> list[tuple[float, float]]:
    """Moments of turns in seconds, and how late their first words were in milliseconds."""
    return [(t.committed_s, t.perceived_ms) for t in turns if t.perceived_ms is not None]


def tenth(times: Sequence[tuple[float, float]], part: int, ends_s: float) -> list[float]:
    """The values whose moment lies in the tenth `part` (0 to 9) of `ends_s` seconds."""
    low, high = part * ends_s / 10, (part + 1) * ends_s / 10
    return [value for moment, value in times if low <= moment < high or moment == high == ends_s]


def slower(first: Sequence[float], last: Sequence[float]) -> Figure:
    """Median of the last less that of the first, in ms, by a bootstrap of both."""
    if min(len(first), len(last)) < 2:
        why = "a tenth of the time held fewer than two of them"
        return Figure(value=None, unit="ms", evidence=Evidence.UNAVAILABLE, reason=why)
    drawn = [
        medians(np.asarray(part), resamples(len(part), RESAMPLES, SEED + number))
        for number, part in enumerate((first, last))
    ]
    low, high = np.percentile(drawn[1] - drawn[0], [100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2])
    method = (
        f"percentile bootstrap of both medians: {len(first)} and {len(last)} turns, "
        f"{RESAMPLES} resamples, seed {SEED}"
    )
    return Figure(
        value=float(np.median(last) - np.median(first)),
        unit="ms",
        evidence=Evidence.DERIVED,
        interval=Interval(low=float(low), high=float(high), level=LEVEL, method=method),
    )


def flat(held: Sequence[tuple[float, float]], ends_s: float, name: str) -> bool:
    """Whether what was held, as (second, value), did not grow from the second tenth to the last.

    Memory may grow by its percentage. Of anything else the lower quartile may not: a file and a
    microphone need different numbers, seldom a sample falls between two of them, when less is
    held, and what leaks is never given back.
    """
    early, late = tenth(held, 1, ends_s), tenth(held, 9, ends_s)
    if not early or not late:
        return False
    if name == "memory_mb":
        return float(np.median(late)) <= (1 + MOST_GROWTH_PERCENT / 100) * float(np.median(early))
    quartiles = [np.percentile(part, 25, method="lower") for part in (early, late)]
    return bool(quartiles[1] <= quartiles[0])


def pictures(
    turns: Sequence[Turn],
    samples: Sequence[Sample],
    gates_ms: Sequence[tuple[float, float]],
    found: Judged,
    evidence: Evidence,
) -> tuple[list[Plot], list[Table]]:
    """Plots over the time of what was held and how late it was, and the tables of what was kept."""
    moments = [s.elapsed_s / 60 for s in samples]

    def over_time(title: str, of: str, unit: str, *series: Series, kind: Any = "line") -> Plot:
        return Plot(
            title=title,
            x=Axis(name="time", unit="min"),
            y=Axis(name=of, unit=unit),
            series=series,
            kind=kind,
        )

    def held(name: str, read: Callable[[Sample], float]) -> Series:
        return Series(name=name, x=moments, y=[read(s) for s in samples], evidence=evidence)

    def late(name: str, times: Sequence[tuple[float, float]]) -> Series:
        x, y = [moment / 60 for moment, _ in times], [ms for _, ms in times]
        return Series(name=name, x=x, y=y, evidence=evidence)

    plots = [
        over_time("Memory", "memory", "MB", held("memory", lambda s: s.memory_mb)),
        over_time(
            "Threads, descriptors and temporary files",
            "held",
            "",
            held("threads", lambda s: s.threads),
            held("descriptors", lambda s: s.descriptors),
            held("temporary files", lambda s: s.temporary_files),
        ),
        over_time(
            "From silence to the gate", "delay", "ms", late("decisions", gates_ms), kind="points"
        ),
        over_time(
            "From the end of speech to the first word",
            "delay",
            "ms",
            late("turns", _perceived(turns)),
            kind="points",
        ),
        over_time("Frames", "frames", "1/s", held("frames", lambda s: s.frames_a_second)),
    ]
    promised: list[list[str | int | Figure]] = [
        [name.replace("_", " "), "yes" if kept else "NO"] for name, kept in found.kept.items()
    ]
    seen: list[list[str | int | Figure]] = [
        [name.replace("_", " "), figure] for name, figure in found.figures.items()
    ]
    return plots, [
        Table(title="What was promised", columns=("promise", "kept"), rows=promised),
        Table(title="What was seen", columns=("what", "found"), rows=seen),
    ]
