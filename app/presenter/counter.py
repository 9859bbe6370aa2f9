"""The one number for the back row: deep work hidden in the pause, growing while it happens."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app import theme
from app.evidence import tag
from engine import events
from engine.events import Event, Evidence

_VALUE_PX, _MEANING_PX, _NOTE_PX = 96, 34, 15


class Counter(QWidget):
    """Counts a speculative branch's deep work; keeps the last turn's account until the next."""

    def __init__(self) -> None:
        super().__init__()
        self.meaning, self.value, self.note = QLabel(), QLabel(), QLabel()
        self.value.setFont(theme.font(_VALUE_PX, bold=True))
        self.meaning.setFont(theme.font(_MEANING_PX, bold=True))
        self.note.setFont(theme.font(_NOTE_PX))
        self.note.setObjectName("muted")
        for label in (self.meaning, self.value, self.note):
            label.setTextFormat(Qt.TextFormat.PlainText)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(self.meaning)
        words.addWidget(self.note)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(40)
        row.addWidget(self.value)
        row.addLayout(words, 1)
        self._live: int | None = None
        self._commit_s = math.inf
        self._ms = 0.0
        self._clear()

    def take(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case events.SourceOpened():
                self._live = None
                self._clear()
            case events.BranchStarted(branch=branch, speculative=True):
                self._live, self._commit_s, self._ms = branch, math.inf, 0.0
                self._tell()
            case events.DecoderWorked(branch=branch, depth="deep") if branch == self._live:
                self._count(event)
            case events.BranchDiscarded(branch=branch) if branch == self._live:
                self._live = None
                self._discarded()
            case events.TurnCommitted(from_branch=False):
                self._live = None
                note = self.tr("this answer was not started early · {evidence}")
                self._show(self.tr("hidden in your pause"), 0.0, "pending", note)
            case events.TurnCommitted(heard_s=heard_s) if self._live is not None:
                self._commit_s = heard_s
                self._tell()
            case events.TurnAccounted(from_branch=True, hidden_ms=hidden_ms):
                self._live, self._ms = None, hidden_ms
                self._hid()

    def _count(self, event: events.DecoderWorked) -> None:
        """Add what of a step lies before the turn's end."""
        before_s = min(event.heard_s, self._commit_s) - event.start_s
        if before_s <= 0:
            return
        share = min(before_s / max(event.heard_s - event.start_s, 1e-6), 1.0)
        self._ms += (event.head_ms + event.tail_ms) * share
        self._tell()

    def _tell(self) -> None:
        if self._commit_s < math.inf:
            self._hid()
        else:
            self._show(self.tr("working inside your pause …"), self._ms, "text", "")

    def _hid(self) -> None:
        note = self.tr("of deep work you did not wait for · {evidence}")
        self._show(self.tr("hidden in your pause"), self._ms, "hidden", note)

    def _discarded(self) -> None:
        note = self.tr("you went on speaking: nothing of it was shown · {evidence}")
        self._show(self.tr("thrown away"), self._ms, "wasted", note)

    def _clear(self) -> None:
        self.meaning.setText(self.tr("hidden in your pause"))
        self.value.setText("–")
        self.note.setText(self.tr("no turn yet"))
        for label in (self.meaning, self.value):
            theme.tone(label, "pending")

    def _show(self, meaning: str, ms: float, tone: str, note: str) -> None:
        self.meaning.setText(meaning)
        self.value.setText(self.tr("{ms:.0f} ms").format(ms=ms))
        self.note.setText(note.format(evidence=tag(Evidence.MEASURED)))
        for label in (self.meaning, self.value):
            theme.tone(label, tone)
        self.setAccessibleName(f"{meaning}: {self.value.text()}. {self.note.text()}")
