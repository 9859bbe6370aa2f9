"""The recorded sessions: open one again, export, delete, show where they lie."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFrame,
    QHeaderView,
    QLabel,
    QMenu,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import exporting
from app.evidence import tag
from app.panels.past import moment
from app.widgets.flow import Flow
from app.widgets.scrolled import roomy
from engine import paths
from engine.errors import PadsError
from engine.history import recording, sessions
from engine.history.recording import Recording
from engine.history.sessions import Session

_POLL_MS = 30


class HistoryDialog(QDialog):
    """Lists sessions, newest first; `opened` carries the `Recording` of one to be shown."""

    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("History"))
        self.resize(roomy(self, 900, 520))
        self.table, self.status = QTableWidget(0, 6), QLabel()
        self.reopen = QPushButton(self.tr("&Open"))
        self.export = QPushButton(self.tr("&Export …"))
        self.delete, self.clear = QPushButton(self.tr("&Delete …")), QPushButton()
        self.folder = QPushButton(self.tr("Show &folder"))
        self.sure, self.keep = QPushButton(self.tr("Delete")), QPushButton(self.tr("Keep"))
        self.question, self._asking = QLabel(), QFrame()
        self._found: list[Session] = []
        self._doomed: list[Path] = []
        self._pool: ThreadPoolExecutor | None = None
        self._awaited: list[tuple[Future[Any], Callable[[Any], None]]] = []
        self._timer = QTimer(self, interval=_POLL_MS)
        self._timer.timeout.connect(self._poll)
        self._prepare_table()
        self._lay()
        self._connect()

    # Layout -----------------------------------------------------------------------------------

    def _prepare_table(self) -> None:
        table = self.table
        table.setHorizontalHeaderLabels(
            [
                self.tr("date"),
                self.tr("heard"),
                self.tr("turns"),
                self.tr("deep work hidden"),
                self.tr("size"),
                self.tr("state"),
            ]
        )
        table.setAccessibleName(self.tr("Recorded sessions"))
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)

    def _lay(self) -> None:
        self.status.setWordWrap(True)
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        self.clear.setText(self.tr("Delete &all …"))
        close = QPushButton(self.tr("Close"))
        close.clicked.connect(self.close)
        self.reopen.setDefault(True)
        self.reopen.setAccessibleName(self.tr("Open the chosen session in the profiler"))
        self.export.setAccessibleName(self.tr("Export the chosen session"))
        self.delete.setAccessibleName(self.tr("Delete the chosen session"))
        self.clear.setAccessibleName(self.tr("Delete all sessions"))
        self.folder.setAccessibleName(self.tr("Show the folder of the chosen session"))
        row = Flow(spacing=10)
        row.add(self.reopen, self.export, self.folder, self.delete, self.clear, close)
        self._asking.setObjectName("banner")
        self.question.setWordWrap(True)
        asking = Flow(spacing=10)
        asking.add(self.sure, self.keep)
        column = QVBoxLayout(self._asking)
        column.addWidget(self.question)
        column.addLayout(asking)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.status)
        layout.addWidget(self._asking)
        layout.addLayout(row)
        self._asking.hide()

    def _connect(self) -> None:
        self.table.currentCellChanged.connect(lambda *_: self._chosen())
        self.table.cellActivated.connect(lambda *_: self._open())
        self.reopen.clicked.connect(self._open)
        self.folder.clicked.connect(self._show_folder)
        self.delete.clicked.connect(lambda: self._ask([s for s in (self.chosen,) if s]))
        self.clear.clicked.connect(lambda: self._ask(self._found))
        self.sure.clicked.connect(self._delete)
        self.keep.clicked.connect(lambda: self._ask([]))
        menu = QMenu(self.export)
        for kind, words in exporting.kinds().items():
            menu.addAction(words).triggered.connect(lambda _, kind=kind: self._export(kind))
        self.export.setMenu(menu)

    # The list ---------------------------------------------------------------------------------

    @property
    def chosen(self) -> Session | None:
        """The session chosen in the table."""
        row = self.table.currentRow()
        return self._found[row] if 0 <= row < len(self._found) else None

    @property
    def busy(self) -> bool:
        """Is something still being read?"""
        return bool(self._awaited)

    def refresh(self) -> None:
        """Read what there is anew; the table fills as sessions are read."""
        self._stop()
        self._found = []
        self.table.setRowCount(0)
        self._ask([])
        for folder in sessions.folders():
            self._read(partial(sessions.brief, folder), self._add)
        self._chosen()
        if not self.busy:
            self.status.setText(self.tr("Nothing has been recorded yet."))

    def _add(self, found: Session) -> None:
        row = self.table.rowCount()
        self._found.append(found)
        self.table.insertRow(row)
        for column, text in enumerate(self._cells(found)):
            item = QTableWidgetItem(text)
            header = self.table.horizontalHeaderItem(column)
            name = "" if header is None else header.text()
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name}: {text}")
            if column in (2, 3, 4):
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.table.setItem(row, column, item)
        if row == 0:
            self.table.setCurrentCell(0, 0)
        self._chosen()

    def _cells(self, found: Session) -> list[str]:
        heard = ", ".join(one.source for one in found.conversations) or self.tr("nothing")
        hidden = self.tr("{ms:.0f} ms ({tag})").format(ms=found.hidden_ms, tag=tag(found.evidence))
        size = self.tr("{mb:.1f} MB").format(mb=found.size / 1e6)
        return [
            moment(found.started),
            heard,
            str(found.turns),
            hidden,
            size,
            self._state(found),
        ]

    def _state(self, found: Session) -> str:
        states = {
            "running": self.tr("being recorded"),
            "finished": self.tr("complete"),
            "interrupted": self.tr("ended abruptly"),
            "unknown": self.tr("damaged"),
        }
        if found.problem or found.unreadable:
            return self.tr("damaged")
        return states.get(found.status, found.status)

    def _chosen(self) -> None:
        found = self.chosen
        readable = found is not None and not found.problem
        self.reopen.setEnabled(readable)
        self.export.setEnabled(readable)
        self.folder.setEnabled(found is not None)
        self.delete.setEnabled(found is not None and found.status != "running")
        self.clear.setEnabled(any(s.status != "running" for s in self._found))
        if found is not None:
            self.status.setText(found.problem or str(found.folder))

    # What can be done with them -----------------------------------------------------------------

    def _open(self) -> None:
        if (found := self.chosen) is not None and not found.problem:
            self.status.setText(self.tr("Reading {name} …").format(name=found.name))
            self._read(lambda: recording.read(found.folder), self._show)

    def _show(self, read: Recording) -> None:
        self.opened.emit(read)
        self.close()

    def _export(self, kind: str) -> None:
        found = self.chosen
        if found is None:
            return
        out = exporting.ask(self, found.name, kind)
        if out is not None:
            self.export_to(kind, out)

    def export_to(self, kind: str, out: Path) -> None:
        """Export the chosen session as `kind` (html, csv, trace, png) and say how it went."""
        if (found := self.chosen) is None:
            return

        def write(read: Recording) -> None:
            self.status.setText(exporting.write(read, kind, out))

        self.status.setText(self.tr("Exporting {name} …").format(name=found.name))
        self._read(lambda: recording.read(found.folder), write)

    def _show_folder(self) -> None:
        folder = paths.sessions() if self.chosen is None else self.chosen.folder
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _ask(self, doomed: list[Session]) -> None:
        """Ask whether these may be deleted; none takes the question back."""
        self._doomed = [one.folder for one in doomed if one.status != "running"]
        self._asking.setVisible(bool(self._doomed))
        if not self._doomed:
            return
        if len(self._doomed) == 1:
            words = self.tr("Delete the session {name} and its sound? It cannot be brought back.")
            self.question.setText(words.format(name=self._doomed[0].name))
        else:
            words = self.tr("Delete all {n} sessions and their sound? They cannot be brought back.")
            self.question.setText(words.format(n=len(self._doomed)))
        self.keep.setFocus()

    def _delete(self) -> None:
        problems = []
        for folder in self._doomed:
            try:
                sessions.delete(folder)
            except PadsError as exc:
                problems.append(str(exc))
        self.refresh()
        if problems:
            self.status.setText("\n".join(problems))

    # Reading takes a moment, in a thread ---------------------------------------------------------

    def _read(self, read: Callable[[], Any], take: Callable[[Any], None]) -> None:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="history")
        self._awaited.append((self._pool.submit(read), take))
        self._timer.start()

    def _poll(self) -> None:
        while self._awaited and self._awaited[0][0].done():
            future, take = self._awaited.pop(0)
            try:
                result = future.result()
            except PadsError as exc:
                self.status.setText(str(exc))
                continue
            take(result)
        if not self._awaited:
            self._timer.stop()

    def _stop(self) -> None:
        self._timer.stop()
        self._awaited.clear()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Show what there is now."""
        super().showEvent(event)
        self.refresh()

    def done(self, result: int) -> None:
        """Read no more once it is closed, by whatever way."""
        self._stop()
        super().done(result)
