"""The profiler's picture: five lanes, turns, marks and ticks on one time axis."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from app import theme
from app.panels import signals, verdicts, work
from app.panels.axis import Axis
from app.panels.hits import Hits
from engine.history.blocks import Block, MarkKind
from engine.history.timeline import Timeline

LANES = {"audio": 5, "turn end": 4, "verdict": 2, "decoder": 5, "reply": 2}
"""Lanes from top to bottom with their share of the height."""

_LABELS_PX = 86
_RIGHT_PX = 14
_AXIS_PX = 22
_TURNS_PX = 17
_KEY_PX = 24
_GAP_PX = 7
_TICK_PX = 90.0  # at least this far apart
_TICKS_S = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_VEIL = QColor(14, 17, 22, 110)
_MARKS = {
    MarkKind.TRIGGER: (theme.TEXT, Qt.PenStyle.DotLine, "deep starts"),
    MarkKind.DISCARD: (theme.WASTED, Qt.PenStyle.DashLine, "you went on"),
    MarkKind.COMMIT: (theme.HIDDEN, Qt.PenStyle.SolidLine, "turn over"),
}


@dataclass(frozen=True, slots=True)
class Picture:
    """One frame of `timeline` in `area`; `turn` is the selected one's number."""

    area: QRectF
    timeline: Timeline
    from_s: float
    to_s: float
    turn: int | None
    explained: Block | None

    @property
    def axis(self) -> Axis:
        """The time axis of all lanes."""
        return Axis(_LABELS_PX, self.area.right() - _RIGHT_PX, self.from_s, self.to_s)

    def lane(self, name: str) -> QRectF:
        """Where a lane is drawn."""
        below = _TURNS_PX + _AXIS_PX + _KEY_PX
        free = self.area.height() - below - _GAP_PX * (len(LANES) - 1)
        unit, top = free / sum(LANES.values()), 0.0
        for label, weight in LANES.items():
            height = unit * weight
            if label == name:
                left, right = self.axis.left, self.axis.right
                return QRectF(left, top, right - left, height)
            top += height + _GAP_PX
        raise KeyError(name)

    @property
    def turns(self) -> QRectF:
        """Where the turns are drawn, below the lanes."""
        lane = self.lane("reply")
        return QRectF(lane.left(), lane.bottom() + 3, lane.width(), _TURNS_PX - 3)

    def draw(self, painter: QPainter) -> Hits:
        """Draw everything and tell where the blocks are."""
        axis, hits = self.axis, Hits()
        self._frame(painter)
        self._ticks(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        key = QPointF(axis.left, self.area.bottom() - _KEY_PX / 2)
        work.key(painter, key, axis.right)
        painter.setClipRect(QRectF(axis.left, 0, axis.right - axis.left, self.area.height()))
        signals.audio(painter, self.lane("audio"), axis, self.timeline)
        signals.turn_end(painter, self.lane("turn end"), axis, self.timeline)
        self._marks(painter, hits)
        verdicts.verdicts(painter, self.lane("verdict"), axis, self.timeline, hits)
        work.decoder(painter, self.lane("decoder"), axis, self.timeline, hits)
        work.replies(painter, self.lane("reply"), axis, self.timeline, hits)
        self._flags(painter)
        self._turns(painter)
        self._outline(painter, hits)
        return hits

    def _frame(self, painter: QPainter) -> None:
        for name in LANES:
            lane = self.lane(name)
            painter.fillRect(lane, theme.PANEL)
            _label(painter, lane.top() + 10, name, theme.font(13))
        small, lane = theme.font(11), self.lane("decoder")
        for name in ("shallow", "deep"):
            _label(painter, work.row(lane, name).center().y(), name, small, theme.MUTED)
        _label(painter, self.turns.center().y(), "turn", small, theme.MUTED)
        theta = signals.threshold_y(self.lane("turn end"), self.timeline)
        _label(painter, theta, f"start {self.timeline.theta_end:.2f}", small, theme.MUTED)

    def _ticks(self, painter: QPainter) -> None:
        axis, bottom = self.axis, self.turns.bottom()
        painter.setFont(theme.font(11))
        fitting = (step for step in _TICKS_S if step * axis.px_per_s >= _TICK_PX)
        step = next(fitting, _TICKS_S[-1])
        for i in range(max(0, math.ceil(axis.from_s / step)), math.floor(axis.to_s / step) + 1):
            x = axis.x(i * step)
            painter.setPen(theme.LINE)
            painter.drawLine(QLineF(x, 0, x, bottom))
            left = min(max(x - 30, axis.left), axis.right - 60)
            painter.setPen(theme.MUTED)
            place = QRectF(left, bottom + 2, 60, _AXIS_PX - 4)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{round(i * step, 1):g} s")

    def _marks(self, painter: QPainter, hits: Hits) -> None:
        """A line through all lanes at every mark in view; words where they have room."""
        axis, bottom = self.axis, self.lane("reply").bottom()
        free = axis.right
        painter.setFont(theme.font(11))
        for mark in reversed(self.timeline.marks):
            if not axis.from_s <= mark.at_s <= axis.to_s:
                continue
            colour, style, words = _MARKS[mark.kind]
            x = axis.x(mark.at_s)
            painter.setPen(QPen(colour, 1.3, style))
            painter.drawLine(QLineF(x, 0, x, bottom))
            if x + 6 + painter.fontMetrics().horizontalAdvance(words) <= free:
                painter.drawText(QPointF(x + 5, 13), words)
            free = x - 4
            hits.append((QRectF(x - 2, 0, 4, bottom), mark))

    def _flags(self, painter: QPainter) -> None:
        """A flag at the top of every lane: blocks may cover a mark's line, never its flag."""
        axis = self.axis
        painter.setPen(Qt.PenStyle.NoPen)
        for mark in self.timeline.marks:
            if axis.from_s <= mark.at_s <= axis.to_s:
                painter.setBrush(_MARKS[mark.kind][0])
                x = axis.x(mark.at_s)
                for name in LANES:
                    top = self.lane(name).top()
                    corners = [QPointF(x - 4, top), QPointF(x + 4, top), QPointF(x, top + 6)]
                    painter.drawPolygon(QPolygonF(corners))

    def _turns(self, painter: QPainter) -> None:
        axis, strip = self.axis, self.turns
        painter.setFont(theme.font(11))
        for turn in self.timeline.turns:
            if turn.end_s < axis.from_s or turn.start_s > axis.to_s:
                continue
            left, width = axis.span(turn.start_s, turn.end_s)
            chosen = turn.number == self.turn
            place = QRectF(left, strip.top(), width, strip.height())
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.AUDIO if chosen else theme.RAISED)
            painter.drawRoundedRect(place, 3, 3)
            words = f"turn {turn.number}"
            if painter.fontMetrics().horizontalAdvance(words) + 6 > width:
                words = str(turn.number)
            if painter.fontMetrics().horizontalAdvance(words) + 4 <= width:
                painter.setPen(theme.BACKGROUND if chosen else theme.TEXT)
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)
            if chosen:
                bottom = self.lane("reply").bottom()
                before = QRectF(axis.left, 0, max(axis.x(turn.start_s) - axis.left, 0), bottom)
                end = min(axis.x(turn.end_s), axis.right)
                painter.fillRect(before, _VEIL)
                painter.fillRect(QRectF(end, 0, axis.right - end, bottom), _VEIL)

    def _outline(self, painter: QPainter, hits: Hits) -> None:
        """A frame around the block that is explained."""
        painter.setPen(QPen(theme.TEXT, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for shape, block in hits:
            if block is self.explained:
                painter.drawRoundedRect(shape.adjusted(-1, -1, 1, 1), 4, 4)


def _label(
    painter: QPainter, y: float, text: str, font: QFont, colour: QColor = theme.TEXT
) -> None:
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(QRectF(0, y - 10, _LABELS_PX - 10, 20), _RIGHT, text)
