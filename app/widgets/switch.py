"""A switch that says in words how it stands."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from app import theme

_TRACK_PX, _TALL_PX, _KNOB_PX = 36, 18, 7  # at text size 100 %


class Switch(QAbstractButton):
    """Checkable; reads "`name` on" or "`name` off"."""

    def __init__(self, name: str, *, on: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.toggled.connect(self._say)
        self.setChecked(on)
        self._say(on)

    def _say(self, on: bool) -> None:
        self.setText(self._words(on))
        self.setAccessibleName(self.text())

    def _words(self, on: bool) -> str:
        words = self.tr("{name} on") if on else self.tr("{name} off")
        return words.format(name=self._name)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for the longer wording."""
        metrics = self.fontMetrics()
        words = max(metrics.horizontalAdvance(self._words(on)) for on in (True, False))
        return QSize(words + theme.px(_TRACK_PX) + 38, metrics.height() + 16)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw frame, words and track."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            focused = self.hasFocus()
            painter.setPen(QPen(theme.AUDIO if focused else theme.LINE, 2 if focused else 1))
            painter.setBrush(theme.PANEL)
            frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(frame, 8, 8)
            painter.setPen(theme.TEXT if self.isChecked() else theme.MUTED)
            painter.drawText(
                frame.adjusted(12, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.text()
            )
            wide, tall, knob = theme.px(_TRACK_PX), theme.px(_TALL_PX), theme.px(_KNOB_PX)
            left, top = frame.right() - wide - 10, frame.center().y() - tall / 2
            track = QRectF(left, top, wide, tall)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.HIDDEN if self.isChecked() else theme.PENDING)
            painter.drawRoundedRect(track, tall / 2, tall / 2)
            at = track.right() - tall / 2 if self.isChecked() else track.left() + tall / 2
            painter.setBrush(theme.PANEL)
            painter.drawEllipse(QPointF(at, track.center().y()), knob, knob)
