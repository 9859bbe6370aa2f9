"""Job decode: what `pads bench decode` measures, under the protocol and with its pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine import paths, settings
from engine.evaluation.decoding import decode
from engine.evaluation.decoding.number_lists import whole_numbers
from engine.evaluation.measurement.protocol import RACE
from engine.evaluation.measurement.watching import watched
from engine.events import Evidence
from engine.records.evidence import Figure, Interval, as_records, words
from engine.records.plots import Axis, Plot, Series, Table
from engine.records.runs import ActiveRun
from engine.store.fetching import locate

_DETAILS = (
    "threads",
    "loads",
    "replies_compared",
    "same_tokens",
    "bandwidth",
    "resident_weights",
    "openmp",
)

Row = dict[str, Any]


def run(
    job: ActiveRun,
    *,
    prompts: int,
    loads: int,
    tokens: int,
    exits: str,
    drafts: str,
    threads: int,
    strict: bool,
) -> dict[str, Any]:
    """Race every way to decode, `threads` 0 for the setting's; all samples are kept."""
    layers, lengths = whole_numbers(exits, "exit layers"), whole_numbers(drafts, "draft lengths")
    chosen = replace(settings.load(paths.settings_file()).decoder, speculation="always")
    if threads:
        chosen = replace(chosen, threads=threads)
    with watched(job, RACE, strict=strict) as watch:
        rows, summary = decode.measure(
            locate(chosen.model),
            chosen,
            exits=layers,
            drafts=lengths,
            prompts=prompts,
            loads=loads,
            tokens=tokens,
            run=job,
            see=lambda done, of: job.phase("Racing ways to decode", done / of),
        )
    figures = headline(summary, job.evidence)
    for name in ("plain", "unspeculated", "auto"):
        job.note(f"{name}: {words(figures[name].record())}")
    return {
        "model": chosen.model,
        **as_records(figures),
        **{name: summary[name] for name in _DETAILS},
        "auto_settings": summary["auto"],
        "rows": rows,
        **watch.result(*pictures(figures, rows, lengths, job.evidence)),
    }


def headline(summary: Row, evidence: Evidence) -> dict[str, Figure]:
    """The summary's medians as figures; ratios are to plain decoding of the same prompt."""
    return {
        "plain": _median(summary["plain_tokens_per_s"], "tokens/s", evidence),
        "plain_default_attention": _median(
            summary["plain_default_attention_ratio"], "of plain", evidence
        ),
        "unspeculated": _median(summary["unspeculated_ratio"], "of plain", evidence),
        "auto": _median(summary["auto_ratio"], "of plain", evidence),
    }


def _median(stored: dict[str, float], unit: str, evidence: Evidence) -> Figure:
    interval = Interval(low=stored["low"], high=stored["high"], level=0.95, method=decode.INTERVAL)
    return Figure(value=stored["median"], unit=unit, evidence=evidence, interval=interval)


def pictures(
    figures: dict[str, Figure],
    rows: Sequence[Row],
    lengths: Sequence[int],
    evidence: Evidence,
) -> tuple[list[Plot], list[Table]]:
    """Plots and tables: drafts by exit layer, and ways without them."""
    ways: list[list[str | int | Figure]] = [[name, figure] for name, figure in figures.items()]
    drafted: list[list[str | int | Figure]] = [
        [
            row["exit_layer"],
            row["way"],
            row["draft_tokens"],
            _median(row["ratio"], "of plain", evidence),
            _one(row["acceptance"], "", evidence),
            _one(row["ms_per_head_step"], "ms", evidence),
            _one(row["ms_per_verification"], "ms", evidence),
        ]
        for row in rows
    ]
    columns = (
        "exit layer",
        "way",
        "draft",
        "speed",
        "acceptance",
        "a head step",
        "a verification",
    )
    return (
        [_plot(rows, lengths, evidence)],
        [
            Table(title="Without drafts, and mode auto", columns=("way", "speed"), rows=ways),
            Table(title="Decoding with drafts", columns=columns, rows=drafted),
        ],
    )


def _plot(rows: Sequence[Row], lengths: Sequence[int], evidence: Evidence) -> Plot:
    series = []
    for way in dict.fromkeys(row["way"] for row in rows):
        for length in lengths:
            some = [row for row in rows if (row["way"], row["draft_tokens"]) == (way, length)]
            series.append(
                Series(
                    name=f"{way}, draft {length}",
                    x=[row["exit_layer"] for row in some],
                    y=[row["ratio"]["median"] for row in some],
                    low=[row["ratio"]["low"] for row in some],
                    high=[row["ratio"]["high"] for row in some],
                    evidence=evidence,
                )
            )
    return Plot(
        title="Decoding with drafts",
        x=Axis(name="exit layer"),
        y=Axis(name="speed", unit="of plain decoding"),
        series=series,
    )


def _one(value: float | None, unit: str, evidence: Evidence) -> Figure:
    if value is None:
        reason = "nothing was drafted"
        return Figure(value=None, unit=unit, evidence=Evidence.UNAVAILABLE, reason=reason)
    return Figure(value=value, unit=unit, evidence=evidence)
