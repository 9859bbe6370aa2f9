"""A level meter with peak hold and a clipping lamp."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app import theme
from engine.events import LevelRead

_FLOOR_DBFS = -60.0
_LAMP_PX = 12.0
_MARKS_DBFS = (-48, -36, -24, -12)


class Meter(QWidget):
    """A bar from -60 to 0 dBFS: RMS, a tick at the held peak, and a lamp for clipping."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(22)
        self.level: LevelRead | None = None
        self.show_level(None)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Wide enough to tell 3 dB apart."""
        return QSize(320, 22)

    def show_level(self, level: LevelRead | None) -> None:
        """Draw a level; None while nothing is heard."""
        self.level = level
        self.setAccessibleName(self.tr("Sound level meter"))
        self.setAccessibleDescription(words(level))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw bar, marks, tick and lamp."""
        level, area = self.level, QRectF(self.rect())
        bar = QRectF(0, 4, area.width() - _LAMP_PX - 10, area.height() - 8)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.LINE)
            painter.drawRoundedRect(bar, 3, 3)
            if level is not None:
                heard = QRectF(bar.left(), bar.top(), bar.width() * _share(level.rms_dbfs), 99)
                painter.setBrush(theme.AUDIO)
                painter.drawRoundedRect(heard.intersected(bar), 3, 3)
                colour = theme.ALERT if level.clipping else theme.TEXT
                at = max(bar.width() * _share(level.held_dbfs) - 2, 0)
                painter.fillRect(QRectF(at, bar.top() - 2, 2, bar.height() + 4), colour)
            for mark in _MARKS_DBFS:
                painter.fillRect(
                    QRectF(bar.width() * _share(mark), bar.top(), 1, bar.height()), theme.BACKGROUND
                )
            painter.setBrush(theme.ALERT if level and level.clipping else theme.LINE)
            top = area.center().y() - _LAMP_PX / 2
            painter.drawEllipse(QRectF(area.right() - _LAMP_PX, top, _LAMP_PX, _LAMP_PX))


def words(level: LevelRead | None) -> str:
    """The meter's reading as a sentence."""
    if level is None:
        return QCoreApplication.translate("Meter", "no sound arrives")
    said = QCoreApplication.translate("Meter", "peak {peak:.0f} dBFS · measured")
    if level.clipping:
        said = QCoreApplication.translate("Meter", "peak {peak:.0f} dBFS · clipping · measured")
    return said.format(peak=level.held_dbfs)


def _share(dbfs: float) -> float:
    return min(max(1.0 - dbfs / _FLOOR_DBFS, 0.0), 1.0)
