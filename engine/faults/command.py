"""`pads faults`: do every fault, say what came of it, and write the table of them."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.errors import ExportFailed
from engine.faults.case import Outcome, run
from engine.faults.catalogue import CASES
from engine.records.output import print_record
from engine.records.writing import replacing
from engine.telemetry import target


def add_parser(verbs: Any) -> None:
    """Add `faults` to the verbs."""
    parser = verbs.add_parser("faults", help="do harm on purpose and see what becomes of it")
    parser.add_argument("names", nargs="*", help="faults or groups of them (default: all)")
    parser.add_argument("--short", action="store_true", help="leave out those that take long")
    parser.add_argument("--table", type=Path, help="write what came of it as Markdown")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    logging.getLogger().addHandler(logging.NullHandler())  # what the faults make it warn of
    outcomes = []
    for outcome in done(arguments.names, short=arguments.short):
        outcomes.append(outcome)
        if arguments.json:
            print_record(outcome.record())
        else:
            verdict = "withstood" if outcome.withstood else "FAILED"
            print(f"{verdict:9} {outcome.name}: {outcome.observed}", flush=True)
    failed = sum(not outcome.withstood for outcome in outcomes)
    if arguments.json:
        print_record({"type": "summary", "faults": len(outcomes), "failed": failed})
    if arguments.table is not None:
        try:
            with replacing(arguments.table) as file:
                file.write_text(table(outcomes), "utf-8")
        except OSError as exc:
            raise ExportFailed(
                f"The table {arguments.table} cannot be written ({exc.strerror})",
                remedy="name a file in a folder that can be written",
            ) from exc
    return 1 if failed or not outcomes else 0


def done(names: Sequence[str], *, short: bool) -> Iterator[Outcome]:
    """The outcomes of the faults so named, or in groups so named; of all without a name."""
    for case in CASES:
        named = not names or case.name in names or case.group in names
        if named and not (short and case.heavy) and (sys.platform == "linux" or not case.linux):
            yield run(case)


def table(outcomes: Sequence[Outcome]) -> str:
    """Markdown of what came of each fault, and on which machine."""
    processor = target.describe().cpu or "a processor that has no name"
    failed = sum(not outcome.withstood for outcome in outcomes)
    lines = [
        "# What it withstands",
        "",
        f"Written by `pads faults --table docs/faults.md`: {len(outcomes)} faults, {failed} not "
        f"withstood. Times are of this machine: {processor} "
        f"[{target.evidence().value}].",
        "",
        "| what is done | expected | observed | works again after | lost |",
        "|---|---|---|---|---|",
    ]
    for outcome in outcomes:
        again = "–" if outcome.recovery_s is None else f"{outcome.recovery_s:.2f} s"
        seen = outcome.observed if outcome.withstood else f"**not withstood**: {outcome.observed}"
        cells = (outcome.done, outcome.expected, seen, again, outcome.lost)
        lines.append("| " + " | ".join(_cell(text) for text in cells) + " |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
