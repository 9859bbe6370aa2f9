"""Work on models that goes on while the window does: one piece at a time, polled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.store.storing import Report
from engine.store.task import Task

_POLL_MS = 100


class ModelWork(QObject):
    """Runs tasks in threads of their own. `changed` tells that one began, went on or ended."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._task: Task | None = None
        self._then: Callable[[Task], None] | None = None
        self._timer = QTimer(self, interval=_POLL_MS)
        self._timer.timeout.connect(self._poll)

    @property
    def busy(self) -> bool:
        """Is something under way?"""
        return self._task is not None

    @property
    def step(self) -> str:
        """What is being done."""
        return self._task.step if self._task else ""

    @property
    def fraction(self) -> float:
        """How much of it is done, 0..1."""
        return self._task.fraction if self._task else 0.0

    def start(self, work: Callable[[Report], Any], then: Callable[[Task], None]) -> None:
        """Do `work` unless something is under way, and `then` take the task that has ended."""
        if self._task is not None:
            return
        self._task, self._then = Task(work), then
        self._timer.start()
        self.changed.emit()

    def cancel(self) -> None:
        """Have what is under way end at its next step."""
        if self._task is not None:
            self._task.cancel()

    def stop(self) -> None:
        """End what is under way, and wait for it a moment; the window closes."""
        self._timer.stop()
        task, self._task = self._task, None
        if task is not None:
            task.close()

    def _poll(self) -> None:
        task, then = self._task, self._then
        if task is None or then is None or not task.done:
            self.changed.emit()
            return
        self._timer.stop()
        self._task = self._then = None
        then(task)
        self.changed.emit()
