"""Job compare: one recording heard twice, PADS off and on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine import commands, events, paths, settings
from engine.evaluation.conversations import recordings
from engine.evaluation.conversations.comparison import (
    Heard,
    compared,
    earlier_in_words,
    replies_in_words,
)
from engine.evaluation.conversations.conversation import converse, unspoken, with_pads
from engine.evaluation.measurement.protocol import Rules
from engine.evaluation.measurement.watching import watched
from engine.events import Event, Evidence
from engine.records.plots import Axis, Plot, Series
from engine.records.runs import ActiveRun
from engine.settings import Settings

ARMS = {"off": False, "on": True}
"""The two runs in their order, and where PADS is in each."""

RULES = Rules(warm_up=0, discarded=0, cool_down_s=0.0)
"""Two runs, off before on, as a person would compare them."""
_START_S = 10.0  # a guess at how long the engine starts, for the time left alone


def run(job: ActiveRun, *, recording: Path | None) -> dict[str, Any]:
    """Hear `recording` (default: the first demo) without and with PADS, and compare.

    Every event of the two runs is kept in the run directory, `off.jsonl` and `on.jsonl`.
    Raises `PadsError` when it cannot be played or the engine does not start.
    """
    file = recording or recordings.first_demo()
    seconds = recordings.seconds(file)
    chosen = settings.load(paths.settings_file())
    with watched(job, RULES) as watch:
        heard = {arm: _hear(job, file, unspoken(chosen), arm, seconds) for arm in ARMS}
    result = {
        "recording": file.name,
        "seconds": round(seconds, 3),
        **compared(heard["off"], heard["on"], job.evidence),
    }
    result |= watch.result([_plot(result["turns"], job.evidence)], [])
    job.note(earlier_in_words(result["earlier_ms"]))
    job.note(replies_in_words(result["replies"], job.evidence))
    return result


def _plot(turns: list[dict[str, Any]], evidence: Evidence) -> Plot:
    """How long the first word took, turn by turn."""
    series = []
    for arm in ARMS:
        told = [turn for turn in turns if "perceived_ttft_ms" in (turn[arm] or {})]
        series.append(
            Series(
                name=f"PADS {arm}",
                x=[turn["turn"] for turn in told],
                y=[turn[arm]["perceived_ttft_ms"] for turn in told],
                evidence=evidence,
            )
        )
    return Plot(
        title="From the end of speech to the first word",
        x=Axis(name="turn"),
        y=Axis(name="first word after", unit="ms"),
        kind="bars",
        series=series,
    )


def _hear(job: ActiveRun, file: Path, chosen: Settings, arm: str, seconds: float) -> Heard:
    heard = Heard()
    tell = _teller(job, arm, seconds)
    with (job.folder / f"{arm}.jsonl").open("w", encoding="utf-8") as kept:

        def see(event: Event) -> None:
            kept.write(json.dumps(events.to_record(event), ensure_ascii=False) + "\n")
            heard.take(event)
            tell(event)

        converse(with_pads(chosen, ARMS[arm]), commands.OpenFile(path=str(file)), see=see)
    return heard


def _teller(job: ActiveRun, arm: str, seconds: float) -> Callable[[Event], None]:
    """Progress of a run: its start first, then the recording in real time."""
    whole_s = _START_S + seconds
    before = list(ARMS).index(arm)

    def tell(event: Event) -> None:
        match event:
            case events.EngineProgress(fraction=fraction):
                done_s, what = _START_S * fraction, "engine starts"
            case events.AudioHeard(heard_s=heard_s):
                done_s, what = _START_S + min(heard_s, seconds), "listening"
            case _:
                return
        job.phase(f"PADS {arm}: {what}", (before + done_s / whole_s) / len(ARMS))

    return tell
