"""One run: how it stands and how long yet, what can be done with it, its result, log and record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QLabel,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.engine_words import worded
from app.jobs import words
from app.jobs.result_view import ResultView
from app.widgets.flow import Flow
from engine.errors import JobFailed
from engine.jobs import catalogue
from engine.jobs.following import Follower
from engine.jobs.job import Job
from engine.jobs.overview import Seen
from engine.records.figures import beside
from engine.records.runs import RunDirectory, RunStatus

_LOG_BYTES = 60_000
_RECORD = ("run", "job", "purpose", "status", "reason", "queued_ns")  # told elsewhere on the page


class RunView(QWidget):
    """Follows a run. `again` carries its job and parameters, `resumed` the run to go on with."""

    again = Signal(str, object)
    resumed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.follower: Follower | None = None
        self.title, self.state, self.purpose = QLabel(), QLabel(), QLabel()
        self.progress, self.result = QProgressBar(), ResultView()
        self.cancel = QPushButton(self.tr("&Cancel"))
        self.resume = QPushButton(self.tr("&Go on"))
        self.repeat = QPushButton(self.tr("Start &again …"))
        self.compare = QPushButton(self.tr("Compare &with"))
        self.folder = QPushButton(self.tr("Open &folder"))
        self.log, self.record = QPlainTextEdit(), QPlainTextEdit()
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(self.tr("What the run left"))
        self._logged: tuple[list[str], int] = ([], -1)
        self._lay()
        self._connect()

    def _lay(self) -> None:
        self.title.setFont(theme.font(18, bold=True))
        for label in (self.title, self.state, self.purpose):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        theme.tone(self.purpose, "muted")
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Progress of the job"))
        self.progress.setMaximumHeight(8)
        named = {
            self.cancel: self.tr("Cancel the run"),
            self.resume: self.tr("Go on from the last checkpoint"),
            self.repeat: self.tr("Start the job again with these parameters"),
            self.compare: self.tr("Compare with another run of this job"),
            self.folder: self.tr("Open the run's folder"),
        }
        buttons = Flow(spacing=8)
        for button, name in named.items():
            button.setAccessibleName(name)
            button.setToolTip(name)
            button.setAutoDefault(False)
            buttons.add(button)
        for text in (self.log, self.record):
            text.setReadOnly(True)
            text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
            text.setTabChangesFocus(True)
        self.log.setAccessibleName(self.tr("Log"))
        self.record.setAccessibleName(self.tr("Record"))
        self.tabs.addTab(self.result, self.tr("Result"))
        self.tabs.addTab(self.log, self.tr("Log"))
        self.tabs.addTab(self.record, self.tr("Record"))
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 14, 14, 10)
        column.setSpacing(8)
        for widget in (self.title, self.purpose, self.state, self.progress):
            column.addWidget(widget)
        column.addLayout(buttons)
        column.addWidget(self.tabs, 1)

    def _connect(self) -> None:
        self.cancel.clicked.connect(self._cancel)
        self.resume.clicked.connect(lambda: self.resumed.emit(self._run()))
        self.repeat.clicked.connect(self._repeat)
        self.folder.clicked.connect(
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._run().folder)))
        )
        self.compare.setMenu(QMenu(self.compare))

    def _run(self) -> RunDirectory:
        assert self.follower is not None
        return self.follower.run

    def show_run(self, run: RunDirectory, others: list[Seen]) -> None:
        """Show a run from now on; `others` are finished runs of the same job."""
        self.follower = Follower(run)
        self._logged = ([], -1)
        manifest = self.follower.manifest
        self.title.setText(words.title(manifest["job"]))
        self.purpose.setText(QCoreApplication.translate("Jobs", manifest["purpose"]))
        self.record.setPlainText(_record(manifest))
        menu = self.compare.menu()
        menu.clear()
        for other in others:
            name = words.when(other.manifest["started"])
            action = menu.addAction(f"{name}  ·  {other.run.name}")
            action.triggered.connect(lambda _=False, run=other.run: self.show_two(run))
        self.poll()
        self._show_result()

    def poll(self) -> None:
        """Show what has happened since the last call."""
        follower = self.follower
        if follower is None:
            return
        before = follower.status
        follower.poll()
        self.state.setText(self._state(follower))
        warned = follower.trouble() or follower.manifest.get("superseded_by")
        theme.tone(self.state, "alert" if warned else "")
        fraction = follower.phase.fraction or 0.0
        done = follower.status is RunStatus.FINISHED
        self.progress.setValue(1000 if done else round(1000 * fraction))
        self.progress.setVisible(not follower.over)
        self._enable(follower)
        self._read_log(follower)
        if follower.status is not before:
            self.record.setPlainText(_record(follower.manifest))
            self._show_result()

    def show_two(self, other: RunDirectory) -> None:
        """Show another run of the job beside this one, which is the later column."""
        run = self._run()
        results = [one.result() or {} for one in (other, run)]
        names = [words.when(one.manifest()["started"]) for one in (other, run)]
        if names[0] == names[1]:  # within one minute
            names = [other.name, run.name]
        self.result.show_two(names, results, beside(*results))
        self.tabs.setCurrentWidget(self.result)

    def _state(self, follower: Follower) -> str:
        manifest, phase = follower.manifest, follower.phase
        parts = [words.status(follower.status)]
        if follower.status is RunStatus.RUNNING:
            if follower.run.cancel_requested:
                parts = [self.tr("is being cancelled")]
            if phase.name:
                parts.append(worded(phase.name))
            if phase.fraction is not None:
                parts.append(f"{phase.fraction:.0%}")
            if (left_s := follower.left_s()) is not None:
                parts.append(self.tr("about {time} left").format(time=words.duration(left_s)))
            parts += memory(follower.run)
        elif "started" in manifest:
            parts.append(words.when(manifest["started"]))
            if (spent_s := words.took(manifest)) is not None:
                parts.append(self.tr("took {time}").format(time=words.duration(spent_s)))
            if "peak_memory_mb" in manifest:
                most = self.tr("at most {amount} MB of memory (measured)")
                parts.append(most.format(amount=f"{manifest['peak_memory_mb']:,.0f}"))
        if manifest.get("superseded_by"):
            parts.append(self.tr("superseded by {run}").format(run=manifest["superseded_by"]))
        parts += [manifest["reason"]] if manifest.get("reason") else []
        parts += [follower.trouble()] if follower.trouble() else []
        return "  ·  ".join(parts)

    def _enable(self, follower: Follower) -> None:
        status = follower.status
        known = _job(follower.manifest["job"])
        self.cancel.setVisible(not follower.over)
        self.cancel.setEnabled(not follower.run.cancel_requested)
        halted = status in (RunStatus.INTERRUPTED, RunStatus.FAILED)
        self.resume.setVisible(halted and known is not None and known.resumable)
        self.repeat.setVisible(follower.over and known is not None)
        finished = status is RunStatus.FINISHED
        self.compare.setVisible(finished and bool(self.compare.menu().actions()))

    def _show_result(self) -> None:
        follower = self.follower
        assert follower is not None
        result = follower.run.result()
        if result is not None:
            self.result.show_result(result)
        elif follower.over:
            told = self.tr("This run has no result, because it did not finish.")
            self.result.show_words(told)
        else:
            self.result.show_words(self.tr("The result comes here when the run has finished."))

    def _read_log(self, follower: Follower) -> None:
        """Notes and the raw log's end, anew when the log has grown."""
        file = follower.run.folder / "log.txt"
        now = (list(follower.notes), _size(file))
        if now == self._logged:
            return
        self._logged = now
        self.log.setPlainText("\n".join([*now[0], _tail(file)]))
        bar = self.log.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _cancel(self) -> None:
        self._run().request_cancel()
        self.poll()

    def _repeat(self) -> None:
        assert self.follower is not None
        manifest = self.follower.manifest
        self.again.emit(manifest["job"], manifest["parameters"])


def memory(run: RunDirectory) -> list[str]:
    """What a running job uses of what it may, as a list of at most one phrase."""
    read = run.memory()
    if not read:
        return []
    told = QCoreApplication.translate(
        "RunView", "{used} MB of {limit} MB memory allowed (measured)"
    )
    return [told.format(used=f"{read['now_mb']:,.0f}", limit=f"{read['limit_mb']:,.0f}")]


def _job(name: str) -> Job | None:
    try:
        return catalogue.find(name)
    except JobFailed:
        return None


def _record(manifest: dict[str, Any]) -> str:
    """A run's manifest for people: one entry a line, nested ones as JSON."""
    lines = []
    for name, value in manifest.items():
        if name in _RECORD:
            continue
        told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
        lines.append(f"{name.replace('_', ' ')}: {told}")
    return "\n".join(lines)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _tail(file: Path) -> str:
    """The last part of a file; empty when there is none."""
    try:
        with file.open("rb") as raw:
            raw.seek(max(_size(file) - _LOG_BYTES, 0))
            return raw.read().decode("utf-8", "replace")
    except OSError:
        return ""
