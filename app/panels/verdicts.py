"""The lane of verdicts: what kind of answer the turn wants, and what the AND-gate made of it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from app import theme
from app.engine_words import act
from app.panels.axis import Axis
from app.panels.hits import Hits
from engine.history.blocks import Verdict
from engine.history.timeline import Timeline

_GATE_PX = 31.0  # the gate's symbol with its margins
_END_PX = 9.0


def verdicts(painter: QPainter, lane: QRectF, axis: Axis, timeline: Timeline, hits: Hits) -> None:
    """One chip a pause, beginning at its onset, as wide as the next one allows."""
    painter.setFont(theme.font(12, bold=True))
    right, newest = axis.right, True
    for verdict in reversed(timeline.verdicts):
        left = axis.x(verdict.start_s)
        if left > axis.right:
            continue
        room = axis.right - axis.left if newest else right - left
        text = _text(painter, verdict, room)
        width = _GATE_PX + (painter.fontMetrics().horizontalAdvance(text) + _END_PX if text else 0)
        if newest:  # leans on the right edge until there is room for it after its onset
            left, newest = min(left, axis.right - width), False
        if left + width < axis.left:
            break
        if width <= right - left:
            height = min(max(painter.fontMetrics().height() + 12.0, 28.0), lane.height())
            chip = QRectF(left, lane.center().y() - height / 2, width, height)
            _chip(painter, chip, verdict, text)
            hits.append((chip, verdict))
            right = left - 3


def _text(painter: QPainter, verdict: Verdict, room: float) -> str:
    """The longest wording that fits."""
    deep = f"{verdict.p_deep:.2f}"
    whole = QCoreApplication.translate("Verdicts", "{act} · deep {p}")
    for text in (whole.format(act=act(verdict.act), p=deep), act(verdict.act), deep):
        if painter.fontMetrics().horizontalAdvance(text) + _GATE_PX + _END_PX <= room:
            return text
    return ""


def _chip(painter: QPainter, chip: QRectF, verdict: Verdict, text: str) -> None:
    ink = theme.INK if verdict.triggered else theme.TEXT
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.HIDDEN if verdict.triggered else theme.RAISED)
    painter.drawRoundedRect(chip, 6, 6)
    gate(painter, QPointF(chip.left() + 6, chip.center().y()), verdict)
    painter.setPen(ink)
    painter.drawText(chip.adjusted(_GATE_PX, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)


def gate(painter: QPainter, at: QPointF, verdict: Verdict) -> None:
    """An AND-gate: upper input "turn ends", lower input "deep", lit where true."""
    on = theme.INK if verdict.triggered else theme.TEXT
    off = theme.PENDING
    x, y = at.x(), at.y()
    for dy, lit in ((-4.0, verdict.ended), (4.0, verdict.deep)):
        painter.setPen(QPen(on if lit else off, 1.4))
        painter.drawLine(QLineF(x + 3, y + dy, x + 8, y + dy))
        painter.setBrush(on if lit else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(x + 1.5, y + dy), 2.2, 2.2)
    body = QPainterPath(QPointF(x + 8, y - 7.5))
    body.lineTo(x + 13, y - 7.5)
    body.arcTo(QRectF(x + 5.5, y - 7.5, 15, 15), 90, -180)
    body.lineTo(x + 8, y + 7.5)
    body.closeSubpath()
    painter.setPen(QPen(on if verdict.triggered else off, 1.4))
    painter.setBrush(on if verdict.triggered else Qt.BrushStyle.NoBrush)
    painter.drawPath(body)
