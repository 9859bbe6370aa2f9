"""The watch over a measurement: conditions before and after, sensors every second meanwhile.

`watched` is entered before anything is measured and left when all is; what it saw becomes the
part `protocol` of the job's result, and every sample is kept in the run's conditions.jsonl.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Any, Protocol

from engine.errors import JobFailed
from engine.evaluation.measurement.protocol import Rules
from engine.events import Evidence
from engine.records.evidence import Figure
from engine.records.plots import Plot, Table, shown
from engine.telemetry import conditions
from engine.telemetry.conditions import Conditions, Sample, Sensors
from engine.telemetry.readings import SYS

PERIOD_S = 1.0
"""From one sample of the sensors to the next."""
_SETTLING_S = 1.0  # over which the load of other programs is read before and after

_FIXED = ("performance", "userspace")  # governors under which the clock does not wander


class Measuring(Protocol):
    """Who measures: a job, or a bench."""

    @property
    def folder(self) -> Path:
        """The run directory."""
        ...

    @property
    def evidence(self) -> Evidence:
        """The tag of what is measured in it."""
        ...

    def note(self, text: str) -> None:
        """Say a sentence."""
        ...


class Watch:
    """What was seen of the machine; complete once its context is left."""

    def __init__(self, rules: Rules, evidence: Evidence, root: Path) -> None:
        self.rules, self.root, self._evidence = rules, root, evidence
        self.sensors = Sensors(root)
        self.samples: list[Sample] = []
        self.before = conditions.read(root)
        self.after: Conditions | None = None
        self.quiet_before = self.quiet_after = 0.0
        """Cores busy with other programs while nothing was measured."""

    def idle_load(self) -> float:
        """Cores that others keep busy while this program does nothing for a second."""
        load = conditions.BackgroundLoad()
        threading.Event().wait(_SETTLING_S)
        return load.cores()

    @property
    def background_cores(self) -> float | None:
        """Mean cores busy with other programs over the measurement; None when it was too short."""
        seen = [s.background_cores for s in self.samples if s.background_cores is not None]
        return fmean(seen) if seen else None

    def broken(self) -> list[str]:
        """Every way in which the protocol is broken so far, each with its remedy."""
        return [*self._broken_by_load(), *self._broken_by_power(), *self._broken_by_heat()]

    def _broken_by_load(self) -> Iterator[str]:
        most = self.rules.most_background_cores
        if most is None:
            return
        loads = {
            "before": self.quiet_before,
            "during": self.background_cores or 0.0,
            "after": self.quiet_after,
        }
        for when, cores in loads.items():
            if cores > most:
                yield f"other programs kept {cores:.2f} cores busy {when} it: close them"

    def _broken_by_power(self) -> Iterator[str]:
        after = self.after or self.before
        if self.before.on_battery or after.on_battery:
            yield "the machine runs on its battery: connect it to the mains"
        governors = {*self.before.governors, *after.governors}
        if governors and not governors <= set(_FIXED):
            yield (
                f"the clock is not fixed (governor {', '.join(sorted(governors))}): "
                "`sudo cpupower frequency-set -g performance`"
            )
        if (self.before.governors, self.before.turbo) != (after.governors, after.turbo):
            yield "governor or turbo were switched during it: leave them as they are"

    def _broken_by_heat(self) -> Iterator[str]:
        events = max((s.throttles or 0 for s in self.samples), default=0)
        if events and not self.rules.heat_is_the_subject:
            yield f"heat slowed the processor down {events:.0f} times: let it cool, clear its vents"

    def figures(self) -> dict[str, Figure]:
        """The machine's part of the result: load, heat, energy, memory."""
        return {
            "background_cores": self._figure("background_cores", fmean, "cores"),
            "hottest": self._figure("temperature_c", max, "°C"),
            "throttles": self._figure("throttles", max, "events"),
            "energy": self._figure("joules", max, "J"),
            "peak_memory": self._figure("memory_mb", max, "MB"),
        }

    def _figure(self, name: str, of: Any, unit: str) -> Figure:
        seen = [v for s in self.samples if (v := getattr(s, name)) is not None]
        if not seen:
            reason = self.sensors.reasons.get(name, "the measurement was shorter than a sample")
            return Figure(value=None, unit=unit, evidence=Evidence.UNAVAILABLE, reason=reason)
        return Figure(value=float(of(seen)), unit=unit, evidence=self._evidence)

    def record(self) -> dict[str, Any]:
        """The result's part `protocol`."""
        broken = self.broken()
        return {
            "kept": not broken,
            "broken": broken,
            "rules": self.rules.record(),
            "before": {**asdict(self.before), "background_cores": round(self.quiet_before, 3)},
            "after": {
                **asdict(self.after or self.before),
                "background_cores": round(self.quiet_after, 3),
            },
            **{name: figure.record() for name, figure in self.figures().items()},
            "evidence": self._evidence.value,
        }

    def result(self, plots: Sequence[Plot], tables: Sequence[Table]) -> dict[str, Any]:
        """Protocol, plots and tables of a job's result; the conditions come first when broken."""
        conditions = self.table()
        ordered = [conditions, *tables] if self.broken() else [*tables, conditions]
        return {"protocol": self.record(), **shown(plots, ordered)}

    def table(self) -> Table:
        """The conditions as the window shows them; a broken protocol is its first rows."""
        after = self.after or self.before
        rows: list[list[str | int | Figure]] = [["PROTOCOL BROKEN", w] for w in self.broken()]
        rows += [
            ["protocol", "broken, see above" if rows else "kept"],
            ["governor", ", ".join(after.governors) or "not told by this machine"],
            ["turbo", {True: "on", False: "off", None: "not told by this machine"}[after.turbo]],
            [
                "power",
                {True: "battery", False: "mains", None: "not told by this machine"}[
                    after.on_battery
                ],
            ],
        ]
        names = {
            "background_cores": "work of other programs",
            "hottest": "highest temperature",
            "throttles": "slowed down by heat",
            "energy": "energy of the processor",
            "peak_memory": "most memory of this job, proportional",
        }
        figures = self.figures()
        rows += [[words, figures[name]] for name, words in names.items()]
        return Table(
            title="Conditions of the measurement", columns=("condition", "seen"), rows=rows
        )


@contextmanager
def watched(
    job: Measuring, rules: Rules, *, strict: bool = False, root: Path = SYS
) -> Iterator[Watch]:
    """Watch the machine while the body measures.

    A broken protocol is said in a note and stands in the result; with `strict` it is refused
    (`JobFailed`), before anything is measured where it is broken from the start.
    """
    watch = Watch(rules, job.evidence, root)
    watch.quiet_before = watch.idle_load()
    _insist(watch, strict)
    with _sampling(watch, job.folder / "conditions.jsonl"):
        yield watch
    watch.after = conditions.read(root)
    watch.quiet_after = watch.idle_load()
    _insist(watch, strict)
    for sentence in watch.broken():
        job.note(f"PROTOCOL BROKEN: {sentence}")


def _insist(watch: Watch, strict: bool) -> None:
    broken = watch.broken()
    if strict and broken:
        raise JobFailed(
            f"The measurement is refused, its protocol is broken ({'; '.join(broken)})",
            remedy="put this right and start again, or measure without --strict",
        )


@contextmanager
def _sampling(watch: Watch, file: Path) -> Iterator[None]:
    """Sample the sensors at the beginning, every second, and at the end."""
    watch.sensors = Sensors(watch.root)  # energy and throttling count from here
    stopping = threading.Event()
    with file.open("w", encoding="utf-8") as kept:

        def sample() -> None:
            watch.samples.append(watch.sensors.sample())
            kept.write(json.dumps(asdict(watch.samples[-1])) + "\n")
            kept.flush()

        def keep_sampling() -> None:
            next_s = time.monotonic() + PERIOD_S
            while not stopping.wait(max(next_s - time.monotonic(), 0.0)):
                sample()
                next_s += PERIOD_S

        sample()
        thread = threading.Thread(target=keep_sampling, name="conditions", daemon=True)
        thread.start()
        try:
            yield
        finally:
            stopping.set()
            thread.join()
        sample()
