"""A panel whose source has stopped is greyed out: what it shows is no longer so."""

from __future__ import annotations

from PySide6.QtWidgets import QGraphicsOpacityEffect, QWidget

_OPACITY = 0.4


def grey(widget: QWidget, greyed: bool) -> None:
    """Grey a widget out, or bring its colours back."""
    if greyed == is_grey(widget):
        return
    effect = None
    if greyed:
        effect = QGraphicsOpacityEffect(widget)
        effect.setOpacity(_OPACITY)
    widget.setGraphicsEffect(effect)  # type: ignore[arg-type]  # None takes it away


def is_grey(widget: QWidget) -> bool:
    """Is it greyed out?"""
    return widget.graphicsEffect() is not None
