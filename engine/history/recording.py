"""A session read back: its conversations with their timelines, and what was recorded about it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import events
from engine.errors import HistoryUnavailable
from engine.events import Event, Evidence, ReplyFinished, TurnAccounted
from engine.history import sessions
from engine.history.plausible import plausible
from engine.history.timeline import Timeline
from engine.records.folders import read_json
from engine.records.session_log import lines


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound file of the session's folder that began at `start_s` of a conversation."""

    file: str
    start_s: float


@dataclass(slots=True)
class Conversation:
    """What was heard from one source. `events` leaves out the sound, which `timeline` has."""

    number: int
    source: str
    settings: dict[str, Any]
    """Those in force when it began; empty when the session did not tell."""
    timeline: Timeline = field(default_factory=lambda: Timeline(keep_s=math.inf))
    events: list[Event] = field(default_factory=list)
    accounts: dict[int, TurnAccounted] = field(default_factory=dict)
    replies: dict[int, ReplyFinished] = field(default_factory=dict)
    sounds: list[Sound] = field(default_factory=list)
    """Recorded if the user asked for it."""

    @property
    def pads(self) -> bool | None:
        """Whether deep work could start in pauses when it began; None when unknown."""
        told = self.settings.get("pads")
        return told if isinstance(told, bool) else None

    def take(self, event: Event) -> None:
        """Take the next event."""
        self.timeline.take(event)
        match event:
            case events.AudioHeard() | events.TurnEndEstimated():
                return
            case events.TurnAccounted():
                self.accounts[event.turn] = event
            case events.ReplyFinished():
                self.replies[event.turn] = event
            case events.SoundRecorded(on=True, file=file):
                self.sounds.append(Sound(Path(file).name, event.heard_s))
        self.events.append(event)


@dataclass(slots=True, kw_only=True)
class Recording:
    """A session as far as it can be read; `unreadable` counts the lines that cannot."""

    folder: Path
    started: str
    status: str
    details: dict[str, Any]
    """The manifest: machine, code, environment, settings, decoder."""
    conversations: list[Conversation] = field(default_factory=list)
    unreadable: int = 0
    ready: events.EngineReady | None = None
    """What the engine said of itself when it could listen."""

    @property
    def evidence(self) -> Evidence:
        """The tag of what was measured in it."""
        return sessions.evidence(self.details)

    @property
    def damage(self) -> str:
        """What could not be read, as a sentence; empty when everything could."""
        parts = []
        if self.status == "unknown":
            parts.append("its manifest is lost, so machine and settings are unknown")
        if self.unreadable:
            lines_of = "one line" if self.unreadable == 1 else f"{self.unreadable} lines"
            parts.append(f"{lines_of} of its events could not be read")
        if not parts:
            return ""
        return f"This session is damaged: {'; '.join(parts)}. What could be read is shown."


def read(folder: Path) -> Recording:
    """Read a session. Raises `HistoryUnavailable` when it has no events that could be read."""
    manifest = read_json(folder / "manifest.json")
    recording = Recording(
        folder=folder,
        started=sessions.started(folder, manifest),
        status=sessions.status(manifest),
        details=manifest or {},
    )
    settings = recording.details.get("settings")
    settings = settings if isinstance(settings, dict) else {}
    try:
        for event in _events(folder, recording):
            if isinstance(event, events.SettingsApplied):
                settings = event.settings
            _sort_in(event, recording, settings)
    except OSError as exc:
        raise HistoryUnavailable(
            f"The session {folder.name} cannot be read ({exc.strerror})",
            remedy="choose another one, or delete it",
        ) from exc
    return recording


def _events(folder: Path, recording: Recording) -> Iterator[Event]:
    for record in lines(folder):
        try:
            event = None if record is None else events.from_record(record)
            damaged = record is None or (event is not None and not plausible(event))
        except (KeyError, TypeError, ValueError):
            damaged = True
        if damaged:
            recording.unreadable += 1
        elif event is not None:
            yield event


def _sort_in(event: Event, recording: Recording, settings: dict[str, Any]) -> None:
    """Each source begins a conversation, but one that was opened for its level alone."""
    if isinstance(event, events.EngineReady):
        recording.ready = event
    found = recording.conversations
    if isinstance(event, events.SourceOpened):
        if event.kind == events.CHECK:
            return
        found.append(Conversation(len(found) + 1, event.name, settings))
    if found:
        found[-1].take(event)
