"""A switch that says in words how it stands."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from app import theme

_TRACK_PX = 36.0
_KNOB_PX = 7.0


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
        self.setText(f"{self._name} {'on' if on else 'off'}")
        self.setAccessibleName(self.text())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for the longer wording."""
        words = self.fontMetrics().horizontalAdvance(f"{self._name} off")
        return QSize(round(words + _TRACK_PX + 38), 32)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw frame, words and track."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.AUDIO if self.hasFocus() else theme.LINE, 1))
            painter.setBrush(theme.PANEL)
            frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(frame, 8, 8)
            painter.setPen(theme.TEXT if self.isChecked() else theme.MUTED)
            painter.drawText(
                frame.adjusted(12, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.text()
            )
            track = QRectF(frame.right() - _TRACK_PX - 10, frame.center().y() - 9, _TRACK_PX, 18)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.HIDDEN if self.isChecked() else theme.PENDING)
            painter.drawRoundedRect(track, 9, 9)
            at = track.right() - 9 if self.isChecked() else track.left() + 9
            painter.setBrush(QColor("#ffffff"))
            painter.drawEllipse(QPointF(at, track.center().y()), _KNOB_PX, _KNOB_PX)
