"""Exporting a session from the window: which kinds there are, where to, and how it went."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from app import picture
from engine.errors import ExportFailed
from engine.history.commands import WRITERS
from engine.history.recording import Recording

_ENDINGS = {"html": ".html", "csv": ".csv", "trace": ".json", "png": ".png"}


def kinds() -> dict[str, str]:
    """The kinds of export with their names for a menu."""
    return {
        "html": QCoreApplication.translate("Exporting", "Report (HTML) …"),
        "csv": QCoreApplication.translate("Exporting", "Tables (CSV) …"),
        "trace": QCoreApplication.translate(
            "Exporting", "Trace for Perfetto and chrome://tracing (JSON) …"
        ),
        "png": QCoreApplication.translate("Exporting", "Picture (PNG) …"),
    }


def ask(parent: QWidget, name: str, kind: str) -> Path | None:
    """Ask for a file to export the session `name` to; None if the user thinks better of it."""
    ending = _ENDINGS[kind]
    chosen, _ = QFileDialog.getSaveFileName(
        parent,
        QCoreApplication.translate("Exporting", "Export a session"),
        f"pads-{name}{ending}",
        f"*{ending}",
    )
    if not chosen:
        return None
    return Path(chosen) if Path(chosen).suffix else Path(chosen).with_suffix(ending)


def write(recording: Recording, kind: str, out: Path) -> str:
    """Export, and say in a sentence how it went."""
    try:
        {**WRITERS, "png": picture.write}[kind](recording, out)
    except ExportFailed as exc:
        return str(exc)
    return QCoreApplication.translate("Exporting", "Exported to {file}").format(file=out)
