"""The conversation profiler: five lanes on one time axis, newest at the right."""

from __future__ import annotations

import time

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.panels import signals, verdicts, work
from app.panels.axis import Axis
from app.playhead import Playhead
from app.timeline import MarkKind, Timeline

SPAN_S = 12.0
LANES = {"audio": 5, "turn end": 4, "verdict": 2, "decoder": 5, "reply": 2}
"""Lanes from top to bottom with their share of the height."""

_LABELS_PX = 86
_RIGHT_PX = 14
_AXIS_PX = 24
_KEY_PX = 26
_GAP_PX = 9
_TICK_S = 2
_MARKS = {
    MarkKind.TRIGGER: (theme.TEXT, Qt.PenStyle.DotLine, "deep starts"),
    MarkKind.DISCARD: (theme.WASTED, Qt.PenStyle.DashLine, "you went on"),
    MarkKind.COMMIT: (theme.HIDDEN, Qt.PenStyle.SolidLine, "turn over"),
}


class Profiler(QWidget):
    """Draws the newest `SPAN_S` seconds of a `Timeline`; `appeared` tells of the first time."""

    appeared = Signal()

    def __init__(self, timeline: Timeline) -> None:
        super().__init__()
        self.timeline = timeline
        self.setMinimumSize(420, 400)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Conversation profiler")
        self.setAccessibleDescription(
            "Audio, turn-end probability, verdicts, decoder work and replies on one time axis"
        )
        self._playhead = Playhead()
        self.frames = 0
        """How often it was drawn."""
        self._drawn = -1

    def redraw(self) -> None:
        """Draw again if the axis moved or something happened; otherwise cost nothing."""
        moved = self._playhead.advance(self.timeline.now_s, time.monotonic())
        if moved or self.timeline.changes != self._drawn:
            self._drawn = self.timeline.changes
            self.update()

    def lane(self, name: str) -> QRectF:
        """Where a lane is drawn."""
        free = self.height() - _AXIS_PX - _KEY_PX - _GAP_PX * (len(LANES) - 1)
        unit, top = free / sum(LANES.values()), 0.0
        for label, weight in LANES.items():
            height = unit * weight
            if label == name:
                return QRectF(_LABELS_PX, top, self.width() - _LABELS_PX - _RIGHT_PX, height)
            top += height + _GAP_PX
        raise KeyError(name)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw everything."""
        self.frames += 1
        if self.frames == 1:
            self.appeared.emit()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.BACKGROUND)
            now_s = self._playhead.at_s
            axis = Axis(_LABELS_PX, self.width() - _RIGHT_PX, now_s - SPAN_S, now_s)
            self._frame(painter)
            self._ticks(painter, axis)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            work.key(painter, QPointF(axis.left, self.height() - _KEY_PX / 2), axis.right)
            painter.setClipRect(QRectF(axis.left, 0, axis.right - axis.left, self.height()))
            signals.audio(painter, self.lane("audio"), axis, self.timeline)
            signals.turn_end(painter, self.lane("turn end"), axis, self.timeline)
            self._marks(painter, axis)
            verdicts.verdicts(painter, self.lane("verdict"), axis, self.timeline)
            work.decoder(painter, self.lane("decoder"), axis, self.timeline)
            work.replies(painter, self.lane("reply"), axis, self.timeline)

    def _frame(self, painter: QPainter) -> None:
        for name in LANES:
            lane = self.lane(name)
            painter.fillRect(lane, theme.PANEL)
            _label(painter, lane.top() + 12, name, theme.font(13))
        small, lane = theme.font(11), self.lane("decoder")
        for name in ("shallow", "deep"):
            _label(painter, work.row(lane, name).center().y(), name, small, theme.MUTED)
        theta = signals.threshold_y(self.lane("turn end"), self.timeline)
        _label(painter, theta, f"start {self.timeline.theta_end:.2f}", small, theme.MUTED)

    def _ticks(self, painter: QPainter, axis: Axis) -> None:
        bottom = self.lane("reply").bottom()
        painter.setFont(theme.font(11))
        first = max(0, int(axis.from_s // _TICK_S) * _TICK_S)
        for tick in range(first, int(axis.to_s) + 1, _TICK_S):
            x = axis.x(tick)
            if x < axis.left:
                continue
            painter.setPen(theme.LINE)
            painter.drawLine(QLineF(x, 0, x, bottom))
            left = min(max(x - 30, axis.left), axis.right - 60)
            painter.setPen(theme.MUTED)
            place = QRectF(left, bottom + 2, 60, _AXIS_PX - 4)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{tick} s")

    def _marks(self, painter: QPainter, axis: Axis) -> None:
        bottom, free = self.lane("reply").bottom(), axis.right
        painter.setFont(theme.font(11))
        for mark in reversed(self.timeline.marks):
            if mark.at_s < axis.from_s:
                break
            colour, style, words = _MARKS[mark.kind]
            x = axis.x(mark.at_s)
            painter.setPen(QPen(colour, 1.3, style))
            painter.drawLine(QLineF(x, 0, x, bottom))
            if x + 6 + painter.fontMetrics().horizontalAdvance(words) <= free:
                painter.drawText(QPointF(x + 5, 13), words)
            free = x - 4


def _label(
    painter: QPainter, y: float, text: str, font: QFont, colour: QColor = theme.TEXT
) -> None:
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(QRectF(0, y - 10, _LABELS_PX - 10, 20), _RIGHT, text)


_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
