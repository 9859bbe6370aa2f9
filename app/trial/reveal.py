"""What a visitor's trial reveals: both waits of every question on one scale, and the choice."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.evidence import tag
from engine.evaluation.conversations.blind_trial import Choice

_LABEL_PX, _BAR_PX, _GAP_PX = 160, 32, 12

_WITH = str(QT_TRANSLATE_NOOP("Reveal", "{ms:.0f} ms with PADS"))
_WITHOUT = str(QT_TRANSLATE_NOOP("Reveal", "{ms:.0f} ms without PADS"))


class Reveal(QWidget):
    """Two bars a question, from the end of speech to the first word of the answer, as measured."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(self.tr("Both waits of every question"))
        self._choices: list[Choice] = []

    def show_choices(self, choices: Sequence[Choice]) -> None:
        """Draw these rounds, and say them in words for screen readers."""
        self._choices = list(choices)
        self.setAccessibleDescription(" ".join(self._sentence(one) for one in self._choices))
        self.updateGeometry()
        self.update()

    def _sentence(self, one: Choice) -> str:
        felt = self.tr("with PADS") if one.for_pads else self.tr("without PADS")
        return self.tr(
            "Question {n}: {on:.0f} ms with PADS, {off:.0f} ms without ({evidence}); felt quicker: "
            "{felt}."
        ).format(
            n=one.round, on=one.with_ms, off=one.without_ms, evidence=tag(one.evidence), felt=felt
        )

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for all bars."""
        pair = 2 * theme.px(_BAR_PX) + theme.px(_GAP_PX)
        return QSize(theme.px(560), max(len(self._choices), 1) * (pair + theme.px(_GAP_PX)))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The same height."""
        return QSize(theme.px(360), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the bars."""
        longest = max((max(c.with_ms, c.without_ms) for c in self._choices), default=1.0)
        bar, gap, left = theme.px(_BAR_PX), theme.px(_GAP_PX), theme.px(_LABEL_PX)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(theme.font(20))
            room = (
                painter.fontMetrics().horizontalAdvance(self._value(_WITHOUT, longest, chosen=True))
                + 16
            )
            px_per_ms = max(self.width() - left - room, 10) / max(longest, 1.0)
            for row, one in enumerate(self._choices):
                top = row * (2 * bar + 2 * gap)
                painter.setPen(theme.TEXT)
                place = QRectF(0, top, left - 12, 2 * bar + gap / 2)
                words = self.tr("Question {n}").format(n=one.round)
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, words)
                bars = (
                    (_WITH, one.with_ms, theme.HIDDEN, one.for_pads),
                    (_WITHOUT, one.without_ms, theme.VISIBLE, not one.for_pads),
                )
                for at, (arm, ms, colour, chosen) in enumerate(bars):
                    shape = QRectF(left, top + at * (bar + gap / 2), ms * px_per_ms, bar)
                    self._bar(painter, shape, self._value(arm, ms, chosen=chosen), colour)

    def _bar(self, painter: QPainter, shape: QRectF, words: str, colour: QColor) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(shape, 4, 4)
        painter.setPen(theme.TEXT)
        place = QRectF(shape.right() + 8, shape.top(), self.width() - shape.right(), shape.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, words)

    def _value(self, arm: str, ms: float, *, chosen: bool) -> str:
        words = QCoreApplication.translate("Reveal", arm).format(ms=ms)
        return f"{words}  ◀ {self.tr('felt quicker')}" if chosen else words
