"""What the back row reads: who is at it, and the deep work hidden in the pause as it grows."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app import theme
from app.engine_words import worded
from app.evidence import tag
from engine import events
from engine.events import Event, Evidence, TurnState

_VALUE_PX, _MEANING_PX, _NOTE_PX = 96, 34, 15


class Counter(QWidget):
    """Says that somebody speaks or pauses, then counts an early start's deep work.

    A turn's account stays until somebody speaks again, what was thrown away until the next pause.
    """

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
        self._thrown_away = 0
        self._commit_s = math.inf
        self._ms = 0.0
        self._clear()

    def take(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case events.SourceOpened():
                self._live, self._thrown_away = None, 0
                self._clear()
            case events.StateChanged(state=TurnState.SPEAKING, turn=turn):
                if turn != self._thrown_away:
                    self._show(self.tr("You speak"), "", "audio", "")
            case events.StateChanged(state=TurnState.PAUSING) if self._live is None:
                self._show(self.tr("You pause"), "", "text", "")
            case events.BranchStarted(branch=branch, speculative=True):
                self._live, self._commit_s, self._ms = branch, math.inf, 0.0
                self._tell()
            case events.DecoderWorked(branch=branch, depth="deep") if branch == self._live:
                self._count(event)
            case events.BranchDiscarded(branch=branch, turn=turn) if branch == self._live:
                self._live, self._thrown_away = None, turn
                self._discarded(event.reason)
            case events.TurnCommitted(from_branch=False):
                self._live = None
                note = self.tr("this answer was not started early · {evidence}")
                self._show(_ms(0.0), self.tr("hidden in your pause"), "pending", note)
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
            self._show(_ms(self._ms), self.tr("working inside your pause …"), "text", "")

    def _hid(self) -> None:
        note = self.tr("of deep work you did not wait for · {evidence}")
        if round(self._ms) == 0:
            note = self.tr("the work had not begun before your turn was over · {evidence}")
        tone = "hidden" if round(self._ms) else "pending"
        self._show(_ms(self._ms), self.tr("hidden in your pause"), tone, note)

    def _discarded(self, reason: str) -> None:
        note = self.tr("{reason}: nothing of it was shown · {evidence}")
        note = note.format(reason=worded(reason), evidence="{evidence}")
        self._show(_ms(self._ms), self.tr("thrown away"), "wasted", note)

    def _clear(self) -> None:
        meaning = self.tr("slides work under your pauses")
        self._show("PADS", meaning, "text", self.tr("so that the answer is there when you stop"))

    def _show(self, large: str, meaning: str, tone: str, note: str) -> None:
        self.value.setText(large)
        self.meaning.setText(meaning)
        self.note.setText(note.format(evidence=tag(Evidence.MEASURED)))
        for label in (self.meaning, self.value):
            theme.tone(label, tone)
        said = (self.value.text(), self.meaning.text(), self.note.text())
        self.setAccessibleName(". ".join(words for words in said if words))


def _ms(ms: float) -> str:
    return QCoreApplication.translate("Counter", "{ms:.0f} ms").format(ms=ms)
