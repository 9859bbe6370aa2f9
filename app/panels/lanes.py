"""The profiler's picture: five lanes, turns, marks and ticks on one time axis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import zip_longest

from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from app import theme
from app.panels import pauses, signals, verdicts, work
from app.panels.axis import Axis
from app.panels.hits import Hits
from app.phrases import QT_TRANSLATE_NOOP
from engine.history.blocks import Block, MarkKind
from engine.history.timeline import Timeline

LANES = {"audio": 5, "turn end": 4, "verdict": 2, "decoder": 5, "reply": 2}
"""Lanes from top to bottom with their share of the height."""

PROJECTED = {"audio": 5, "decoder": 6, "reply": 2}
"""What is seen from the back row."""

_NAMES = {
    "audio": QT_TRANSLATE_NOOP("Lanes", "audio"),
    "turn end": QT_TRANSLATE_NOOP("Lanes", "turn end"),
    "verdict": QT_TRANSLATE_NOOP("Lanes", "verdict"),
    "decoder": QT_TRANSLATE_NOOP("Lanes", "decoder"),
    "reply": QT_TRANSLATE_NOOP("Lanes", "reply"),
    "shallow": QT_TRANSLATE_NOOP("Lanes", "shallow"),
    "deep": QT_TRANSLATE_NOOP("Lanes", "deep"),
    "turn": QT_TRANSLATE_NOOP("Lanes", "turn"),
}
_ABOUT = {
    "audio": QT_TRANSLATE_NOOP("Lanes", "what is heard, shaded where somebody speaks"),
    "turn end": QT_TRANSLATE_NOOP("Lanes", "is your turn over? Above the line, work may start"),
    "verdict": QT_TRANSLATE_NOOP("Lanes", "what you said, and whether the answer needs depth"),
    "decoder": QT_TRANSLATE_NOOP(
        "Lanes", "the work for the answer: hidden in your pause, waited for, or thrown away"
    ),
    "reply": QT_TRANSLATE_NOOP("Lanes", "the answer, once your turn is over"),
}
# At text size 100 %.
_LABELS_PX = 86
_AXIS_PX = 22
_TURNS_PX = 17
_KEY_PX = 24

_RIGHT_PX = 14
_GAP_PX = 7
_TICK_PX = 90.0  # at least this far apart
_TICKS_S = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_VEIL = 110  # of 255, over what is not selected
_MARKS = {
    MarkKind.TRIGGER: (
        theme.TEXT,
        Qt.PenStyle.DotLine,
        QT_TRANSLATE_NOOP("Lanes", "deep starts"),
    ),
    MarkKind.DISCARD: (
        theme.WASTED,
        Qt.PenStyle.DashLine,
        QT_TRANSLATE_NOOP("Lanes", "you went on"),
    ),
    MarkKind.COMMIT: (
        theme.HIDDEN,
        Qt.PenStyle.SolidLine,
        QT_TRANSLATE_NOOP("Lanes", "turn over"),
    ),
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
    projected: bool = False
    """For the back row: few lanes, and pauses as bands through them."""

    @property
    def lanes(self) -> dict[str, int]:
        """The lanes it has."""
        return PROJECTED if self.projected else LANES

    @property
    def axis(self) -> Axis:
        """The time axis of all lanes."""
        return Axis(theme.px(_LABELS_PX), self.area.right() - _RIGHT_PX, self.from_s, self.to_s)

    def lane(self, name: str) -> QRectF:
        """Where a lane is drawn."""
        below = theme.px(_TURNS_PX) + theme.px(_AXIS_PX) + theme.px(_KEY_PX)
        free = self.area.height() - below - _GAP_PX * (len(self.lanes) - 1)
        unit, top = free / sum(self.lanes.values()), 0.0
        for label, weight in self.lanes.items():
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
        return QRectF(lane.left(), lane.bottom() + 3, lane.width(), theme.px(_TURNS_PX) - 3)

    def draw(self, painter: QPainter) -> Hits:
        """Draw everything and tell where the blocks are."""
        axis, hits = self.axis, Hits()
        self._frame(painter)
        if not self.timeline.now_s and not self.projected:
            self._about(painter)
        self._ticks(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        key = QPointF(axis.left, self.area.bottom() - theme.px(_KEY_PX) / 2)
        work.key(painter, key, axis.right)
        painter.setClipRect(QRectF(axis.left, 0, axis.right - axis.left, self.area.height()))
        if self.projected:
            through = self.lane("audio").united(self.lane("decoder"))
            pauses.pauses(painter, through, axis, self.timeline)
        signals.audio(painter, self.lane("audio"), axis, self.timeline)
        if "turn end" in self.lanes:
            signals.turn_end(painter, self.lane("turn end"), axis, self.timeline)
        self._marks(painter, hits)
        if "verdict" in self.lanes:
            verdicts.verdicts(painter, self.lane("verdict"), axis, self.timeline, hits)
        size_px = 16 if self.projected else 11
        work.decoder(painter, self.lane("decoder"), axis, self.timeline, hits, size_px)
        work.replies(painter, self.lane("reply"), axis, self.timeline, hits)
        self._flags(painter)
        self._turns(painter)
        self._outline(painter, hits)
        return hits

    def _frame(self, painter: QPainter) -> None:
        for name in self.lanes:
            lane = self.lane(name)
            painter.fillRect(lane, theme.PANEL)
            _label(painter, lane.top() + theme.px(10), _text(_NAMES[name]), theme.font(13))
        small, lane = theme.font(11), self.lane("decoder")
        below = lane.top() + theme.px(25)  # the lane's own name
        for name in ("shallow", "deep"):
            middle = max(work.row(lane, name).center().y(), below)
            _label(painter, middle, _text(_NAMES[name]), small, theme.MUTED)
        _label(painter, self.turns.center().y(), _text(_NAMES["turn"]), small, theme.MUTED)
        if "turn end" not in self.lanes:
            return
        theta = signals.threshold_y(self.lane("turn end"), self.timeline)
        start = QCoreApplication.translate("Lanes", "start {theta:.2f}")
        _label(painter, theta, start.format(theta=self.timeline.theta_end), small, theme.MUTED)

    def _about(self, painter: QPainter) -> None:
        """What each lane will show, as long as nothing was heard."""
        painter.setFont(theme.font(12))
        painter.setPen(theme.MUTED)
        flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
        for name, words in _ABOUT.items():
            place = self.lane(name).adjusted(8, 0, -8, 0)
            if name == "turn end":
                place.setBottom(signals.threshold_y(place, self.timeline))
            if painter.boundingRect(place, flags, _text(words)).height() <= place.height():
                painter.drawText(place, flags, _text(words))

    def _ticks(self, painter: QPainter) -> None:
        axis, bottom = self.axis, self.turns.bottom()
        painter.setFont(theme.font(11))
        fitting = (step for step in _TICKS_S if step * axis.px_per_s >= theme.px(_TICK_PX))
        half = theme.px(30)
        step = next(fitting, _TICKS_S[-1])
        for i in range(max(0, math.ceil(axis.from_s / step)), math.floor(axis.to_s / step) + 1):
            x = axis.x(i * step)
            painter.setPen(theme.LINE)
            painter.drawLine(QLineF(x, 0, x, bottom))
            left = min(max(x - half, axis.left), axis.right - 2 * half)
            painter.setPen(theme.MUTED)
            place = QRectF(left, bottom + 2, 2 * half, theme.px(_AXIS_PX) - 4)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{round(i * step, 1):g} s")

    def _marks(self, painter: QPainter, hits: Hits) -> None:
        """A line through all lanes at every mark in view; words where they have room."""
        axis, bottom = self.axis, self.lane("reply").bottom()
        free = axis.right
        painter.setFont(theme.font(11))
        for mark in reversed(self.timeline.marks):
            if not axis.from_s <= mark.at_s <= axis.to_s:
                continue
            colour, style, meaning = _MARKS[mark.kind]
            words = _text(meaning)
            x = axis.x(mark.at_s)
            painter.setPen(QPen(colour, 1.3, style))
            painter.drawLine(QLineF(x, 0, x, bottom))
            if x + 6 + painter.fontMetrics().horizontalAdvance(words) <= free:
                painter.drawText(QPointF(x + 5, theme.px(13)), words)
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
                for name in self.lanes:
                    top = self.lane(name).top()
                    corners = [QPointF(x - 4, top), QPointF(x + 4, top), QPointF(x, top + 6)]
                    painter.drawPolygon(QPolygonF(corners))

    def _turns(self, painter: QPainter) -> None:
        axis, strip = self.axis, self.turns
        painter.setFont(theme.font(11))
        turns = list(self.timeline.turns)
        for turn, later in zip_longest(turns, turns[1:]):
            if turn.end_s < axis.from_s or turn.start_s > axis.to_s:
                continue
            left, width = axis.span(turn.start_s, turn.end_s)
            chosen = turn.number == self.turn
            place = QRectF(left, strip.top(), width, strip.height())
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.AUDIO if chosen else theme.RAISED)
            painter.drawRoundedRect(place, 3, 3)
            # Only as far as the next turn, which begins while this one is answered, covers it.
            ends_s = turn.end_s if later is None else min(turn.end_s, later.start_s)
            place.setLeft(max(left, axis.left))
            place.setRight(min(axis.x(ends_s), axis.right))
            words = QCoreApplication.translate("Lanes", "turn {n}").format(n=turn.number)
            if painter.fontMetrics().horizontalAdvance(words) + 6 > place.width():
                words = str(turn.number)
            if painter.fontMetrics().horizontalAdvance(words) + 4 <= place.width():
                painter.setPen(theme.BACKGROUND if chosen else theme.TEXT)
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)
            if chosen:
                bottom = self.lane("reply").bottom()
                before = QRectF(axis.left, 0, max(axis.x(turn.start_s) - axis.left, 0), bottom)
                end = min(axis.x(turn.end_s), axis.right)
                veil = theme.faint(theme.BACKGROUND, _VEIL)
                painter.fillRect(before, veil)
                painter.fillRect(QRectF(end, 0, axis.right - end, bottom), veil)

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
    half = painter.fontMetrics().height() / 2
    painter.drawText(QRectF(0, y - half, theme.px(_LABELS_PX) - 10, 2 * half), _RIGHT, text)


def _text(words: str) -> str:
    return QCoreApplication.translate("Lanes", words)
