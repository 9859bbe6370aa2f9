"""A picture of a widget or of a past session in a PNG file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtWidgets import QWidget

from app.panels.past import Past
from engine.history.recording import Recording
from engine.records.writing import replacing

_SIZE = 1600, 900


def write(recording: Recording, out: Path) -> None:
    """Draw the session's conversation with most turns, all of it. Raises `ExportFailed`."""
    past = Past(recording)
    past.buttons.hide()
    past.resize(*_SIZE)
    past.redraw()
    save(past, out)
    past.deleteLater()


def save(widget: QWidget, out: Path) -> None:
    """Write what a widget shows now as PNG, whatever the file's name. Raises `ExportFailed`."""
    memory = QBuffer()
    memory.open(QIODevice.OpenModeFlag.WriteOnly)
    widget.grab().save(memory, "PNG")
    with replacing(out) as file:
        file.write_bytes(memory.data().data())
