"""The line below the profiler: a block in words, and whether the view stands still."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from app import theme

HINT = (
    "Wheel zooms, dragging or ←→ scrolls, Space freezes, L goes live. A click or PgUp/PgDn "
    "selects a turn; pointing or ↑↓ explains a block."
)
HEIGHT_PX = 56


class Inspector(QWidget):
    """Words of an explanation, a button that is also the lamp "frozen", and one back to live."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(HEIGHT_PX)
        self.words = QLabel(HINT)
        self.words.setWordWrap(True)
        self.words.setFont(theme.font(12))
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.freeze, self.live = QPushButton(), QPushButton("Live")
        self.freeze.setCheckable(True)
        self.freeze.setMinimumWidth(92)
        self.live.setAccessibleName("Follow the newest moment")
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 14, 4)
        row.setSpacing(8)
        row.addWidget(self.words, 1)
        row.addWidget(self.freeze)
        row.addWidget(self.live)
        self.show_frozen(frozen=False)

    def show_frozen(self, *, frozen: bool) -> None:
        """Light the lamp or not."""
        self.freeze.setChecked(frozen)
        self.freeze.setText("● frozen" if frozen else "Freeze")
        self.freeze.setAccessibleName("The view is frozen" if frozen else "Freeze the view")
        colour = theme.ALERT.name()
        self.freeze.setStyleSheet(f"color: {colour}; border-color: {colour}" if frozen else "")
