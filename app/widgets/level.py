"""How loud it is, and whether sound arrives at all."""

from __future__ import annotations

import math
import time

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app import theme

_FLOOR_DB = -54.0
_FALL_PER_S = 0.9  # share of the scale; peaks must be seen
_SILENT_S = 1.0


class Level(QWidget):
    """A bar from -54 to 0 dBFS; `alive` tells whether audio has arrived within a second."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(92, 8)
        self.setAccessibleName(self.tr("Sound level"))
        self.share = 0.0
        self._drawn = -1.0
        self._heard_at = self._aged_at = float("-inf")

    @property
    def alive(self) -> bool:
        """Does audio arrive?"""
        return time.monotonic() - self._heard_at < _SILENT_S

    def hear(self, peak: float) -> None:
        """Take the largest magnitude of a chunk, 0..1."""
        self._heard_at = time.monotonic()
        if not self.share:
            self._aged_at = self._heard_at
        decibels = 20 * math.log10(max(peak, 1e-6))
        self.share = max(self.share, min(1.0, 1.0 - decibels / _FLOOR_DB))

    def redraw(self) -> None:
        """Let the bar fall with time, and draw it if it is to be seen otherwise."""
        now = time.monotonic()
        passed, self._aged_at = min(now - self._aged_at, 1.0), now
        self.share = max(0.0, self.share - _FALL_PER_S * passed)
        if round(self.share * self.width()) != self._drawn:
            self._drawn = round(self.share * self.width())
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the bar."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            bar = QRectF(self.rect()).adjusted(0, 1, 0, -1)
            painter.setBrush(theme.LINE)
            painter.drawRoundedRect(bar, 3, 3)
            if self.share > 0:
                bar.setWidth(max(6.0, bar.width() * self.share))
                painter.setBrush(theme.AUDIO)
                painter.drawRoundedRect(bar, 3, 3)
