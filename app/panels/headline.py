"""The numbers that matter, each with where it comes from."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from app import theme
from app.evidence import tag
from app.widgets.flow import Flow
from engine import events
from engine.events import Event, Evidence


class Figure(QWidget):
    """One large number with its meaning and evidence below."""

    def __init__(self, meaning: str, tone: str, evidence: Evidence) -> None:
        """`tone` names the number's colour (`theme.tone`)."""
        super().__init__()
        self._meaning, self._evidence, self._tone = meaning, evidence, tone
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
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
        theme.tone(self.value, self._tone)
        evidence = tag(self._evidence)
        self.words.setText(f"{self._meaning} · {evidence}")
        self.setAccessibleName(f"{text} {self._meaning}, {evidence}")

    def clear(self) -> None:
        """Show that there is nothing yet."""
        self.value.setText("–")
        theme.tone(self.value, "pending")
        none = self.tr("no turn yet")
        self.words.setText(f"{self._meaning} · {none}")
        self.setAccessibleName(f"{self._meaning}: {none}")

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As narrow as its words may be: rows of figures share the width."""
        return QSize(theme.px(130), super().sizeHint().height())


class Headline(QWidget):
    """First word with and without PADS, hidden work, and the price of wrong guesses."""

    def __init__(self) -> None:
        super().__init__()
        first, measured = self.tr("from turn's end to first word"), Evidence.MEASURED
        without = self.tr("the same turn without PADS")
        self.first_word = Figure(first, "hidden", measured)
        self.without = Figure(without, "visible", Evidence.DERIVED)
        self.hidden = Figure(self.tr("deep work hidden in pauses"), "text", measured)
        self.wasted = Figure(self.tr("of deep work thrown away"), "wasted", measured)
        layout = Flow(spacing=18, even=True, row_spacing=6)
        layout.setContentsMargins(4, 6, 4, 4)
        layout.add(self.first_word, self.without, self.hidden, self.wasted)
        self.setLayout(layout)
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
