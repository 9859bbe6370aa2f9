"""Job gate-ablation: the gate with both conditions, with either alone, and with none.

Every recording is heard by the real engine once with each gate, in real time and in a balanced
order. A condition is taken away by a threshold of 0, which every probability reaches.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import commands, events, paths, settings
from engine.errors import DataUnavailable
from engine.evaluation.conversations.conversation import Summary, converse, unspoken, with_pads
from engine.evaluation.conversations.recordings import seconds as seconds_of
from engine.evaluation.measurement.protocol import Rules, schedule
from engine.evaluation.measurement.statistics import cluster_bootstrap
from engine.evaluation.measurement.watching import watched
from engine.events import Event, Evidence
from engine.records.evidence import Figure, Interval, as_records, words
from engine.records.plots import Axis, Plot, Series, Table
from engine.records.runs import ActiveRun
from engine.settings import GateSettings, Settings

GATES = ("both", "P(end) alone", "P(deep) alone", "neither")
_START_S = 4.0  # a guess at how long an engine starts, for the time left alone

RULES = Rules(warm_up=0, discarded=0, cool_down_s=1.0)
"""Each run starts an engine of its own, which warms its models up itself."""

FIGURES = {
    "hidden_ms": ("hidden work a turn", "ms"),
    "wasted_ms": ("wasted work a turn", "ms"),
    "extra_starts": ("starts thrown away a turn", ""),
    "missed": ("turns that no start was waiting for", ""),
    "missed_deep": ("of them, as a share of the turns that need depth", ""),
    "first_word_ms": ("first word after the turn, mean", "ms"),
}
"""What is told of a gate: means over its turns, with their words and units."""


@dataclass(slots=True)
class Tally:
    """Sums over one recording heard with one gate."""

    turns: int = 0
    deep_turns: int = 0
    hidden_ms: float = 0.0
    wasted_ms: float = 0.0
    extra_starts: int = 0
    missed: int = 0
    missed_deep: int = 0
    first_word_ms: float = 0.0


_SUMS = len(fields(Tally))
_Rows = list[list[str | int | Figure]]


def run(
    job: ActiveRun, *, data: Path | None, demos: int, recordings: int, strict: bool
) -> dict[str, Any]:
    """Hear so many demos and recordings with every gate and compare; all events are kept."""
    files = [*paths.demo_recordings()[:demos], *found_recordings(data, recordings)]
    if len(files) < 2:
        raise DataUnavailable(
            "There are fewer than two recordings to hear", remedy="ask for more demos"
        )
    chosen = settings.load(paths.settings_file())
    with watched(job, RULES, strict=strict) as watch:
        tallies = _heard(job, files, unspoken(with_pads(chosen, True)))
    figures = summarise(tallies, job.evidence)
    for gate, each in figures.items():
        hidden, wasted = (words(each[name].record()) for name in ("hidden_ms", "wasted_ms"))
        job.note(f"{gate}: {hidden} hidden and {wasted} wasted a turn")
    return {
        "recordings": [file.name for file in files],
        "thresholds": {"theta_end": chosen.gate.theta_end, "theta_deep": chosen.gate.theta_deep},
        "gates": as_records(figures),
        **watch.result([_plot(figures, job.evidence)], _tables(figures)),
    }


def found_recordings(data: Path | None, wanted: int) -> list[Path]:
    """The first sound files of the data folder; `DataUnavailable` when there are too few."""
    if not wanted:
        return []
    folder = data or paths.corpora(settings.load(paths.settings_file()).data_folder)
    if folder is None:
        raise DataUnavailable(
            "No folder of recordings is known", remedy="name one, or ask for 0 recordings"
        )
    inside = folder / "audio" if (folder / "audio").is_dir() else folder
    found = sorted(file for kind in ("wav", "flac", "ogg") for file in inside.glob(f"*.{kind}"))
    if len(found) < wanted:
        raise DataUnavailable(
            f"{inside} holds {len(found)} recordings instead of {wanted}",
            remedy="add some, or ask for fewer",
        )
    return found[:wanted]


def ablated(gate: str, whole: GateSettings) -> GateSettings:
    """The gate settings without the conditions that `gate`, one of `GATES`, leaves out."""
    return replace(
        whole,
        theta_end=whole.theta_end if gate in ("both", "P(end) alone") else 0.0,
        theta_deep=whole.theta_deep if gate in ("both", "P(deep) alone") else 0.0,
    )


def _heard(job: ActiveRun, files: Sequence[Path], chosen: Settings) -> dict[str, list[Tally]]:
    """A tally for every gate and recording; gates take turns within a recording."""
    seconds = [seconds_of(file) for file in files]
    whole_s = len(GATES) * sum(s + _START_S for s in seconds)
    tallies: dict[str, list[Tally]] = {gate: [] for gate in GATES}
    done_s = 0.0
    for slot in schedule(GATES, len(files), RULES):
        file = files[slot.round]
        job.phase(f"{file.name} with {slot.candidate}", done_s / whole_s)
        gated = replace(chosen, gate=ablated(slot.candidate, chosen.gate))
        tally = _hear(job, file, slot.candidate, gated, chosen.gate.theta_deep)
        job.metric(recording=file.name, gate=slot.candidate, **asdict(tally))
        tallies[slot.candidate].append(tally)
        done_s += seconds[slot.round] + _START_S
    return tallies


def _hear(job: ActiveRun, file: Path, gate: str, gated: Settings, theta_deep: float) -> Tally:
    deep: dict[int, bool] = {}
    name = f"{file.stem}-{GATES.index(gate)}.jsonl"
    with (job.folder / name).open("w", encoding="utf-8") as kept:

        def see(event: Event) -> None:
            kept.write(json.dumps(events.to_record(event), ensure_ascii=False) + "\n")
            if isinstance(event, events.GateDecided):
                deep[event.turn] = event.p_deep >= theta_deep

        summary = converse(gated, commands.OpenFile(path=str(file)), see=see)
    return tallied(summary, deep)


def tallied(summary: Summary, deep: dict[int, bool]) -> Tally:
    """The sums of one run; `deep` says of each turn whether it needed depth at its last pause."""
    tally = Tally(extra_starts=summary.discards, wasted_ms=summary.dropped_turns_ms)
    for account in summary.accounts:
        needs_depth = deep.get(account.turn, False)
        tally.turns += 1
        tally.deep_turns += needs_depth
        tally.hidden_ms += account.hidden_ms
        tally.wasted_ms += account.wasted_ms
        tally.missed += not account.from_branch
        tally.missed_deep += needs_depth and not account.from_branch
        tally.first_word_ms += account.post_confirmation_ttft_ms
    return tally


def summarise(tallies: dict[str, list[Tally]], evidence: Evidence) -> dict[str, dict[str, Figure]]:
    """Figures of every gate, and of its differences from the whole gate (paired)."""
    totals = np.concatenate([_array(tallies[gate]) for gate in GATES], axis=1)
    values = _ratios(totals.sum(axis=0, keepdims=True))[0]
    intervals = [_interval(totals, place) for place in range(len(values))]
    figures: dict[str, dict[str, Figure]] = {}
    count = len(FIGURES)
    for number, gate in enumerate(GATES):
        figures[gate] = {
            "turns": Figure(value=int(totals[:, number * _SUMS].sum()), evidence=evidence)
        }
        for place, (name, (_, unit)) in enumerate(FIGURES.items()):
            at = number * count + place
            figures[gate][name] = _figure(values[at], unit, evidence, intervals[at])
            beyond = at + count * len(GATES)
            if gate != GATES[0]:
                figures[gate][f"{name}_against_both"] = _figure(
                    values[beyond], unit, Evidence.DERIVED, intervals[beyond]
                )
    return figures


def _interval(totals: NDArray[np.float64], place: int) -> Interval | None:
    """Of one of `_ratios`; None where some resample has no turn, or none that needs depth."""
    with suppress(ValueError):
        (found,) = cluster_bootstrap(
            totals, lambda sums: _ratios(sums)[:, place : place + 1], unit="recordings"
        )
        return found
    return None


def _array(tallies: Sequence[Tally]) -> NDArray[np.float64]:
    return np.array([list(asdict(tally).values()) for tally in tallies], np.float64)


def _ratios(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """`FIGURES` of every gate, then their differences from the first: [n, 2 * 4 * 6]."""
    found = []
    for number in range(len(GATES)):
        turns, deep, hidden, wasted, extra, missed, missed_deep, first = sums[
            :, number * _SUMS : (number + 1) * _SUMS
        ].T
        with np.errstate(divide="ignore", invalid="ignore"):
            found.append(
                np.column_stack(
                    [
                        hidden / turns,
                        wasted / turns,
                        extra / turns,
                        missed / turns,
                        missed_deep / deep,
                        first / turns,
                    ]
                )
            )
    differences = [each - found[0] for each in found]
    return np.column_stack([*found, *differences])


def _figure(value: float, unit: str, evidence: Evidence, interval: Interval | None) -> Figure:
    if not np.isfinite(value):
        reason = "no turn of this kind was heard"
        return Figure(value=None, unit=unit, evidence=Evidence.UNAVAILABLE, reason=reason)
    return Figure(value=float(value), unit=unit, evidence=evidence, interval=interval)


def _plot(figures: dict[str, dict[str, Figure]], evidence: Evidence) -> Plot:
    return Plot(
        title="What a gate hides and wastes",
        x=Axis(name="wasted work a turn", unit="ms"),
        y=Axis(name="hidden work a turn", unit="ms"),
        kind="points",
        series=[
            Series(
                name=gate,
                x=[each["wasted_ms"].value or 0.0],
                y=[each["hidden_ms"].value or 0.0],
                evidence=evidence,
            )
            for gate, each in figures.items()
            if each["hidden_ms"].value is not None
        ],
    )


def _tables(figures: dict[str, dict[str, Figure]]) -> list[Table]:
    rows: _Rows = [["turns", *(figures[gate]["turns"] for gate in GATES)]]
    differences: _Rows = []
    for name, (title, _) in FIGURES.items():
        rows.append([title, *(figures[gate][name] for gate in GATES)])
        against = f"{name}_against_both"
        differences.append([title, *(figures[gate][against] for gate in GATES[1:])])
    return [
        Table(title="The gate taken apart", columns=("figure", *GATES), rows=rows),
        Table(
            title="Difference from the whole gate, same recordings",
            columns=("figure", *GATES[1:]),
            rows=differences,
        ),
    ]
