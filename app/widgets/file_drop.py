"""A window on which a file of one kind can be dropped."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget


class FileDrop(QObject):
    """Emits `dropped` with the first file of the given suffix that is dropped on `window`."""

    dropped = Signal(object)

    def __init__(self, window: QWidget, suffix: str) -> None:
        super().__init__(window)
        self._suffix = suffix
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Take what can be dropped, leave the rest."""
        if isinstance(event, QDropEvent) and event.type() in (
            QEvent.Type.DragEnter,
            QEvent.Type.DragMove,
            QEvent.Type.Drop,
        ):
            file = self._file(event.mimeData())
            if file is not None:
                event.acceptProposedAction()
                if event.type() == QEvent.Type.Drop:
                    self.dropped.emit(file)
                return True
        return super().eventFilter(watched, event)

    def _file(self, carried: QMimeData) -> Path | None:
        files = [Path(url.toLocalFile()) for url in carried.urls() if url.isLocalFile()]
        return next((file for file in files if file.suffix.lower() == self._suffix), None)
