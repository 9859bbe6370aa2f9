"""Job ram-budget (Go/No-Go 5, the seed's §10): do all parts together fit into the memory?

The sum is held against a machine's memory with what everything else on it uses; the answer may
be no.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psutil

from engine.evaluation.machine import ram_parts
from engine.evaluation.measurement.protocol import Rules
from engine.evaluation.measurement.watching import watched
from engine.events import Evidence
from engine.records.evidence import Figure, as_records, from_record
from engine.records.plots import Axis, Plot, Series, Table
from engine.records.runs import ActiveRun

RULES = Rules(warm_up=0, discarded=0, cool_down_s=0.0, most_background_cores=None)
"""Other programs' work changes no memory, so it breaks nothing here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Megabytes: what the parts take, what else is in use, what stays free, what there is."""

    parts_mb: float
    others_mb: float
    reserve_mb: float
    memory_mb: float

    @property
    def left_mb(self) -> float:
        """What is left of the memory; below 0 is how much is missing."""
        return self.memory_mb - self.others_mb - self.reserve_mb - self.parts_mb

    @property
    def passed(self) -> bool:
        """Whether it fits: the pass condition of Go/No-Go 5."""
        return self.left_mb >= 0


def run(
    job: ActiveRun, *, memory_gb: float | None, reserve_mb: float, strict: bool
) -> dict[str, Any]:
    """Measure every part; the memory is this machine's unless `memory_gb` names another's."""
    memory = psutil.virtual_memory()
    others_mb = (memory.total - memory.available) / 1e6
    with watched(job, RULES, strict=strict) as watch:
        parts = ram_parts.measure(job.evidence, lambda name: job.phase(f"Measuring the {name}"))
    for name, part in parts.items():
        job.metric(part=name, mb=part.value)
    budget = Budget(
        parts_mb=sum(part.value or 0.0 for part in parts.values()),
        others_mb=others_mb,
        reserve_mb=reserve_mb,
        memory_mb=memory.total / 1e6 if memory_gb is None else memory_gb * 1e3,
    )
    result = summarise(parts, budget, job.evidence, named=memory_gb is not None)
    job.note(in_words(budget))
    plot, table = _pictures(parts, result)
    return {**result, **watch.result([plot], [table])}


def summarise(
    parts: dict[str, Figure], budget: Budget, evidence: Evidence, *, named: bool
) -> dict[str, Any]:
    """The result without its pictures; `named` memory is somebody's word and not measured."""
    memory = Figure(
        value=budget.memory_mb,
        unit="MB",
        evidence=Evidence.SCRIPTED if named else evidence,
        reason="the memory that was asked about" if named else "",
    )
    derived = {
        "together": budget.parts_mb,
        "left": budget.left_mb,
    }
    return {
        "passed": budget.passed,
        "verdict": "fits" if budget.passed else "does not fit",
        "parts": as_records(parts),
        "other_programs": Figure(value=budget.others_mb, unit="MB", evidence=evidence).record(),
        "reserve_mb": budget.reserve_mb,
        "memory": memory.record(),
        **{
            name: Figure(value=value, unit="MB", evidence=Evidence.DERIVED).record()
            for name, value in derived.items()
        },
    }


def in_words(budget: Budget) -> str:
    """The verdict in a sentence."""
    if budget.passed:
        return f"All parts fit, and {budget.left_mb:,.0f} MB are left (derived)."
    return (
        f"KILL SIGNAL: the parts do not fit, {-budget.left_mb:,.0f} MB are missing (derived): "
        "close other programs or choose a smaller language model."
    )


def _pictures(parts: dict[str, Figure], result: dict[str, Any]) -> tuple[Plot, Table]:
    names = list(parts)
    bars = Series(
        name=", ".join(f"{number} {name}" for number, name in enumerate(names, 1)),
        x=list(range(1, len(names) + 1)),
        y=[part.value or 0.0 for part in parts.values()],
    )
    plot = Plot(
        title="Memory of every part",
        x=Axis(name="part"),
        y=Axis(name="proportional memory", unit="MB"),
        kind="bars",
        series=[bars],
    )
    rows: list[list[str | int | Figure]] = [[name, part] for name, part in parts.items()]
    rows += [[title, from_record(result[name])] for name, title in _TOTALS.items()]
    rows.append(["verdict", result["verdict"]])
    table = Table(title="Memory budget", columns=("part", "memory"), rows=rows)
    return plot, table


_TOTALS = {
    "together": "all parts together",
    "other_programs": "everything else on this machine",
    "memory": "the machine's memory",
    "left": "left",
}
