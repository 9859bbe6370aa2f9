"""The numbers that matter, each with where it comes from."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app import theme
from engine import events
from engine.events import Event, Evidence


class Figure(QWidget):
    """One large number with its meaning and evidence below."""

    def __init__(self, meaning: str, colour: QColor, evidence: Evidence) -> None:
        super().__init__()
        self._meaning, self._evidence, self._colour = meaning, evidence, colour
        self.value = QLabel()
        self.value.setFont(theme.font(34, bold=True))
        self.words = QLabel()
        self.words.setObjectName("muted")
        self.words.setWordWrap(True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.value)
        layout.addWidget(self.words, 1)
        self.clear()

    def show_value(self, text: str) -> None:
        """Show a number."""
        self.value.setText(text)
        self.value.setStyleSheet(f"color: {self._colour.name()}")
        self.words.setText(f"{self._meaning} · {self._evidence}")
        self.setAccessibleName(f"{text} {self._meaning}, {self._evidence}")

    def clear(self) -> None:
        """Show that there is nothing yet."""
        self.value.setText("–")
        self.value.setStyleSheet(f"color: {theme.PENDING.name()}")
        self.words.setText(f"{self._meaning} · no turn yet")
        self.setAccessibleName(f"{self._meaning}: no turn yet")


class Headline(QWidget):
    """First word with and without PADS, hidden work, and the price of wrong guesses."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(96)
        self.first_word = Figure("from turn's end to first word", theme.HIDDEN, Evidence.MEASURED)
        self.without = Figure("the same turn without PADS", theme.VISIBLE, Evidence.DERIVED)
        self.hidden = Figure("deep work hidden in pauses", theme.TEXT, Evidence.MEASURED)
        self.wasted = Figure("of deep work thrown away", theme.WASTED, Evidence.MEASURED)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 6, 4, 0)
        layout.setSpacing(18)
        for figure in (self.first_word, self.without, self.hidden, self.wasted):
            layout.addWidget(figure, 1)
        self._hidden_ms = self._visible_ms = self._wasted_ms = 0.0

    def take(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case events.SourceOpened():
                self._hidden_ms = self._visible_ms = self._wasted_ms = 0.0
                for figure in (self.first_word, self.without, self.hidden, self.wasted):
                    figure.clear()
            case events.TurnDropped(wasted_ms=wasted_ms):
                self._wasted_ms += wasted_ms
                self._totals()
            case events.TurnAccounted():
                self.first_word.show_value(_duration(event.post_confirmation_ttft_ms))
                self.without.show_value(_duration(event.without_pads_ttft_ms))
                self._hidden_ms += event.hidden_ms
                self._visible_ms += event.visible_ms
                self._wasted_ms += event.wasted_ms
                self._totals()

    def _totals(self) -> None:
        total = self._hidden_ms + self._visible_ms + self._wasted_ms
        self.hidden.show_value(_duration(self._hidden_ms))
        if total > 0:
            self.wasted.show_value(f"{100 * self._wasted_ms / total:.0f} %")


def _duration(ms: float) -> str:
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"
