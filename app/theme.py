"""Colours and type. The palette keeps hidden, visible and wasted apart for every kind of colour
vision (after Okabe and Ito), and wasted work is hatched besides."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QApplication

from engine import paths

BACKGROUND = QColor("#0e1116")
PANEL = QColor("#151a21")
RAISED = QColor("#2a323d")
LINE = QColor("#252c36")
TEXT = QColor("#e8ecf1")
MUTED = QColor("#93a0b0")
AUDIO = QColor("#56b4e9")
SPEECH = QColor(86, 180, 233, 28)
SHALLOW = QColor("#8c8cf5")
HIDDEN = QColor("#2ed3a4")
VISIBLE = QColor("#f0a72f")
WASTED = QColor("#d2608f")
PENDING = QColor("#6c7887")
ALERT = QColor("#ff8f6b")

_CHEVRON = (paths.shipped() / "assets" / "icons" / "chevron-down.svg").as_posix()

STYLE = f"""
QWidget {{ color: {TEXT.name()}; }}
QMainWindow, QWidget#page {{ background: {BACKGROUND.name()}; }}
QFrame#bar {{ background: {BACKGROUND.name()}; border-bottom: 1px solid {LINE.name()}; }}
QFrame#side {{ background: {BACKGROUND.name()}; }}
QLabel#heading {{ color: {MUTED.name()}; font-weight: 600; letter-spacing: 1px; }}
QLabel#muted {{ color: {MUTED.name()}; }}
QPushButton, QComboBox {{
    background: {PANEL.name()}; border: 1px solid {LINE.name()}; border-radius: 8px;
    padding: 6px 12px; min-height: 18px;
}}
QPushButton:hover, QComboBox:hover {{ border-color: {MUTED.name()}; }}
QPushButton:focus, QComboBox:focus, QScrollArea:focus {{ border: 1px solid {AUDIO.name()}; }}
QPushButton:disabled {{ color: {PENDING.name()}; }}
QComboBox::drop-down {{ border: 0; width: 26px; }}
QComboBox::down-arrow {{ image: url("{_CHEVRON}"); width: 12px; height: 12px; }}
QLabel#badge, QPushButton#badge {{
    background: {PANEL.name()}; border: 1px solid {LINE.name()}; border-radius: 13px;
    padding: 4px 11px; color: {MUTED.name()};
}}
QProgressBar {{ background: {LINE.name()}; border: 0; border-radius: 3px; }}
QProgressBar::chunk {{ background: {HIDDEN.name()}; border-radius: 3px; }}
QComboBox QAbstractItemView {{
    background: {PANEL.name()}; selection-background-color: {LINE.name()};
    border: 1px solid {LINE.name()};
}}
QFrame#banner {{ background: #3a2320; border: 1px solid {ALERT.name()}; border-radius: 8px; }}
QFrame#bubble {{
    background: {PANEL.name()}; border-left: 3px solid {AUDIO.name()};
    border-top-right-radius: 10px; border-bottom-right-radius: 10px;
}}
QFrame#reply {{
    background: {PANEL.name()}; border-left: 3px solid {HIDDEN.name()};
    border-top-right-radius: 10px; border-bottom-right-radius: 10px;
}}
QScrollArea {{ background: transparent; border: 0; }}
QScrollArea > QWidget > QWidget {{ background: transparent; }}
QScrollBar:vertical {{ background: transparent; width: 8px; }}
QScrollBar::handle:vertical {{ background: {LINE.name()}; border-radius: 4px; min-height: 24px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; }}
QMenuBar, QMenu {{ background: {BACKGROUND.name()}; }}
QMenuBar::item {{ padding: 3px 10px; border-radius: 4px; background: transparent; }}
QMenuBar::item:selected, QMenu::item:selected {{ background: {RAISED.name()}; }}
QMenu {{ border: 1px solid {LINE.name()}; padding: 4px; }}
QMenu::item {{ padding: 5px 26px 5px 12px; border-radius: 4px; }}
QMenu::item:disabled {{ color: {PENDING.name()}; }}
QMenu::separator {{ height: 1px; margin: 4px 8px; background: {LINE.name()}; }}
QToolTip {{ background: {PANEL.name()}; color: {TEXT.name()}; border: 1px solid {LINE.name()}; }}
"""


def apply(application: QApplication) -> None:
    """Give the application its look."""
    application.setStyle("Fusion")
    font = QFont(["Inter", "Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans"])
    font.setPixelSize(13)
    application.setFont(font)
    palette = QPalette()
    for role, colour in {
        QPalette.ColorRole.Window: BACKGROUND,
        QPalette.ColorRole.Base: PANEL,
        QPalette.ColorRole.Button: PANEL,
        QPalette.ColorRole.Text: TEXT,
        QPalette.ColorRole.WindowText: TEXT,
        QPalette.ColorRole.ButtonText: TEXT,
        QPalette.ColorRole.Highlight: AUDIO,
    }.items():
        palette.setColor(role, colour)
    application.setPalette(palette)
    application.setStyleSheet(STYLE)


def font(pixels: int, *, bold: bool = False) -> QFont:
    """The application's font in another size."""
    result = QFont(QApplication.font())
    result.setPixelSize(pixels)
    result.setBold(bold)
    return result


def dot(colour: QColor) -> QIcon:
    """A filled circle of this colour, a line of text high."""
    pixmap = QPixmap(10, 10)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(1, 1, 8, 8)
    return QIcon(pixmap)


def hatched(colour: QColor) -> QBrush:
    """A hatching that tells a block apart without its colour."""
    return QBrush(colour, Qt.BrushStyle.BDiagPattern)
