"""Colours and type, in three palettes and at any size of text.

Every role is one `QColor` for the life of the process; `apply` changes its value, so whoever holds
it paints with the palette in force. The palettes keep hidden, visible and wasted apart for every
kind of colour vision (after Okabe and Ito), and wasted work is hatched besides.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPixmap,
)
from PySide6.QtWidgets import QApplication, QWidget

from engine import paths
from engine.settings import AppearanceSettings

PALETTES = ("dark", "light", "high-contrast")

_FONT_PX = 13
_OWN_PX = "own_px"
_ICONS = (paths.shipped() / "assets" / "icons").as_posix()
_VALUES: list[tuple[QColor, tuple[str, ...]]] = []
_scale = 1.0


def _role(*values: str) -> QColor:
    """A colour with its values, #rrggbb or #aarrggbb, in the order of `PALETTES`."""
    colour = QColor(values[0])
    _VALUES.append((colour, values))
    return colour


BACKGROUND = _role("#0e1116", "#f4f6f8", "#000000")
PANEL = _role("#151a21", "#ffffff", "#000000")
RAISED = _role("#2a323d", "#dde3ea", "#262626")
LINE = _role("#252c36", "#c9d1da", "#8c8c8c")
TEXT = _role("#e8ecf1", "#14181d", "#ffffff")
MUTED = _role("#93a0b0", "#4d5967", "#e0e0e0")
AUDIO = _role("#56b4e9", "#0068a3", "#6cc5ff")
SPEECH = _role("#1c56b4e9", "#240068a3", "#406cc5ff")
SHALLOW = _role("#a3b1f7", "#6f4fcf", "#8095ff")
HIDDEN = _role("#43d77c", "#006b3f", "#55f28f")
VISIBLE = _role("#f0ba2f", "#955400", "#ffcb33")
WASTED = _role("#d2608f", "#c9307f", "#ff5c9f")
PENDING = _role("#8390a1", "#5d6977", "#bdbdbd")
ALERT = _role("#ff8f6b", "#b23c00", "#ffa082")
ALERT_FIELD = _role("#3a2320", "#fdebe3", "#000000")
INK = _role("#06140f", "#ffffff", "#000000")
"""Words on a field of one of the bright colours."""

_TONES = {
    "text": TEXT,
    "muted": MUTED,
    "audio": AUDIO,
    "shallow": SHALLOW,
    "hidden": HIDDEN,
    "visible": VISIBLE,
    "wasted": WASTED,
    "pending": PENDING,
    "alert": ALERT,
}


def apply(application: QApplication, appearance: AppearanceSettings | None = None) -> None:
    """Give the application its look; also while its windows are open."""
    global _scale  # noqa: PLW0603 - painters ask for the size in force wherever they draw
    chosen = appearance or AppearanceSettings()
    _wear(palette_for(chosen.colours))
    for widget in application.allWidgets():
        _note_font(widget)
    _scale = chosen.text_percent / 100
    if application.style().name() != "fusion":
        application.setStyle("Fusion")
    words = QFont(["Inter", "Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans"])
    words.setPixelSize(px(_FONT_PX))
    palette, style = _palette(), _style()
    # Each of these dresses every widget anew, which takes a tenth of a second and more.
    if application.font() != words:
        application.setFont(words)
    if application.palette() != palette:
        application.setPalette(palette)
    if application.styleSheet() != style:
        application.setStyleSheet(style)
    for widget in application.allWidgets():
        _resize_font(widget)
        widget.updateGeometry()
        widget.update()


def palette_for(choice: str) -> str:
    """The palette of a setting: itself, or what the desktop wants."""
    if choice != "system":
        return choice
    hints = QGuiApplication.styleHints()
    if hasattr(hints, "accessibility"):  # since Qt 6.10
        wish = hints.accessibility().contrastPreference()
        if wish == Qt.ContrastPreference.HighContrast:
            return "high-contrast"
    return "light" if hints.colorScheme() == Qt.ColorScheme.Light else "dark"


def px(pixels: float) -> int:
    """A length at text size 100 % as it is at the size in force."""
    return round(pixels * _scale)


def font(pixels: int, *, bold: bool = False) -> QFont:
    """The application's font in another size, given at text size 100 %."""
    result = QFont(QApplication.font())
    result.setPixelSize(px(pixels))
    result.setBold(bold)
    return result


def tone(widget: QWidget, name: str) -> None:
    """Colour a widget's words by a role's name, in every palette; "" takes the colour away."""
    if widget.property("tone") != name:
        assert not name or name in _TONES, name
        words = QFont(widget.font())
        widget.setProperty("tone", name)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        # Qt takes back the font that the widget had before the text size was changed.
        if widget.testAttribute(Qt.WidgetAttribute.WA_SetFont) and widget.font() != words:
            widget.setFont(words)


def faint(colour: QColor, alpha: int) -> QColor:
    """A colour let through to `alpha` of 255."""
    return QColor(colour.red(), colour.green(), colour.blue(), alpha)


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


def _wear(name: str) -> None:
    at = PALETTES.index(name)
    for colour, values in _VALUES:
        colour.setRgba(QColor(values[at]).rgba())


def _note_font(widget: QWidget) -> None:
    """Keep the size at 100 % of a font that was set for a widget: a new style sheet forgets it."""
    if widget.testAttribute(Qt.WidgetAttribute.WA_SetFont) and widget.property(_OWN_PX) is None:
        widget.setProperty(_OWN_PX, round(widget.font().pixelSize() / _scale))


def _resize_font(widget: QWidget) -> None:
    """A font that was set for a widget keeps its proportion to the application's."""
    if (own_px := widget.property(_OWN_PX)) is not None:
        words = widget.font()
        words.setPixelSize(px(own_px))
        widget.setFont(words)


def _palette() -> QPalette:
    palette, roles = QPalette(), QPalette.ColorRole
    for role, colour in {
        roles.Window: BACKGROUND,
        roles.Base: PANEL,
        roles.AlternateBase: RAISED,
        roles.Button: PANEL,
        roles.Text: TEXT,
        roles.WindowText: TEXT,
        roles.ButtonText: TEXT,
        roles.PlaceholderText: MUTED,
        roles.ToolTipBase: PANEL,
        roles.ToolTipText: TEXT,
        roles.Highlight: AUDIO,
        roles.HighlightedText: INK,
        roles.Link: AUDIO,
    }.items():
        palette.setColor(role, colour)
    for role in (roles.Text, roles.WindowText, roles.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, PENDING)
    return palette


def _style() -> str:
    tick = "check-light.svg" if INK.lightness() > 128 else "check-dark.svg"
    tones = "\n".join(
        f'*[tone="{name}"] {{ color: {colour.name()}; }}' for name, colour in _TONES.items()
    )
    return f"""
QWidget {{ color: {TEXT.name()}; }}
QWidget:disabled {{ color: {PENDING.name()}; }}
QMainWindow, QWidget#page {{ background: {BACKGROUND.name()}; }}
QFrame#side {{ background: {BACKGROUND.name()}; }}
QFrame#rule {{ background: {LINE.name()}; border: 0; }}
QLabel#heading {{ color: {MUTED.name()}; font-weight: 600; letter-spacing: 1px; }}
QLabel#muted {{ color: {MUTED.name()}; }}
QPushButton, QComboBox {{
    background: {PANEL.name()}; border: 1px solid {LINE.name()}; border-radius: 8px;
    padding: 6px 12px; min-height: 18px;
}}
QPushButton:hover, QComboBox:hover {{ border-color: {MUTED.name()}; }}
QPushButton:disabled, QComboBox:disabled {{ color: {PENDING.name()}; }}
QPushButton:checked {{ color: {ALERT.name()}; border-color: {ALERT.name()}; }}
QPushButton:focus, QComboBox:focus, QScrollArea:focus, QAbstractItemView:focus {{
    border: 2px solid {AUDIO.name()};
}}
QPushButton:focus, QComboBox:focus {{ padding: 5px 11px; }}
QLineEdit, QPlainTextEdit, QAbstractSpinBox {{
    background: {PANEL.name()}; border: 1px solid {LINE.name()}; border-radius: 6px;
    padding: 5px 8px; selection-background-color: {AUDIO.name()}; selection-color: {INK.name()};
}}
QLineEdit:focus, QPlainTextEdit:focus, QAbstractSpinBox:focus {{
    border: 2px solid {AUDIO.name()}; padding: 4px 7px;
}}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ width: {px(22)}px; border: 0; }}
QAbstractSpinBox::up-arrow {{ image: url("{_ICONS}/chevron-up.svg"); width: {px(10)}px; }}
QAbstractSpinBox::down-arrow {{ image: url("{_ICONS}/chevron-down.svg"); width: {px(10)}px; }}
QAbstractSpinBox QLineEdit, QAbstractSpinBox QLineEdit:focus {{
    background: transparent; border: 0; padding: 0 6px;
}}
QSlider {{ min-height: {px(20)}px; }}
QSlider, QCheckBox, QRadioButton {{ border: 2px solid transparent; border-radius: 6px; }}
QCheckBox, QRadioButton {{ padding: 2px; spacing: 8px; }}
QCheckBox::indicator {{
    width: {px(13)}px; height: {px(13)}px; border: 1px solid {MUTED.name()}; border-radius: 3px;
    background: {PANEL.name()};
}}
QCheckBox::indicator:checked {{
    background: {AUDIO.name()}; border-color: {AUDIO.name()}; image: url("{_ICONS}/{tick}");
}}
QCheckBox::indicator:disabled {{ border-color: {LINE.name()}; }}
QSlider:focus, QCheckBox:focus, QRadioButton:focus {{ border-color: {AUDIO.name()}; }}
QGroupBox {{ font-weight: 600; }}
QComboBox::drop-down {{ border: 0; width: {px(26)}px; }}
QComboBox::down-arrow {{
    image: url("{_ICONS}/chevron-down.svg"); width: {px(12)}px; height: {px(12)}px;
}}
QLabel#badge, QPushButton#badge {{
    background: {PANEL.name()}; border: 1px solid {LINE.name()}; border-radius: 13px;
    padding: 4px 11px; color: {MUTED.name()};
}}
QPushButton#badge:focus {{ border: 2px solid {AUDIO.name()}; padding: 3px 10px; }}
QProgressBar {{ background: {LINE.name()}; border: 0; border-radius: 3px; }}
QProgressBar::chunk {{ background: {HIDDEN.name()}; border-radius: 3px; }}
QComboBox QAbstractItemView {{
    background: {PANEL.name()}; border: 1px solid {LINE.name()};
    selection-background-color: {RAISED.name()}; selection-color: {TEXT.name()};
}}
QFrame#banner {{
    background: {ALERT_FIELD.name()}; border: 1px solid {ALERT.name()}; border-radius: 8px;
}}
QFrame#notice {{
    background: {PANEL.name()}; border: 1px solid {AUDIO.name()}; border-radius: 8px;
}}
QFrame#bubble {{
    background: {PANEL.name()}; border-left: 3px solid {AUDIO.name()};
    border-top-right-radius: 10px; border-bottom-right-radius: 10px;
}}
QFrame#reply {{
    background: {PANEL.name()}; border-left: 3px solid {HIDDEN.name()};
    border-top-right-radius: 10px; border-bottom-right-radius: 10px;
}}
QScrollArea {{ background: transparent; border: 2px solid transparent; }}
QScrollArea > QWidget > QWidget {{ background: transparent; }}
QScrollBar:vertical {{ background: transparent; width: 10px; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; }}
QScrollBar::handle {{ background: {PENDING.name()}; border-radius: 4px; }}
QScrollBar::handle:vertical {{ min-height: 24px; }}
QScrollBar::handle:horizontal {{ min-width: 24px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; width: 0; }}
QMenuBar, QMenu {{ background: {BACKGROUND.name()}; }}
QMenuBar::item {{ padding: 3px 10px; border-radius: 4px; background: transparent; }}
QMenuBar::item:selected, QMenu::item:selected {{ background: {RAISED.name()}; }}
QMenu {{ border: 1px solid {LINE.name()}; padding: 4px; }}
QMenu::item {{ padding: 5px 26px 5px 12px; border-radius: 4px; }}
QMenu::item:disabled {{ color: {PENDING.name()}; }}
QMenu::separator {{ height: 1px; margin: 4px 8px; background: {LINE.name()}; }}
QListWidget {{ background: {BACKGROUND.name()}; border: 0; outline: 0; }}
QListWidget::item {{ padding: 5px 8px; border-radius: 6px; color: {TEXT.name()}; }}
QListWidget::item:selected {{ background: {RAISED.name()}; color: {TEXT.name()}; }}
QTableView::item {{ padding: 2px 5px; }}
QTabBar::tab {{ padding: 6px 14px; border: 0; color: {MUTED.name()}; }}
QTabBar::tab:selected {{ color: {TEXT.name()}; border-bottom: 2px solid {AUDIO.name()}; }}
QTabWidget::pane {{ border: 0; border-top: 1px solid {LINE.name()}; }}
QSplitter::handle {{ background: {LINE.name()}; }}
QHeaderView::section {{
    background: {BACKGROUND.name()}; color: {MUTED.name()}; border: 0; padding: 4px 5px;
}}
QToolTip {{ background: {PANEL.name()}; color: {TEXT.name()}; border: 1px solid {LINE.name()}; }}
{tones}
"""
