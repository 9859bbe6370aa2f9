"""`pads bench recovery`: how soon a decoder is idle after a cancel, and answers after a death.

Both as the engine sees them: from the call to the report, pipe and polling included.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import psutil

from engine import paths, settings
from engine.errors import DecoderFailed
from engine.evaluation.measurement.bench_run import recorded
from engine.evaluation.measurement.protocol import Rules
from engine.evaluation.measurement.statistics import SEED
from engine.records.output import print_record
from engine.settings import DecoderSettings
from engine.speculation.client import (
    Cancelled,
    DecoderProcess,
    Died,
    Done,
    Message,
    Ready,
    Report,
    Token,
)
from engine.store.fetching import locate
from engine.telemetry import target

_PATIENCE_S = 60.0
_POLL_S = 0.0005
RULES = Rules(warm_up=0, discarded=0, cool_down_s=0.0)
"""Every cancel and death counts: what is rare must not be left out."""
_STORY = [Message("user", "Tell me a long story about a ship that was lost at sea.")]


class _Watched:
    """A decoder process, and a wait for one of its reports."""

    def __init__(self, process: DecoderProcess) -> None:
        self.process = process
        self._seen: list[Report] = []
        self._job = 0

    def until(self, kind: type[Report], job: int | None = None) -> None:
        """Poll until such a report comes; `DecoderFailed` when it does not."""
        deadline_s = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline_s:
            self._seen += self.process.poll()
            while self._seen:
                report = self._seen.pop(0)
                if isinstance(report, kind) and job in (None, getattr(report, "job", None)):
                    return
            threading.Event().wait(_POLL_S)
        raise DecoderFailed(
            f"The decoder gave no {kind.__name__} in {_PATIENCE_S:.0f} s",
            remedy="run `pads doctor`",
        )

    def ask(self) -> int:
        """Start a long reply; returns its job."""
        self._job += 1
        self.process.decode(self._job, _STORY, 400)
        return self._job

    def idle_after_cancel_ms(self, pause_s: float) -> float:
        """Milliseconds from a cancel, so long after a reply's first token, to its report."""
        job = self.ask()
        self.until(Token, job)
        threading.Event().wait(pause_s)
        began_s = time.perf_counter()
        self.process.cancel(job)
        self.until(Cancelled, job)
        return (time.perf_counter() - began_s) * 1000

    def answering_after_death_s(self) -> float:
        """Seconds from killing the process in the middle of a reply to the next reply's token."""
        self.until(Token, self.ask())
        child = psutil.Process(self.process.pid)
        began_s = time.perf_counter()
        child.kill()
        self.until(Died)
        self.until(Token, self.ask())
        elapsed_s = time.perf_counter() - began_s
        self.process.cancel(self._job)
        self.until(Cancelled, self._job)
        # A finished job tells the process's keeper that this one works.
        self._job += 1
        self.process.decode(self._job, _STORY, 2)
        self.until(Done, self._job)
        return elapsed_s


def add_parser(kinds: Any) -> None:
    """Add `recovery` to the benches."""
    parser = kinds.add_parser("recovery", help="cancel to idle, death to answering again")
    parser.add_argument("--cancels", type=int, default=100)
    parser.add_argument("--deaths", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    with recorded(
        "recovery",
        "cancel to idle and death to answering again, as the engine sees them",
        arguments,
        RULES,
    ) as run:
        summary = measure(
            settings.load(paths.settings_file()).decoder, arguments.cancels, arguments.deaths
        )
    summary |= {"evidence": target.evidence().value, "run": run.name}
    run.finish(summary)
    if arguments.json:
        print_record(summary)
    else:
        for name in ("cancel_to_idle_ms", "death_to_answering_s"):
            print(f"{name}: {summary[name]['median']} median [measured]")
    return 0


def measure(chosen: DecoderSettings, cancels: int, deaths: int) -> dict[str, Any]:
    """Cancel and kill a decoder so often; the summary with all samples."""
    pauses_s = np.random.default_rng(SEED).uniform(0, 0.1, cancels)
    with _started(chosen) as decoder:
        cancelled = [decoder.idle_after_cancel_ms(float(pause_s)) for pause_s in pauses_s]
        died = [decoder.answering_after_death_s() for _ in range(deaths)]
    return {
        "type": "summary",
        "model": chosen.model,
        "cancel_to_idle_ms": _described(cancelled),
        "death_to_answering_s": _described(died),
    }


@contextmanager
def _started(chosen: DecoderSettings) -> Iterator[_Watched]:
    process = DecoderProcess(chosen, locate(chosen.model), paths.cache() / "halves")
    process.start()
    try:
        watched = _Watched(process)
        watched.until(Ready)
        yield watched
    finally:
        process.close()


def _described(values: Sequence[float]) -> dict[str, Any]:
    rounded = [round(value, 3) for value in values]
    if not rounded:
        return {"median": None, "p95": None, "most": None, "samples": []}
    return {
        "median": round(float(np.median(values)), 3),
        "p95": round(float(np.percentile(values, 95)), 3),
        "most": max(rounded),
        "samples": rounded,
    }
