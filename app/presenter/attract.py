"""The attract screen: the idea as a moving picture, without a number, until somebody comes."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app import theme

_LOOP_S = 7.0
WHOLE_S = 6.5
"""A moment at which all of the picture is there."""
_SPEECH, _WORK, _PAUSE = 0.40, 0.44, 0.68
"""Where in the picture's width speech ends, work begins and the pause ends."""


class Attract(QWidget):
    """Draws the loop at `at_s` seconds of it."""

    def __init__(self) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.title = self.tr("You pause. The answer is already being worked out.")
        self._at_s = 0.0
        self.invite(listening=False)

    def invite(self, *, listening: bool) -> None:
        """Say what interrupts the loop: a voice only while a microphone listens."""
        by_voice, by_key = self.tr("Just speak, or press any key"), self.tr("Press any key")
        self.invitation = by_voice if listening else by_key
        self.setAccessibleName(f"{self.title} {self.invitation}")

    def redraw(self, now_s: float) -> None:
        """Show the picture of another moment."""
        self._at_s = now_s % _LOOP_S
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw everything."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.BACKGROUND)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            size = self.height() / 100
            self._write(painter, 4, 24, self.title, 7.5)
            self._write(painter, 82, 12, self.invitation, 5)
            picture = QRectF(6 * size, 32 * size, self.width() - 12 * size, 44 * size)
            self._draw(painter, picture, min(self._at_s / (_LOOP_S - 2.0), 1.0))

    def _write(self, painter: QPainter, top: float, height: float, text: str, size: float) -> None:
        unit = self.height() / 100
        font = theme.font(10, bold=True)
        font.setPixelSize(round(size * unit))
        painter.setFont(font)
        painter.setPen(theme.TEXT)
        area = QRectF(6 * unit, top * unit, self.width() - 12 * unit, height * unit)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(area, int(flags), text)

    def _draw(self, painter: QPainter, area: QRectF, upto: float) -> None:
        """Speech, the pause, the work that slides under it, and the answer at its end."""
        unit = self.height() / 100
        upper = QRectF(area.left(), area.top(), area.width(), area.height() * 0.44)
        lower = QRectF(area.left(), upper.bottom() + 3 * unit, area.width(), area.height() * 0.36)
        pause = QRectF(
            area.left() + _SPEECH * area.width(),
            area.top(),
            (min(upto, _PAUSE) - _SPEECH) * area.width(),
            area.height(),
        )
        if upto > _SPEECH:
            painter.fillRect(pause, theme.faint(theme.HIDDEN, 80))
            self._label(painter, QRectF(pause.topLeft(), upper.bottomRight()), upto)
        self._speech(painter, upper, min(upto, _SPEECH))
        painter.setPen(Qt.PenStyle.NoPen)
        if upto > _WORK:
            width = (min(upto, _PAUSE - 0.02) - _WORK) * area.width()
            block = QRectF(area.left() + _WORK * area.width(), lower.top(), width, lower.height())
            painter.setBrush(theme.HIDDEN)
            painter.drawRoundedRect(block, unit, unit)
            if upto > _PAUSE - 0.08:
                self._inside(painter, block, self.tr("deep work"), theme.INK)
        if upto >= _PAUSE:
            left = area.left() + _PAUSE * area.width()
            painter.setPen(QPen(theme.TEXT, unit / 2))
            painter.drawLine(QPointF(left, area.top()), QPointF(left, area.bottom()))
            answer = QRectF(left + unit, upper.top(), area.right() - left - unit, upper.height())
            self._inside(painter, answer, self.tr("▶ the answer, at once"), theme.HIDDEN)

    def _label(self, painter: QPainter, gap: QRectF, upto: float) -> None:
        whole = (_PAUSE - _SPEECH) * (self.width() - 12 * self.height() / 100)
        place = QRectF(gap.left(), gap.top(), whole, gap.height())
        if upto > _SPEECH + 0.06:
            self._inside(painter, place, self.tr("your pause"), theme.TEXT)

    def _inside(self, painter: QPainter, place: QRectF, text: str, colour: QColor) -> None:
        font = theme.font(10, bold=True)
        font.setPixelSize(round(3.6 * self.height() / 100))
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(place, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), text)

    def _speech(self, painter: QPainter, lane: QRectF, upto: float) -> None:
        """A drawn waveform: words of some syllables each."""
        steps = round(240 * upto)
        if steps < 2:
            return
        above, below = [], []
        for step in range(steps):
            share = step / 240
            word = abs(math.sin(share * 34)) * (0.55 + 0.45 * math.sin(share * 91 + 1))
            tail = min(1.0, (_SPEECH - share) * 25)
            half = max(word * tail, 0.02) * lane.height() / 2
            x = lane.left() + share * lane.width()
            above.append(QPointF(x, lane.center().y() - half))
            below.append(QPointF(x, lane.center().y() + half))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.AUDIO)
        painter.drawPolygon(QPolygonF([*above, *reversed(below)]))
