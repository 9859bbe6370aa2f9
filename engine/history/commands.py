"""`pads history` and `pads export`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.history import recording, report, sessions, tables, trace
from engine.history.recording import Recording
from engine.records.output import print_record

Writer = Callable[[Recording, Path], None]
"""Writes a session to a file; raises `ExportFailed`."""

WRITERS: dict[str, Writer] = {
    "html": report.write,
    "csv": tables.write,
    "trace": trace.write,
}
_WHAT = {
    "html": "a report in one HTML page",
    "csv": "the turns in CSV, the blocks beside it in *-blocks.csv",
    "trace": "a trace for chrome://tracing and Perfetto",
    "png": "a picture of the window",
}


def add_parser(verbs: Any, picture: Writer | None) -> None:
    """Add `history` and `export` to the verbs; `picture` writes a PNG, where there is a window."""
    history = verbs.add_parser("history", help="list the recorded sessions, newest first")
    history.add_argument("--json", action="store_true", help="one JSON object a line")
    history.set_defaults(run=_list)
    export = verbs.add_parser("export", help="write a recorded session to files")
    export.add_argument("session", metavar="SESSION", help="its name, a beginning, or `latest`")
    writers = WRITERS if picture is None else {**WRITERS, "png": picture}
    for name in writers:
        export.add_argument(f"--{name}", type=Path, metavar="OUT", help=_WHAT[name])
    export.add_argument("--json", action="store_true", help="one JSON object a line")
    export.set_defaults(run=lambda arguments: _export(arguments, writers))


def _list(arguments: argparse.Namespace) -> int:
    for folder in sessions.folders():
        found = sessions.brief(folder)
        sources = ", ".join(brief.source for brief in found.conversations) or "nothing heard"
        if arguments.json:
            print_record(
                {
                    "type": "session",
                    "name": found.name,
                    "started": found.started,
                    "status": found.status,
                    "sources": [brief.source for brief in found.conversations],
                    "turns": found.turns,
                    "hidden_ms": round(found.hidden_ms, 1),
                    "evidence": found.evidence.value,
                    "bytes": found.size,
                    "unreadable_lines": found.unreadable,
                    "problem": found.problem,
                    "folder": str(found.folder),
                }
            )
        else:
            print(
                f"{found.name:24} {found.status:11} {found.turns:4} turns "
                f"{found.hidden_ms:8.0f} ms hidden [{found.evidence}] {found.size / 1e6:7.1f} MB  "
                f"{found.problem or sources}"
            )
    return 0


def _export(arguments: argparse.Namespace, writers: dict[str, Writer]) -> int:
    wanted = {name: out for name in writers if (out := getattr(arguments, name)) is not None}
    if not wanted:
        names = ", ".join(f"--{name} OUT" for name in writers)
        print(f"pads: Nothing to export: name one of {names}", file=sys.stderr)
        return 2
    read = recording.read(sessions.find(arguments.session))
    if read.damage:
        print(f"pads: {read.damage}", file=sys.stderr)
    for name, out in wanted.items():
        writers[name](read, out)
        if arguments.json:
            print_record({"type": "exported", "format": name, "file": str(out)})
        else:
            print(out)
    return 0
