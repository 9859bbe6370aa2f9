"""What was said and what is answered, in two large lines."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from app import theme
from engine import events
from engine.events import Event

_SIZE_PX = 22


class Words(QWidget):
    """The newest turn and its reply, each on one line, the newest words in view."""

    def __init__(self) -> None:
        super().__init__()
        self.said, self.answered = QLabel(), QLabel()
        self._said, self._answered, self._turn = "", "", 0
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for label, tone in ((self.said, "audio"), (self.answered, "hidden")):
            label.setFont(theme.font(_SIZE_PX, bold=True))
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            theme.tone(label, tone)
            column.addWidget(label)
        self._show()

    def take(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case events.SourceOpened():
                self._said, self._answered, self._turn = "", "", 0
            case events.Transcribed(turn=turn, text=text):
                if turn != self._turn:
                    self._turn, self._answered = turn, ""
                self._said = text
            case events.ReplyServed(turn=turn, text=text) if turn == self._turn:
                self._answered += text
            case _:
                return
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the words to the new width."""
        super().resizeEvent(event)
        self._show()

    def _show(self) -> None:
        you = self.tr("You: {words}").format(words=self._said or "…")
        reply = self.tr("Answer: {words}").format(words=self._answered.strip() or "…")
        for label, words in ((self.said, you), (self.answered, reply)):
            metrics = label.fontMetrics()
            label.setAccessibleName(words)
            label.setText(
                metrics.elidedText(words, Qt.TextElideMode.ElideRight, max(self.width(), 1))
            )
