"""The conversation profiler: lanes on one time axis, to scroll, zoom, freeze and inspect."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.explanation import explain, explain_turn
from app.panels import hits
from app.panels.inspector import Inspector
from app.panels.lanes import Picture
from app.playhead import Playhead
from app.view import View
from engine.history.blocks import Block, Turn
from engine.history.timeline import Timeline

_STEP = 0.1  # of the view, an arrow key
_ZOOM = 0.8  # a notch of the wheel, a key
_NOTCH = 120.0  # Qt's unit for a notch of a wheel


class Profiler(QWidget):
    """Draws a stretch of a `Timeline`; `appeared` tells of the first time.

    Keys: Ctrl+plus and minus zoom, left and right scroll, Home and End, L follows the newest
    moment, Space freezes, up and down go from block to block, Enter selects the block's turn,
    PageUp and PageDown the previous and the next turn, Escape lets go.
    `projected` is the picture for the back row, which explains nothing and takes no keys.
    """

    appeared = Signal()

    def __init__(self, timeline: Timeline, *, projected: bool = False) -> None:
        super().__init__()
        self.timeline, self.view, self._projected = timeline, View(), projected
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Conversation profiler"))
        self.inspector = Inspector()
        about = self.tr(
            "Audio, turn-end probability, verdicts, decoder work and replies on one time axis."
        )
        self.setAccessibleDescription(f"{about} {self.inspector.hint}")
        self.inspector.freeze.clicked.connect(self._toggle)
        self.inspector.live.clicked.connect(self._follow)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addStretch(1)
        column.addWidget(self.inspector)
        if projected:
            self.inspector.hide()
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._playhead = Playhead()
        self.frames = 0
        """How often it was drawn."""
        self._drawn = -1
        self._opening = timeline.openings
        self._hits: hits.Hits = []
        self._pointer: QPointF | None = None
        self._pressed_x: float | None = None
        self._dragging = False
        self._focused: Block | None = None
        self.explained: Block | None = None
        """The block under the pointer, else the one that keys went to."""
        self.turn: int | None = None
        """Number of the selected turn."""

    def redraw(self) -> None:
        """Draw again if the axis moved or something happened; otherwise cost nothing."""
        moved = self._playhead.advance(self.timeline.now_s, time.monotonic())
        if self.timeline.openings != self._opening:
            self._opening = self.timeline.openings
            self._let_go()
            self._follow()
        self.view.bound(self.timeline.oldest_s, self._playhead.at_s)
        # A frozen view changes only by what is decided about its past.
        news = self.timeline.decisions if self.view.frozen else self.timeline.changes
        if (moved and not self.view.frozen) or news != self._drawn:
            self._drawn = news
            self._explain()
            self.update()

    def lane(self, name: str) -> QRectF:
        """Where a lane is drawn."""
        return self._picture().lane(name)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Lanes in which words can be read."""
        return QSize(theme.px(420), theme.px(200 if self._projected else 400))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw everything."""
        self.frames += 1
        if self.frames == 1:
            self.appeared.emit()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.BACKGROUND)
            picture = self._picture()
            self._hits = picture.draw(painter)
            if self.hasFocus():
                painter.setClipping(False)
                painter.setPen(QPen(theme.AUDIO, 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def _picture(self) -> Picture:
        below = 0 if self._projected else self.inspector.sizeHint().height()
        area, view = QRectF(0, 0, self.width(), self.height() - below), self.view
        seen = area, self.timeline, view.from_s, view.to_s
        return Picture(*seen, self.turn, self.explained, self._projected)

    # What pointer and keys do ---------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Zoom around the pointer; sideways, or with Shift, scroll."""
        notches = event.angleDelta().y() / _NOTCH
        sideways = event.angleDelta().x() / _NOTCH
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            notches, sideways = 0.0, notches + sideways
        if notches:
            axis = self._picture().axis
            at_x = min(max(event.position().x(), axis.left), axis.right)
            self.view.zoom(_ZOOM**notches, axis.seconds(at_x))
        if sideways:
            self.view.scroll(-sideways * _STEP * self.view.span_s)
        self._moved()
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """A click or a drag begins."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_x, self._dragging = event.position().x(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Scroll while dragging, explain what is pointed at otherwise."""
        self._pointer = event.position()
        if self._pressed_x is not None:
            moved_px = self._pointer.x() - self._pressed_x
            if self._dragging or abs(moved_px) >= QApplication.startDragDistance():
                self._dragging, self._pressed_x = True, self._pointer.x()
                self.view.scroll(-moved_px / self._picture().axis.px_per_s)
                self._moved()
        self._explain()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """A click selects the turn of the block, else the one at that moment."""
        if self._pressed_x is None:
            return
        self._pressed_x = None
        if self._dragging:
            return
        point, axis = event.position(), self._picture().axis
        if not axis.left <= point.x() <= axis.right or point.y() > self._picture().turns.bottom():
            return
        block = hits.at(point, self._hits)
        self._focused = block
        found = None if block is None else self.timeline.turn(block.turn)
        self._select(found or self.timeline.turn_at(axis.seconds(point.x())))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Nothing is pointed at any more."""
        self._pointer = None
        self._explain()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """See the class."""
        keys, view = Qt.Key, self.view
        zooming = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        match event.key():
            case keys.Key_Plus | keys.Key_Equal if zooming:
                view.zoom(_ZOOM)
            case keys.Key_Minus if zooming:
                view.zoom(1 / _ZOOM)
            case keys.Key_Left | keys.Key_Right as key:
                view.scroll((_STEP if key == keys.Key_Right else -_STEP) * view.span_s)
            case keys.Key_Home:
                view.oldest()
            case keys.Key_End | keys.Key_L:
                self._follow()
            case keys.Key_Space:
                self._toggle()
            case keys.Key_Up | keys.Key_Down as key:
                self._go(1 if key == keys.Key_Down else -1)
            case keys.Key_PageUp | keys.Key_PageDown as key:
                self._turn_over(1 if key == keys.Key_PageDown else -1)
            case keys.Key_Return | keys.Key_Enter:
                self._select(self._turn_in_mind())
            case keys.Key_Escape:
                self._let_go()
            case _:
                super().keyPressEvent(event)
                return
        self._moved()

    # What they lead to ----------------------------------------------------------------------

    def _follow(self) -> None:
        self.view.follow()
        self._moved()

    def _toggle(self) -> None:
        if self.view.frozen:
            self.view.follow()
        else:
            self.view.freeze()
        self._moved()

    def _let_go(self) -> None:
        self.turn = self._focused = None
        self._moved()

    def _turn_in_mind(self) -> Turn | None:
        """That of the explained block, else the newest one in view."""
        if self.explained is not None:
            return self.timeline.turn(self.explained.turn)
        view = self.view
        seen = (
            turn
            for turn in reversed(self.timeline.turns)
            if turn.start_s <= view.to_s and turn.end_s >= view.from_s
        )
        return next(seen, None)

    def _turn_over(self, step: int) -> None:
        """Select the next or the previous turn; without a selection, the newest one in view."""
        turns = list(self.timeline.turns)
        at = next((i for i, turn in enumerate(turns) if turn.number == self.turn), None)
        if at is None:
            self._select(self._turn_in_mind())
        elif 0 <= at + step < len(turns):
            self._focused = None
            self._select(turns[at + step])

    def _select(self, turn: Turn | None) -> None:
        self.turn = None if turn is None else turn.number
        if turn is not None:
            self.view.fit(turn.start_s, turn.end_s)
        self._moved()
        self._announce()

    def _go(self, step: int) -> None:
        """Explain the next or the previous block in time; without one, the first in view."""
        blocks = self.timeline.blocks()
        at = next((i for i, block in enumerate(blocks) if block is self._focused), None)
        if at is None:
            seen = [b for b in blocks if self.view.from_s <= b.start_s <= self.view.to_s]
            found = seen[0 if step > 0 else -1] if seen else None
        else:
            found = blocks[min(max(at + step, 0), len(blocks) - 1)]
        if found is not None:
            self._focused, self._pointer = found, None
            self.view.reveal(found.start_s, found.end_s)
            self._moved()
            self._announce()

    def _moved(self) -> None:
        self.inspector.show_frozen(frozen=self.view.frozen)
        self._explain()
        self.update()

    def _explain(self) -> None:
        """Say what is pointed at, else what keys went to, else what is selected."""
        pointed = None if self._pointer is None else hits.at(self._pointer, self._hits)
        before, self.explained = self.explained, pointed or self._focused
        turn = None if self.turn is None else self.timeline.turn(self.turn)
        if self.explained is not None:
            words = explain(self.explained, self.timeline)
        else:
            words = self.inspector.hint if turn is None else explain_turn(turn)
        if words != self.inspector.words.text():
            self.inspector.words.setText(words)
            self.setAccessibleDescription(words)
        if self.explained is not before:
            self.update()

    def _announce(self) -> None:
        """Have a screen reader say what a key or a click led to."""
        QAccessible.updateAccessibility(
            QAccessibleAnnouncementEvent(self, self.inspector.words.text())
        )
