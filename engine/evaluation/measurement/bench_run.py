"""The run directory of a bench: made before it measures, ended as interrupted if it fails."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import paths
from engine.evaluation.measurement.protocol import Rules
from engine.evaluation.measurement.watching import Watch, watched
from engine.events import Evidence
from engine.records.runs import RunDirectory, RunStatus
from engine.telemetry import target


@dataclass(slots=True)
class Bench:
    """A bench's run: where its samples go, and what was seen of the machine meanwhile."""

    directory: RunDirectory
    evidence: Evidence
    watch: Watch | None = None

    @property
    def folder(self) -> Path:
        """Its run directory."""
        return self.directory.folder

    @property
    def name(self) -> str:
        """The run's id."""
        return self.directory.name

    def note(self, text: str) -> None:
        """Say a sentence, beside the figures."""
        print(f"pads: {text}", file=sys.stderr, flush=True)

    def keep(self, name: str, records: Iterable[Mapping[str, Any]]) -> None:
        """Store samples in the run's folder, one JSON object a line."""
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (self.folder / name).write_text(lines, "utf-8")

    def finish(self, result: dict[str, Any]) -> None:
        """Store the result and how the protocol was kept."""
        seen = {} if self.watch is None else {"protocol": self.watch.record()}
        self.directory.finish({**result, **seen})


@contextmanager
def recorded(
    name: str, purpose: str, arguments: argparse.Namespace, rules: Rules
) -> Iterator[Bench]:
    """The new run of `pads bench NAME`, watched; whoever measures also finishes it."""
    machine = target.describe()
    run = RunDirectory.create(
        paths.runs(),
        job=f"bench-{name}",
        purpose=purpose,
        command=["pads", *sys.argv[1:]],
        parameters={k: v for k, v in vars(arguments).items() if k != "run"},
        machine=machine.record(),
        target_hardware=machine.is_target,
    )
    bench = Bench(run, target.evidence())
    try:
        with watched(bench, rules) as bench.watch:
            yield bench
    except BaseException as exc:
        run.end(RunStatus.INTERRUPTED, type(exc).__name__)
        raise
