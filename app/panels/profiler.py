"""The conversation profiler: five lanes on one time axis, newest at the right."""

from __future__ import annotations

import time
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.timeline import Fate, Mark, MarkKind, Timeline, Verdict, Work

SPAN_S = 12.0
CHUNK_S = 0.032
_LABELS_PX = 78
_RIGHT_PX = 14
_AXIS_PX = 26
_GAP_PX = 10
_LANES = (("audio", 5), ("turn end", 4), ("verdict", 2), ("decoder", 4), ("reply", 2))

COLOURS = {
    Fate.SHALLOW: theme.SHALLOW,
    Fate.PENDING: theme.PENDING,
    Fate.HIDDEN: theme.HIDDEN,
    Fate.VISIBLE: theme.VISIBLE,
    Fate.WASTED: theme.WASTED,
}
_MARKS = {
    MarkKind.TRIGGER: (theme.TEXT, Qt.PenStyle.DotLine),
    MarkKind.DISCARD: (theme.WASTED, Qt.PenStyle.DashLine),
    MarkKind.COMMIT: (theme.HIDDEN, Qt.PenStyle.SolidLine),
}


@dataclass(frozen=True, slots=True)
class _Axis:
    """From seconds to pixels for one frame."""

    left: float
    right: float
    from_s: float
    to_s: float

    def x(self, at_s: float) -> float:
        return self.left + (at_s - self.from_s) / (self.to_s - self.from_s) * (
            self.right - self.left
        )

    def span(self, start_s: float, end_s: float, least: float = 2.0) -> tuple[float, float]:
        """Left edge and width, clipped to the lanes, never thinner than `least` pixels."""
        a, b = max(self.x(start_s), self.left), min(self.x(end_s), self.right)
        return a, max(b - a, least)


class Profiler(QWidget):
    """Draws a `Timeline`."""

    def __init__(self, timeline: Timeline) -> None:
        super().__init__()
        self.timeline = timeline
        self.setMinimumSize(420, 380)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Conversation profiler")
        self.setAccessibleDescription(
            "Audio, turn-end probability, verdicts, decoder work and replies on one time axis"
        )
        self._heard_s, self._heard_at = 0.0, time.monotonic()

    def lane(self, name: str) -> QRectF:
        """Where a lane is drawn."""
        free = self.height() - _AXIS_PX - _GAP_PX * len(_LANES)
        unit = free / sum(weight for _, weight in _LANES)
        top = 0.0
        for label, weight in _LANES:
            height = unit * weight
            if label == name:
                width = self.width() - _LABELS_PX - _RIGHT_PX
                return QRectF(_LABELS_PX, top, width, height)
            top += height + _GAP_PX
        raise KeyError(name)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the newest `SPAN_S` seconds."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.BACKGROUND)
        now_s = self._smooth_now()
        axis = _Axis(_LABELS_PX, self.width() - _RIGHT_PX, now_s - SPAN_S, now_s)
        self._frame(painter, axis)
        painter.setClipRect(QRectF(axis.left, 0, axis.right - axis.left, self.height()))
        self._audio(painter, axis)
        self._turn_end(painter, axis)
        self._marks(painter, axis)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._verdicts(painter, axis)
        self._decoder(painter, axis)
        self._replies(painter, axis)
        painter.end()

    def _smooth_now(self) -> float:
        """Between two chunks of audio the axis moves on with the wall clock."""
        if self.timeline.now_s != self._heard_s:
            self._heard_s, self._heard_at = self.timeline.now_s, time.monotonic()
        return self._heard_s + min(time.monotonic() - self._heard_at, 0.04)

    def _frame(self, painter: QPainter, axis: _Axis) -> None:
        painter.setFont(theme.font(12))
        for name, _ in _LANES:
            lane = self.lane(name)
            painter.fillRect(lane, theme.PANEL)
            painter.setPen(theme.MUTED)
            painter.drawText(QRectF(0, lane.top(), _LABELS_PX - 8, 18), _RIGHT, name)
        lane = self.lane("decoder")
        painter.setFont(theme.font(11))
        for i, name in enumerate(("shallow", "deep")):
            middle = lane.top() + lane.height() * (0.34 + 0.42 * i)
            painter.drawText(QRectF(0, middle - 8, _LABELS_PX - 8, 18), _RIGHT, name)
        bottom = self.height() - _AXIS_PX
        first = int(axis.from_s // 2) * 2
        for tick in range(first, int(axis.to_s) + 1, 2):
            x = axis.x(tick)
            if x < axis.left + 12:
                continue
            painter.setPen(theme.LINE)
            painter.drawLine(QLineF(x, 0, x, bottom - _GAP_PX))
            painter.setPen(theme.MUTED)
            text = f"{tick} s" if tick >= 0 else ""
            painter.drawText(QRectF(x - 30, bottom - 4, 60, 20), Qt.AlignmentFlag.AlignCenter, text)

    def _audio(self, painter: QPainter, axis: _Axis) -> None:
        lane = self.lane("audio")
        middle, half = lane.center().y(), lane.height() / 2 - 4
        lines: list[QLineF] = []
        speech: list[QRectF] = []
        for chunk in reversed(self.timeline.audio):
            if chunk.end_s < axis.from_s:
                break
            x = axis.x(chunk.end_s)
            # Sound is drawn on a compressed scale: quiet speech would vanish on a linear one.
            high = max(chunk.high, 0.0) ** 0.65 * half
            low = max(-chunk.low, 0.0) ** 0.65 * half
            lines.append(QLineF(x, middle - max(high, 0.5), x, middle + max(low, 0.5)))
            if chunk.speech:
                left = axis.x(chunk.end_s - CHUNK_S)
                if speech and speech[-1].left() - x < 0.5:
                    speech[-1].setLeft(left)
                else:
                    speech.append(QRectF(left, lane.top(), x - left, lane.height()))
        for rectangle in speech:
            painter.fillRect(rectangle, theme.SPEECH)
        per_chunk = (axis.right - axis.left) / SPAN_S * CHUNK_S
        painter.setPen(QPen(theme.AUDIO, max(1.0, per_chunk * 0.6)))
        painter.drawLines(lines)

    def _turn_end(self, painter: QPainter, axis: _Axis) -> None:
        lane = self.lane("turn end")
        low, scale = lane.bottom() - 6, lane.height() - 12
        theta = low - self.timeline.theta_end * scale
        painter.setPen(QPen(theme.MUTED, 1, Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(axis.left, theta, axis.right, theta))
        painter.setFont(theme.font(11))
        label = QRectF(axis.left + 6, theta - 17, 140, 16)
        painter.drawText(label, Qt.AlignmentFlag.AlignLeft, f"start {self.timeline.theta_end:.2f}")
        points = []
        for at_s, p_end in reversed(self.timeline.turn_end):
            if at_s < axis.from_s:
                break
            points.append(QPointF(axis.x(at_s), low - p_end * scale))
        painter.setPen(QPen(theme.TEXT, 1.6))
        painter.drawPolyline(QPolygonF(points))

    def _marks(self, painter: QPainter, axis: _Axis) -> None:
        bottom = self.height() - _AXIS_PX - _GAP_PX
        for mark in self._recent(axis):
            colour, style = _MARKS[mark.kind]
            painter.setPen(QPen(colour, 1.2, style))
            x = axis.x(mark.at_s)
            painter.drawLine(QLineF(x, 0, x, bottom))
            if mark.kind is MarkKind.COMMIT:
                painter.setFont(theme.font(11))
                painter.drawText(QPointF(x + 4, 13), "turn over")

    def _recent(self, axis: _Axis) -> list[Mark]:
        return [mark for mark in self.timeline.marks if mark.at_s >= axis.from_s]

    def _verdicts(self, painter: QPainter, axis: _Axis) -> None:
        lane = self.lane("verdict")
        painter.setFont(theme.font(12, bold=True))
        taken = -1.0
        for verdict in self.timeline.verdicts:
            if verdict.at_s < axis.from_s - 2:
                continue
            text = f"{verdict.act}  deep {verdict.p_deep:.2f}"
            width = painter.fontMetrics().horizontalAdvance(text) + 30
            left = max(axis.x(verdict.at_s), taken + 4)
            taken = left + width
            chip = QRectF(left, lane.center().y() - 14, width, 28)
            self._chip(painter, chip, verdict, text)

    def _chip(self, painter: QPainter, chip: QRectF, verdict: Verdict, text: str) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.HIDDEN if verdict.triggered else theme.LINE)
        painter.drawRoundedRect(chip, 6, 6)
        painter.setBrush(QColor("#06231b") if verdict.triggered else theme.PENDING)
        painter.drawEllipse(QPointF(chip.left() + 12, chip.center().y()), 4, 4)
        painter.setPen(QColor("#06231b") if verdict.triggered else theme.TEXT)
        inner = chip.adjusted(22, 0, -4, 0)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _decoder(self, painter: QPainter, axis: _Axis) -> None:
        lane = self.lane("decoder")
        row = lane.height() * 0.34
        shallow, deep = lane.top() + lane.height() * 0.14, lane.top() + lane.height() * 0.56
        for work in self.timeline.work:
            if work.end_s < axis.from_s:
                continue
            left, width = axis.span(work.start_s, work.end_s)
            top = shallow if work.fate is Fate.SHALLOW else deep
            self._block(painter, QRectF(left, top, width, row), work)

    def _block(self, painter: QPainter, block: QRectF, work: Work) -> None:
        colour = COLOURS[work.fate]
        painter.setPen(Qt.PenStyle.NoPen)
        if work.fate is Fate.WASTED:
            painter.setBrush(QColor(colour.red(), colour.green(), colour.blue(), 70))
            painter.drawRoundedRect(block, 3, 3)
            painter.setBrush(theme.hatched(colour))
        else:
            painter.setBrush(colour)
        painter.drawRoundedRect(block, 3, 3)
        words = {Fate.HIDDEN: "hidden", Fate.VISIBLE: "visible", Fate.WASTED: "wasted"}
        if work.fate not in words:
            return
        painter.setFont(theme.font(11, bold=True))
        text = f"{words[work.fate]} {work.ms:.0f} ms"
        if painter.fontMetrics().horizontalAdvance(text) + 8 < block.width():
            painter.setPen(theme.TEXT if work.fate is Fate.WASTED else QColor("#0b1a16"))
            painter.drawText(block, Qt.AlignmentFlag.AlignCenter, text)

    def _replies(self, painter: QPainter, axis: _Axis) -> None:
        lane = self.lane("reply")
        painter.setFont(theme.font(12))
        right = axis.right
        for reply in reversed(self.timeline.replies):
            if right <= axis.left:
                break
            left = max(axis.x(reply.start_s), axis.left)
            room = right - left - 4
            metrics, right = painter.fontMetrics(), left
            if room < 24:
                continue
            words = f"▶ {reply.text.strip()}"
            text = metrics.elidedText(words, Qt.TextElideMode.ElideRight, int(room - 16))
            chip = QRectF(left, lane.center().y() - 14, metrics.horizontalAdvance(text) + 16, 28)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(46, 211, 164, 40))
            painter.drawRoundedRect(chip, 6, 6)
            painter.setPen(theme.HIDDEN)
            painter.drawText(chip.adjusted(8, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)


_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
