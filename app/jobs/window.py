"""The Jobs window: what can be run, what runs and is it well, what has run and what it found.

It reads run folders and starts the queue's worker; it owns no job, so nothing ends with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.engine_words import worded
from app.jobs import words
from app.jobs.job_view import JobView
from app.jobs.run_view import RunView, memory
from app.widgets.entries import wrapping
from app.widgets.scrolled import roomy
from engine.errors import PadsError
from engine.jobs import catalogue, queue
from engine.jobs.following import Follower
from engine.jobs.job import Job, Value
from engine.jobs.overview import Overview, Seen
from engine.jobs.resuming import resumption
from engine.records.runs import RunDirectory, RunStatus

_POLL_MS = 250
_LIST_EVERY = 4  # polls from one look at all runs to the next
_ROLE = Qt.ItemDataRole.UserRole


class JobsWindow(QDialog):
    """Not modal: the conversation goes on beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(self.tr("Jobs"))
        self.resize(roomy(self, 1180, 760))
        self.now, self.to_now = QLabel(), QPushButton(self.tr("S&how"))
        self.jobs, self.runs = QListWidget(), QListWidget()
        self.pages, self.job, self.run = QStackedWidget(), JobView(), RunView()
        self._overview, self._polls = Overview(), 0
        self._seen: Sequence[Seen] = ()
        self._listed: dict[str, Seen] = {}
        self._active: Follower | None = None
        self._timer = QTimer(self, interval=_POLL_MS)
        self._timer.timeout.connect(self.poll)
        self._lay()
        self._connect()
        for job in catalogue.JOBS:
            item = QListWidgetItem(QCoreApplication.translate("Jobs", job.title))
            item.setData(_ROLE, job.name)
            item.setToolTip(QCoreApplication.translate("Jobs", job.description))
            self.jobs.addItem(item)
        self.jobs.setCurrentRow(0)

    def _lay(self) -> None:
        self.now.setWordWrap(True)
        self.now.setTextFormat(Qt.TextFormat.PlainText)
        self.now.setAccessibleName(self.tr("What is running"))
        self.to_now.setAccessibleName(self.tr("Show the running job"))
        self.to_now.setAutoDefault(False)
        bar = QFrame()
        bar.setObjectName("bar")
        top = QHBoxLayout(bar)
        top.setContentsMargins(20, 10, 14, 10)
        top.addWidget(self.now, 1)
        top.addWidget(self.to_now)
        lists = QSplitter(Qt.Orientation.Vertical)
        for name, view in ((self.tr("JOBS"), self.jobs), (self.tr("RUNS"), self.runs)):
            view.setAccessibleName(name.capitalize())
            wrapping(view)
            view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            view.setFrameShape(QFrame.Shape.NoFrame)
            lists.addWidget(_headed(name, view))
        self.pages.addWidget(self.job)
        self.pages.addWidget(self.run)
        both = QSplitter()
        both.addWidget(lists)
        both.addWidget(self.pages)
        both.setSizes([330, 850])
        both.setStretchFactor(1, 1)
        both.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(both, 1)

    def _connect(self) -> None:
        self.jobs.currentItemChanged.connect(lambda item, _: self._choose_job(item))
        self.jobs.itemClicked.connect(self._choose_job)
        self.runs.currentItemChanged.connect(lambda item, _: self._choose_run(item))
        self.runs.itemClicked.connect(self._choose_run)
        self.job.started.connect(self._start)
        self.run.again.connect(self._again)
        self.run.resumed.connect(self._resume)
        self.to_now.clicked.connect(self._show_active)

    # What is shown ----------------------------------------------------------------------------

    def poll(self) -> None:
        """Look at what runs, and now and then at all runs."""
        if self._polls % _LIST_EVERY == 0:
            self.refresh()
        self._polls += 1
        if self._active is not None:
            self._active.poll()
        self._tell_now()
        if self.pages.currentWidget() is self.run:
            self.run.poll()

    def refresh(self) -> None:
        """Look at all runs and list them."""
        self._seen = self._overview.refresh()
        running = [seen for seen in self._seen if seen.status is RunStatus.RUNNING]
        first = next((seen for seen in running if seen.active), None) or next(iter(running), None)
        if first is None:
            self._active = None
        elif self._active is None or self._active.run.folder != first.run.folder:
            self._active = Follower(first.run)
        self.job.say_waiting(sum(seen.active for seen in self._seen))
        self._list_runs()

    def _list_runs(self) -> None:
        """Bring the list up to date, item by item, so that it keeps its place and its choice."""
        names = {seen.run.name for seen in self._seen}
        listed = {self.runs.item(i).data(_ROLE): i for i in range(self.runs.count())}
        for name in reversed([name for name in listed if name not in names]):
            self.runs.takeItem(listed[name])
        for i, seen in enumerate(self._seen):
            item = self.runs.item(i)
            if item is None or item.data(_ROLE) != seen.run.name:
                item = QListWidgetItem()
                item.setData(_ROLE, seen.run.name)
                self.runs.insertItem(i, item)
            elif self._listed.get(seen.run.name) is seen:
                continue
            item.setText(f"{words.title(seen.job)}\n{_line(seen)}")
            item.setIcon(theme.dot(words.colour(seen.status)))
            item.setToolTip(seen.manifest["purpose"])
        self._listed = {seen.run.name: seen for seen in self._seen}

    def _tell_now(self) -> None:
        waiting = sum(seen.status is RunStatus.QUEUED for seen in self._seen)
        parts = [self.tr("Nothing is running.")]
        follower = self._active
        if follower is not None and not follower.over:
            phase = follower.phase
            parts = [words.title(follower.manifest["job"])]
            parts += [worded(phase.name)] if phase.name else []
            parts += [] if phase.fraction is None else [f"{phase.fraction:.0%}"]
            if (left_s := follower.left_s()) is not None:
                parts.append(self.tr("about {time} left").format(time=words.duration(left_s)))
            parts += memory(follower.run)
            parts.append(follower.trouble() or self.tr("healthy"))
            theme.tone(self.now, "alert" if follower.trouble() else "")
        if waiting:
            parts.append(self.tr("{count} waiting").format(count=waiting))
        self.now.setText("  ·  ".join(parts))
        self.to_now.setVisible(follower is not None)

    # What the user does -----------------------------------------------------------------------

    def _choose_job(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.runs.setCurrentRow(-1)
            self._show_job(catalogue.find(item.data(_ROLE)), None)

    def _show_job(self, job: Job, values: Mapping[str, Value] | None) -> None:
        self.job.show_job(job, values)
        self.pages.setCurrentWidget(self.job)

    def _choose_run(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        self.jobs.setCurrentRow(-1)
        chosen = next(seen for seen in self._seen if seen.run.name == item.data(_ROLE))
        self.run.show_run(chosen.run, self._others(chosen))
        self.pages.setCurrentWidget(self.run)

    def _others(self, chosen: Seen) -> list[Seen]:
        """Finished runs that a run may be compared with."""
        return [
            seen
            for seen in self._seen
            if seen.job == chosen.job
            and seen.status is RunStatus.FINISHED
            and seen.run.name != chosen.run.name
        ]

    def show_run(self, run: RunDirectory) -> None:
        """Choose a run in the list and show it."""
        self.refresh()
        for i in range(self.runs.count()):
            if self.runs.item(i).data(_ROLE) == run.name:
                self.runs.setCurrentRow(i)

    def _show_active(self) -> None:
        if self._active is not None:
            self.show_run(self._active.run)

    def _start(self, job: Job, values: Mapping[str, Value], purpose: str) -> None:
        try:
            run = queue.add(job, values, purpose=purpose)
        except PadsError as exc:
            self.job.tell(str(exc))
            return
        self.show_run(run)

    def _again(self, name: str, values: Mapping[str, Any]) -> None:
        self.runs.setCurrentRow(-1)
        self._show_job(catalogue.find(name), values)

    def _resume(self, run: RunDirectory) -> None:
        try:
            job, given = resumption(run)
            more = queue.add(job, given, purpose=f"go on with {run.name}")
        except PadsError as exc:
            self.run.state.setText(str(exc))
            return
        self.show_run(more)

    # Life -------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Follow runs while there is somebody to see it; go on with what waits."""
        super().showEvent(event)
        self._overview, self._polls = Overview(), 0  # runs may have been superseded meanwhile
        self.poll()
        if queue.waiting():
            queue.start_worker()
        self._timer.start()

    def done(self, result: int) -> None:
        """Nobody looks: read nothing more. The jobs go on."""
        self._timer.stop()
        super().done(result)


def _line(seen: Seen) -> str:
    """A run's second line in the list."""
    parts = [words.status(seen.status)]
    if seen.manifest.get("superseded_by"):
        parts = [QCoreApplication.translate("Runs", "superseded")]
    if "started" in seen.manifest:
        parts.append(words.when(seen.manifest["started"]))
    if (spent_s := words.took(seen.manifest)) is not None:
        parts.append(words.duration(spent_s))
    return "  ·  ".join(parts)


def _headed(name: str, view: QWidget) -> QWidget:
    both, heading = QWidget(), QLabel(name)
    heading.setObjectName("heading")
    column = QVBoxLayout(both)
    column.setContentsMargins(14, 10, 4, 4)
    column.setSpacing(6)
    column.addWidget(heading)
    column.addWidget(view, 1)
    return both
