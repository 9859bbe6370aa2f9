"""The one number for the back row: deep work hidden in the pause, growing while it happens."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app import theme
from app.evidence import tag
from engine import events
from engine.events import Event, Evidence


class Counter(QWidget):
    """Counts a speculative branch's deep work; keeps the last turn's account until the next."""

    def __init__(self) -> None:
        super().__init__()
        self.meaning, self.value, self.note = QLabel(), QLabel(), QLabel()
        self.meaning.setFont(theme.font(20, bold=True))
        self.value.setFont(theme.font(86, bold=True))
        self.note.setFont(theme.font(13))
        self.note.setObjectName("muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for label in (self.meaning, self.value, self.note):
            label.setTextFormat(Qt.TextFormat.PlainText)
            column.addWidget(label)
        self._live: int | None = None
        self._ms = 0.0
        self._clear()

    def take(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case events.SourceOpened():
                self._live = None
                self._clear()
            case events.BranchStarted(branch=branch, speculative=True):
                self._live, self._ms = branch, 0.0
                self._grow()
            case events.DecoderWorked(branch=branch, depth="deep") if branch == self._live:
                self._ms += event.head_ms + event.tail_ms
                self._grow()
            case events.BranchDiscarded(branch=branch) if branch == self._live:
                self._live = None
                self._show(
                    self.tr("thrown away: you went on speaking"), self._ms, "wasted", self._cost()
                )
            case events.TurnCommitted() if self._live is not None:
                self._live = None
                self._hid(self._ms)
            case events.TurnAccounted(from_branch=True, hidden_ms=hidden_ms):
                self._hid(hidden_ms)
            case events.TurnAccounted(from_branch=False):
                self._show(self.tr("hidden in your pause"), 0.0, "pending", self._waited())

    def _grow(self) -> None:
        self._show(self.tr("working inside your pause …"), self._ms, "text", "")

    def _hid(self, ms: float) -> None:
        self._show(self.tr("hidden in your pause"), ms, "hidden", self._gain())

    def _gain(self) -> str:
        return self.tr("of deep work you did not wait for · {evidence}").format(
            evidence=tag(Evidence.MEASURED)
        )

    def _cost(self) -> str:
        return self.tr("nothing of it was shown; the answer starts anew · {evidence}").format(
            evidence=tag(Evidence.MEASURED)
        )

    def _waited(self) -> str:
        return self.tr("this answer was not started early · {evidence}").format(
            evidence=tag(Evidence.MEASURED)
        )

    def _clear(self) -> None:
        self.meaning.setText(self.tr("hidden in your pause"))
        self.value.setText("–")
        self.note.setText(self.tr("no turn yet"))
        for label in (self.meaning, self.value):
            theme.tone(label, "pending")

    def _show(self, meaning: str, ms: float, tone: str, note: str) -> None:
        self.meaning.setText(meaning)
        self.value.setText(self.tr("{ms:.0f} ms").format(ms=ms))
        self.note.setText(note)
        for label in (self.meaning, self.value):
            theme.tone(label, tone)
        self.setAccessibleName(f"{meaning}: {self.value.text()}. {note}")
