"""A session's record on disk: `manifest.json` and `events.jsonl`, one event a line, flushed.

After a crash every complete line still parses, and the next start finds the session by its
manifest, which says "running" although its process is gone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import reading
from engine.events import Event, to_record
from engine.records.folders import alive, birth, new_folder, read_json, replace_json, stamp
from engine.records.writing import check_there


class SessionLog:
    """Writes one session. Every method may raise `OSError` (full disk, lost folder)."""

    def __init__(self, folder: Path, details: dict[str, Any]) -> None:
        self.folder = new_folder(folder)
        self._manifest: dict[str, Any] = {
            "started": stamp(),
            "status": "running",
            "process": os.getpid(),
            "process_started": birth(),
            **details,
        }
        self._write_manifest()
        self._file = (self.folder / "events.jsonl").open("x", encoding="utf-8")

    def describe(self, details: dict[str, Any]) -> None:
        """Add what became known later (models, machine) to the manifest."""
        self._manifest |= details
        self._write_manifest()

    def write(self, event: Event) -> None:
        """Append one event and hand it to the operating system."""
        self._file.write(json.dumps(to_record(event), ensure_ascii=False) + "\n")
        self._file.flush()
        check_there(self._file.fileno(), Path(self._file.name))

    def close(self) -> None:
        """Mark the session complete."""
        self._file.close()
        self._manifest["status"] = "finished"
        self._write_manifest()

    def abandon(self) -> None:
        """Let go of a record that can be written no more."""
        with suppress(OSError):
            self._file.close()

    def _write_manifest(self) -> None:
        replace_json(self.folder / "manifest.json", self._manifest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupted:
    """A session whose process ended without closing its log."""

    folder: Path
    events: int


def mark_interrupted(folder: Path) -> list[Interrupted]:
    """Find sessions that say "running" but whose process is gone, and mark them interrupted."""
    found = []
    for path in sorted(folder.glob("*/manifest.json")):
        manifest = read_json(path)
        if manifest is None or manifest.get("status") != "running":
            continue
        if alive(manifest.get("process"), manifest.get("process_started")):
            continue
        manifest["status"] = "interrupted"
        try:
            replace_json(path, manifest)
        except OSError:  # one that is not ours to write costs the new session nothing
            continue
        found.append(Interrupted(folder=path.parent, events=_count(path.parent)))
    return found


def _count(folder: Path) -> int:
    """Events that can be read; an old session without its file costs the new one nothing."""
    try:
        return sum(1 for _ in read(folder))
    except OSError:
        return 0


def read(folder: Path) -> Iterator[dict[str, Any]]:
    """The events of a session that can be read; raises `OSError` when it has no such file."""
    return (record for record in lines(folder) if record is not None)


def lines(folder: Path, skip: tuple[str, ...] = ()) -> Iterator[dict[str, Any] | None]:
    """Every line of a session: its event, or None where it is damaged or was cut short by a crash.

    Events of the types in `skip` are passed over unread, which costs next to nothing. Raises
    `OSError` when there is no such file.
    """
    passed_over = tuple(f'{{"type": "{kind}"'.encode() for kind in skip)
    for line in reading.lines(folder / "events.jsonl"):
        if not line.startswith(passed_over) or not line.endswith(b"\n"):
            yield _event(line)


def _event(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) and "type" in record else None
