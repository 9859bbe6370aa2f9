"""The run directory of a bench: made before it measures, ended as interrupted if it fails."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from engine import paths
from engine.records.runs import RunDirectory, RunStatus
from engine.telemetry import target


@contextmanager
def recorded(name: str, purpose: str, arguments: argparse.Namespace) -> Iterator[RunDirectory]:
    """The new run directory of `pads bench NAME`; whoever measures also finishes it."""
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
    try:
        yield run
    except BaseException as exc:
        run.end(RunStatus.INTERRUPTED, type(exc).__name__)
        raise
