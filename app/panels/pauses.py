"""The pauses of a person as bands through the lanes: what lies in one was not waited for."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QPainter

from app import theme
from app.panels.axis import Axis
from engine.history.blocks import MarkKind
from engine.history.timeline import Timeline

_BAND = 80  # of 255
_LONGEST_S = 5.0  # a turn is over before a pause gets as long


def stretches(timeline: Timeline, from_s: float, to_s: float) -> Iterator[tuple[float, float]]:
    """Pauses near a stretch of time, each from the silence's onset until speech goes on, the turn
    is over, or now."""
    ends = [m.at_s for m in timeline.marks if m.kind is not MarkKind.TRIGGER]
    for verdict in timeline.verdicts:
        if not from_s - _LONGEST_S <= verdict.start_s <= to_s:
            continue
        rows = timeline.audio.between(verdict.end_s, timeline.now_s + 1.0)
        spoken = rows[rows[:, 3] > 0, 0]
        until = [at_s for at_s in ends if at_s >= verdict.end_s]
        if len(spoken):
            until.append(float(spoken[0]))
        yield verdict.start_s, min([*until, timeline.now_s])


def pauses(painter: QPainter, area: QRectF, axis: Axis, timeline: Timeline) -> None:
    """A band for each pause in view, with its name where there is room for it."""
    painter.setFont(theme.font(12, bold=True))
    words = QCoreApplication.translate("Lanes", "your pause")
    room = painter.fontMetrics().horizontalAdvance(words) + 8
    for start_s, end_s in stretches(timeline, axis.from_s, axis.to_s):
        if end_s < axis.from_s:
            continue
        left, width = axis.span(start_s, end_s)
        band = QRectF(left, area.top(), width, area.height())
        painter.fillRect(band, theme.faint(theme.HIDDEN, _BAND))
        if width >= room:
            painter.setPen(theme.TEXT)
            place = QRectF(band.left(), band.top(), width, painter.fontMetrics().height() + 6)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)
