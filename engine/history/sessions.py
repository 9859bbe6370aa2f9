"""The sessions on disk: which there are, what was in them, told quickly; and deleting them."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import events, paths
from engine.errors import HistoryUnavailable
from engine.events import Evidence
from engine.history.plausible import plausible
from engine.records.folders import alive, read_json
from engine.records.session_log import lines

_SOUND = ("audio_heard", "turn_end_estimated")
"""Nine lines of ten, of which a summary needs none."""


@dataclass(slots=True, kw_only=True)
class Brief:
    """One source of a session in brief: what was heard, the turns, deep work by its fate."""

    source: str
    seconds: float = 0.0
    turns: int = 0
    hidden_ms: float = 0.0
    visible_ms: float = 0.0
    wasted_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session in brief; `unreadable` counts damaged lines, `problem` says if nothing is there."""

    folder: Path
    started: str
    """In UTC, as `records.folders.stamp` writes it."""
    status: str
    """running, finished, interrupted, or unknown when its manifest is lost."""
    conversations: tuple[Brief, ...]
    size: int
    """Bytes of all its files."""
    unreadable: int
    evidence: Evidence
    """The tag of what was measured in it."""
    problem: str = ""

    @property
    def name(self) -> str:
        """The session's name: its folder's."""
        return self.folder.name

    @property
    def turns(self) -> int:
        """Committed turns of all its conversations."""
        return sum(brief.turns for brief in self.conversations)

    @property
    def hidden_ms(self) -> float:
        """Deep work hidden in pauses, of all its conversations."""
        return sum(brief.hidden_ms for brief in self.conversations)


def folders() -> list[Path]:
    """The folders of all sessions, newest first."""
    found = paths.sessions().glob("*/")
    return sorted((f for f in found if not f.is_symlink()), reverse=True)


def find(name: str) -> Path:
    """A session by its name, a beginning that only it has, `latest`, or its folder's path.

    Raises `HistoryUnavailable`.
    """
    known = folders()
    if name == "latest" and known:
        return known[0]
    exact = [folder for folder in known if folder.name == name]
    found = exact or [folder for folder in known if folder.name.startswith(name)]
    if len(found) == 1:
        return found[0]
    if (Path(name) / "events.jsonl").is_file():
        return Path(name)
    what = f"{len(found)} sessions begin with {name}" if found else f"There is no session {name}"
    raise HistoryUnavailable(what, remedy="see them all with `pads history`")


def running() -> Path | None:
    """The session that this process records now, if it does."""
    for folder in folders():
        manifest = read_json(folder / "manifest.json") or {}
        if manifest.get("status") == "running" and manifest.get("process") == os.getpid():
            return folder
    return None


def brief(folder: Path) -> Session:
    """A session in brief; a damaged one tells what can be read of it."""
    manifest = read_json(folder / "manifest.json")
    found: list[Brief] = []
    unreadable, problem = 0, ""
    try:
        for record in lines(folder, skip=_SOUND):
            unreadable += record is None or not _fold(record, found)
    except OSError as exc:
        problem = f"Its events cannot be read ({exc.strerror})"
    return Session(
        folder=folder,
        started=started(folder, manifest),
        status=status(manifest),
        conversations=tuple(found),
        size=_size(folder),
        unreadable=unreadable,
        evidence=evidence(manifest),
        problem=problem,
    )


def status(manifest: dict[str, Any] | None) -> str:
    """How a session stands by its manifest: running, finished, interrupted, or unknown."""
    if manifest is None:
        return "unknown"
    told = str(manifest.get("status"))
    if told == "running" and not alive(manifest.get("process"), manifest.get("process_started")):
        return "interrupted"
    return told


def evidence(manifest: dict[str, Any] | None) -> Evidence:
    """The tag of what was measured in a session, by the machine its manifest tells."""
    machine = (manifest or {}).get("machine")
    on_target = isinstance(machine, dict) and machine.get("is_target") is True
    return Evidence.TARGET if on_target else Evidence.MEASURED


def started(folder: Path, manifest: dict[str, Any] | None) -> str:
    """When a session began, in UTC; from its folder's name when the manifest is lost."""
    told = (manifest or {}).get("started")
    if isinstance(told, str):
        return told
    day, _, rest = folder.name.partition("T")
    return f"{day}T{rest[:8].replace('-', ':')}Z" if rest else folder.name


def delete(folder: Path) -> None:
    """Remove a session with its sound. Raises `HistoryUnavailable`, also while it is recorded."""
    if status(read_json(folder / "manifest.json")) == "running":
        raise HistoryUnavailable(
            f"The session {folder.name} is still being recorded",
            remedy="close the window or command that records it, then delete it",
        )
    try:
        shutil.rmtree(folder)
    except OSError as exc:
        raise HistoryUnavailable(
            f"The session {folder.name} cannot be deleted ({exc.strerror})",
            remedy=f"delete the folder {folder} by hand",
        ) from exc


def _fold(record: dict[str, Any], found: list[Brief]) -> bool:
    """Count one event in; False if it is damaged."""
    try:
        event = events.from_record(record)
        if event is not None and not plausible(event):
            return False
        match event:
            case events.SourceOpened(kind=events.CHECK):
                return True
            case events.SourceOpened(name=name):
                found.append(Brief(source=name))
            case events.TurnCommitted() if found:
                found[-1].turns += 1
            case events.TurnAccounted() if found:
                found[-1].hidden_ms += event.hidden_ms
                found[-1].visible_ms += event.visible_ms
                found[-1].wasted_ms += event.wasted_ms
            case events.TurnDropped() if found:
                found[-1].wasted_ms += event.wasted_ms
        if found and event is not None:
            found[-1].seconds = max(found[-1].seconds, event.heard_s)
    except (KeyError, TypeError, ValueError):
        return False
    return True


def _size(folder: Path) -> int:
    total = 0
    for file in folder.glob("*"):
        try:
            total += file.lstat().st_size
        except OSError:
            continue  # deleted meanwhile
    return total
