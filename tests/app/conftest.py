"""What tests of the window share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app import theme
from engine.settings import AppearanceSettings

Wear = Callable[[AppearanceSettings], None]


@pytest.fixture
def themed(qapp: QApplication) -> Iterator[Wear]:
    """The dark look at text size 100 %, taken off again; call it to wear another."""
    font, palette, style = qapp.font(), qapp.palette(), qapp.style().name()

    def wear(appearance: AppearanceSettings) -> None:
        theme.apply(qapp, appearance)

    wear(AppearanceSettings(colours="dark"))
    yield wear
    wear(AppearanceSettings(colours="dark"))
    qapp.setStyleSheet("")
    qapp.setStyle(style)
    qapp.setPalette(palette)
    qapp.setFont(font)
