"""What the trial's pages are made of: large words, and a column of parts."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app import theme


def large(text: str, size: int) -> QLabel:
    """Words in `size` pixels at text size 100 %."""
    label = QLabel(text)
    label.setFont(theme.font(size, bold=size > 24))
    label.setWordWrap(True)
    return label


def page(*parts: QWidget | QHBoxLayout | None) -> QWidget:
    """A column of parts; None takes the room that is left."""
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(24)
    for part in parts:
        if part is None:
            column.addStretch(1)
        elif isinstance(part, QWidget):
            column.addWidget(part)
        else:
            column.addLayout(part)
    return whole
