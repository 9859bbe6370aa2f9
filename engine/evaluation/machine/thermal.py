"""Job thermal (Go/No-Go 4, the seed's §8): what does sustained decoding do to this machine?

Decoding without a rest, while temperature, clock and throttling are read every second. What has no
sensor here is unavailable, with the reason; how decoding's speed changes is measured in any case.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from engine import paths, settings
from engine.evaluation.decoding.identity_prompts import conversations
from engine.evaluation.decoding.plain import Plain
from engine.evaluation.measurement.protocol import Rules, measured
from engine.evaluation.measurement.statistics import (
    LEVEL,
    RESAMPLES,
    SEED,
    cluster_bootstrap,
    resamples,
)
from engine.evaluation.measurement.watching import Watch, watched
from engine.events import Evidence
from engine.records.evidence import Figure, Interval, as_records, words
from engine.records.plots import Axis, Plot, Series, Table
from engine.records.runs import ActiveRun
from engine.store.fetching import locate
from engine.telemetry.conditions import Sample
from engine.telemetry.readings import SYS

HOT_C = 95.0
"""The seed's mark: from here on laptop processors slow down."""
_CONTEXT = 512
_TOKENS = 48
_REST_S = 30.0
"""Without load before the beginning, so that it deserves to be called cold."""
_WINDOW_S = 5.0
"""Replies of so long are resampled together: what heats one heats the next."""
_EDGE_S = 60.0
"""How much of the beginning is called cold, and of the end heat-soaked, at most."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of the sustained load: when it began and ended, its tokens and their seconds."""

    began_s: float
    elapsed_s: float
    tokens: int
    seconds: float


def run(job: ActiveRun, *, minutes: float, threads: int, strict: bool) -> dict[str, Any]:
    """Decode for so many minutes on `threads` (0: every processor this process may use)."""
    return soak(job, minutes * 60, threads, strict=strict, rest_s=_REST_S)


def soak(
    job: ActiveRun,
    seconds: float,
    threads: int,
    *,
    strict: bool = False,
    rest_s: float = 0.0,
    root: Path = SYS,
) -> dict[str, Any]:
    """Decode for `seconds` after `rest_s` without load; kernel files lie below `root`."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    threads = threads or usable or 1
    model = locate(settings.load(paths.settings_file()).decoder.model)
    rules = Rules(warm_up=1, discarded=0, cool_down_s=0.0, heat_is_the_subject=True)
    with ExitStack() as stack:
        plain = Plain(model, size=_CONTEXT, threads=threads)
        stack.callback(plain.close)
        plain.seconds(plain.tokenize("Hello"), 2)  # its pages are read before anything is timed
        job.phase("Letting the processor cool down", 0.0)
        threading.Event().wait(rest_s)
        watch = stack.enter_context(watched(job, rules, strict=strict, root=root))
        replies = _load(job, plain, seconds, rest_s)
    heat = _heat(watch, job.evidence) | {"energy_a_token": _energy(watch, replies)}
    result = {**speeds(replies, seconds, job.evidence), **heat}
    for name in ("soaked_against_cold", "share_above_95", "throttles"):
        job.note(f"{name.replace('_', ' ')}: {words(result[name].record())}")
    plots, table = _pictures(replies, watch.samples, result, job.evidence)
    return {
        "model": model.name,
        "threads": threads,
        "seconds": seconds,
        "verdict": verdict(heat["share_above_95"], heat["throttles"]),
        **as_records(result),
        **watch.result(plots, [table]),
    }


def _load(job: ActiveRun, plain: Plain, seconds: float, rested_s: float) -> list[Reply]:
    """Replies one after the other, until the time is over."""
    prompts = [plain.tokenize(asked[-1].text) for asked in conversations(8)]
    began_s = time.monotonic()
    replies: list[Reply] = []
    while (now_s := time.monotonic() - began_s) < seconds:
        done = (rested_s + now_s) / (rested_s + seconds)
        job.phase("Decoding without a rest", round(min(done, 1.0), 3))
        took_s = plain.seconds(prompts[len(replies) % len(prompts)], _TOKENS)
        ended_s = round(time.monotonic() - began_s, 3)
        reply = Reply(round(now_s, 3), ended_s, _TOKENS, measured(took_s, "Decoding"))
        replies.append(reply)
        job.metric(elapsed_s=reply.elapsed_s, tokens=reply.tokens, seconds=reply.seconds)
    return replies


def speeds(replies: Sequence[Reply], seconds: float, evidence: Evidence) -> dict[str, Figure]:
    """Decoding speed of the beginning and of the end, and the one against the other."""
    edge_s = min(_EDGE_S, seconds / 4)
    cold = windows([r for r in replies if r.began_s <= edge_s])
    soaked = windows([r for r in replies if r.elapsed_s > seconds - edge_s])
    if not cold or not soaked:
        reason = "the load was too short for a beginning and an end: give it more minutes"
        missing = Figure(value=None, evidence=Evidence.UNAVAILABLE, reason=reason)
        return dict.fromkeys(("cold", "soaked", "soaked_against_cold"), missing)
    draws = [
        resamples(len(part), RESAMPLES, SEED + number) @ np.array(part) if len(part) > 1 else None
        for number, part in enumerate((cold, soaked))
    ]
    means = [float(np.divide(*np.sum(part, axis=0))) for part in (cold, soaked)]
    interval = None
    if draws[0] is not None and draws[1] is not None:
        ratios = (draws[1][:, 0] / draws[1][:, 1]) / (draws[0][:, 0] / draws[0][:, 1])
        low, high = np.percentile(ratios, [100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2])
        interval = Interval(
            low=float(low),
            high=float(high),
            level=LEVEL,
            method=f"percentile bootstrap: {len(cold)} and {len(soaked)} windows of "
            f"{_WINDOW_S:.0f} s, {RESAMPLES} resamples, seed {SEED}",
        )
    return {
        "cold": _speed(cold, means[0], evidence),
        "soaked": _speed(soaked, means[1], evidence),
        "soaked_against_cold": Figure(
            value=means[1] / means[0], evidence=Evidence.DERIVED, interval=interval
        ),
    }


def windows(replies: Sequence[Reply]) -> list[tuple[float, float]]:
    """Tokens and seconds of each stretch of `_WINDOW_S` that holds a reply."""
    found: dict[int, tuple[float, float]] = {}
    for reply in replies:
        number = int(reply.elapsed_s // _WINDOW_S)
        tokens, seconds = found.get(number, (0.0, 0.0))
        found[number] = tokens + reply.tokens, seconds + reply.seconds
    return list(found.values())


def _speed(part: Sequence[tuple[float, float]], value: float, evidence: Evidence) -> Figure:
    interval = None
    if len(part) > 1:
        (interval,) = cluster_bootstrap(
            part, lambda sums: sums[:, :1] / sums[:, 1:], unit=f"windows of {_WINDOW_S:.0f} s"
        )
    return Figure(value=value, unit="tokens/s", evidence=evidence, interval=interval)


def _heat(watch: Watch, evidence: Evidence) -> dict[str, Figure]:
    """What the sensors tell; unavailable with its reason where there is none."""

    def of(name: str, unit: str, figure: Callable[[list[float]], float]) -> Figure:
        seen = [v for s in watch.samples if (v := getattr(s, name)) is not None]
        if not seen:
            reason = watch.sensors.reasons.get(name, "no sample was taken")
            return Figure(value=None, unit=unit, evidence=Evidence.UNAVAILABLE, reason=reason)
        return Figure(value=figure(seen), unit=unit, evidence=evidence)

    return {
        "hottest": of("temperature_c", "°C", max),
        "share_above_95": of(
            "temperature_c", "", lambda seen: float(np.mean(np.array(seen) >= HOT_C))
        ),
        "lowest_clock": of("clock_mhz", "MHz", min),
        "highest_clock": of("clock_mhz", "MHz", max),
        "throttles": of("throttles", "events", max),
    }


def _energy(watch: Watch, replies: Sequence[Reply]) -> Figure:
    """Joules of the processor for each token, prefill included."""
    joules = watch.figures()["energy"]
    if joules.value is None:
        return replace(joules, unit="J")
    tokens = sum(reply.tokens for reply in replies)
    return Figure(value=joules.value / tokens, unit="J", evidence=Evidence.DERIVED)


def verdict(share: Figure, throttles: Figure) -> str:
    """ "throttled", "hot" or "cool"; "undecided" where nothing could tell heat."""
    if throttles.value:
        return "throttled"
    if share.value is None:
        return "undecided"
    return "hot" if share.value else "cool"


def _pictures(
    replies: Sequence[Reply],
    samples: Sequence[Sample],
    result: dict[str, Figure],
    evidence: Evidence,
) -> tuple[list[Plot], Table]:
    time_axis = Axis(name="time", unit="s")
    speed = Series(
        name="decoding",
        x=[reply.elapsed_s for reply in replies],
        y=[reply.tokens / reply.seconds for reply in replies],
        evidence=evidence,
    )
    plots = [
        Plot(title="Speed", x=time_axis, y=Axis(name="speed", unit="tokens/s"), series=[speed])
    ]
    for name, title, unit in (
        ("temperature_c", "Temperature", "°C"),
        ("clock_mhz", "Clock", "MHz"),
        ("throttles", "Slowed down by heat, in all", "events"),
    ):
        seen = [(s.elapsed_s, v) for s in samples if (v := getattr(s, name)) is not None]
        if seen:
            x, y = zip(*seen, strict=True)
            series = Series(name=title.lower(), x=x, y=y, evidence=evidence)
            axis = Axis(name=title.lower(), unit=unit)
            plots.append(Plot(title=title, x=time_axis, y=axis, series=[series]))
    names = {
        "cold": "speed at the beginning",
        "soaked": "speed at the end",
        "soaked_against_cold": "end against beginning",
        "hottest": "highest temperature",
        "share_above_95": "share of samples at 95 °C or more",
        "lowest_clock": "lowest clock",
        "highest_clock": "highest clock",
        "throttles": "slowed down by heat",
        "energy_a_token": "energy for a token",
    }
    rows: list[list[str | int | Figure]] = [[title, result[name]] for name, title in names.items()]
    return plots, Table(title="Sustained decoding", columns=("what", "found"), rows=rows)
