"""`pads models list|fetch|verify`."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from engine.errors import ModelUnavailable
from engine.records.output import print_record
from engine.store import fetching, library
from engine.store.manifest import ModelFile


def add_parser(verbs: Any) -> None:
    """Add `models` to the verbs."""
    models = verbs.add_parser("models", help="list, fetch and verify the model files")
    actions = models.add_subparsers(dest="action", required=True)
    for name, words, run in (
        ("list", "what the product uses, and whether it is here", _list),
        ("fetch", "bring the missing and damaged ones", _fetch),
        ("verify", "compare every file with the manifest", _verify),
    ):
        action = actions.add_parser(name, help=words)
        action.add_argument("names", nargs="*", help="only these (default: all default models)")
        action.add_argument("--json", action="store_true", help="one JSON object a line")
        action.set_defaults(run=run)


def _chosen(arguments: argparse.Namespace) -> list[ModelFile]:
    if arguments.names:
        return [library.find(name) for name in arguments.names]
    return [model for model in library.read() if model.use == "default"]


def _list(arguments: argparse.Namespace) -> int:
    chosen = _chosen(arguments) if arguments.names else list(library.read())
    for model in chosen:
        try:
            state, path = "here", str(fetching.locate(model.name))
        except ModelUnavailable:
            state, path = "missing", ""
        if arguments.json:
            print_record(
                {
                    "type": "model",
                    "name": model.name,
                    "role": model.role,
                    "state": state,
                    "size": model.size,
                    "licence": model.licence,
                    "use": model.use,
                    "path": path,
                }
            )
        else:
            size = f"{model.size / 1e6:8.1f} MB"
            print(f"{state:8} {model.name:32} {size}  {model.licence:14} {model.role}")
    return 0


def _fetch(arguments: argparse.Namespace) -> int:
    said = ""

    def report(step: str, fraction: float) -> None:
        nonlocal said
        if arguments.json:
            print_record({"type": "progress", "step": step, "fraction": round(fraction, 3)})
        elif fraction == 0.0 and step != said:
            said = step
            print(step, flush=True)

    fetching.fetch(_chosen(arguments), report=report)
    if arguments.json:
        print_record({"type": "summary", "fetched": True})
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    damaged = 0
    for name, found in fetching.verify(_chosen(arguments)).items():
        damaged += found is not None
        if arguments.json:
            print_record({"type": "model", "name": name, "state": found or "fine"})
        else:
            print(f"{name}: {found or 'fine'}")
    if arguments.json:
        print_record({"type": "summary", "damaged": damaged})
    elif damaged:
        print("pads: some models are damaged or missing: run `pads models fetch`", file=sys.stderr)
    return 1 if damaged else 0
