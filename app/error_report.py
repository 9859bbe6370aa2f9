"""What a user can send along with a problem: copied, never sent; free of Qt.

Nothing that was said or answered is in it unless the user chose so.
"""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path

from engine import events, logs
from engine.events import Event
from engine.records import provenance
from engine.telemetry import target

_LOG_LINES = 60
_TURNS = 20
_LEFT_OUT = "[words left out]"


class ErrorReports:
    """Follows what was said, to be able to leave it out; `tail` are the newest lines of the log."""

    def __init__(self) -> None:
        self.tail: logs.Tail | None = None
        self._words: deque[str] = deque(maxlen=_TURNS)
        self._decoder: dict[str, object] = {}

    def take(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case events.EngineReady(details=details):
                self._decoder = details.get("decoder", {})
            case events.TurnCommitted(text=text) | events.Transcribed(text=text, final=True):
                self._remember(text)
            case events.ReplyFinished(text=text):
                self._remember(text)

    def details(self, sentence: str, *, with_words: bool) -> str:
        """The report about a problem, the user's folder written as `~`."""
        parts = [
            f"PADS Live: {sentence}",
            _section("Program", provenance.code()),
            _section("Environment", provenance.environment()),
            _section("Machine", target.describe().record()),
            _section("Language model", {k: self._decoder.get(k) for k in ("model", "sha256")}),
            "Log:\n" + "\n".join(self._log()),
        ]
        report = "\n\n".join(parts)
        if with_words:
            said = "\n".join(self._words) or "nothing"
            report = f"{report}\n\nWhat was said and answered, as the user chose:\n{said}"
        else:
            for text in sorted(self._words, key=len, reverse=True):
                report = report.replace(text, _LEFT_OUT)
        return report.replace(str(Path.home()), "~")

    def _log(self) -> list[str]:
        return [] if self.tail is None else list(self.tail.lines)[-_LOG_LINES:]

    def _remember(self, text: str) -> None:
        text = text.strip()
        if text and text not in self._words:
            self._words.append(text)


def crash_details(report: Path) -> str:
    """What is known about an earlier crash: its stack, and the last lines of that session's log."""
    parts = [
        "PADS Live ended abruptly.",
        _section("Program", provenance.code()),
        _section("Machine", target.describe().record()),
        report.read_text("utf-8", errors="replace"),
    ]
    return "\n\n".join(parts).replace(str(Path.home()), "~")


def _section(title: str, content: dict[str, object]) -> str:
    lines = (
        f"  {name}: {json.dumps(value, ensure_ascii=False)}" for name, value in content.items()
    )
    return "\n".join([f"{title}:", *lines])
