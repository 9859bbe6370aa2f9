"""Compare: a recording is heard without and with PADS by a job of its own, then both are shown."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.panels.comparison import Comparison
from app.panels.controls import described
from app.widgets.flow import Flow
from engine import commands, events, paths
from engine.errors import PadsError
from engine.events import Event
from engine.jobs import catalogue
from engine.jobs.runner import JobProcess
from engine.records.progress import Ended, Phase, Report
from engine.records.runs import RunStatus

_POLL_MS = 100


class CompareDialog(QDialog):
    """Runs the job compare and shows its result; `command` asks the engine to be idle."""

    command = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Compare with and without PADS"))
        self.setModal(True)  # nothing else may start the engine meanwhile
        room = self.screen().availableSize() - QSize(40, 40)
        self.resize(QSize(theme.px(1260), theme.px(1010)).boundedTo(room))
        self._job: JobProcess | None = None
        self._outcome: Ended | None = None
        self._live = self._starting = self._waiting = False
        self.source, self.start, self.cancel = QComboBox(), QPushButton(), QPushButton()
        self._about = self.tr(
            "The same sound is heard twice, first without PADS and then with it, in real time. "
            "Meanwhile the conversation in the window stops, because both need the processor's "
            "cores."
        )
        self.progress, self.status, self.view = QProgressBar(), QLabel(self._about), Comparison()
        self._lay()
        self._fill()
        self.view.hide()
        self.start.clicked.connect(self._begin)
        self.cancel.clicked.connect(self._cancel)
        self.source.activated.connect(self._picked)
        self._timer = QTimer(self, interval=_POLL_MS)
        self._timer.timeout.connect(self._poll)
        self._enable()

    def _lay(self) -> None:
        self.source.setAccessibleName(self.tr("Recording to compare"))
        self.source.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.start.setText(self.tr("&Start"))
        self.start.setDefault(True)
        self.start.setAccessibleName(self.tr("Start the comparison"))
        self.cancel.setText(self.tr("C&ancel"))
        self.cancel.setAccessibleName(self.tr("Cancel the comparison"))
        self.progress.setAccessibleName(self.tr("Progress of the comparison"))
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setFixedSize(180, 6)
        self.status.setWordWrap(True)
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        close = QPushButton(self.tr("Close"))
        close.clicked.connect(self.close)
        close.setAutoDefault(False)
        bar = Flow(spacing=8)
        bar.add(self.source, self.start, self.cancel, close, self.progress)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(10)
        layout.addLayout(bar)
        layout.addWidget(self.status)
        layout.addWidget(self.view, 1)
        layout.addStretch()

    def _fill(self) -> None:
        for demo in paths.demo_recordings():
            offer = self.tr("Demo: {title}").format(title=described(demo)[0])
            self.source.addItem(offer, demo)
        self.source.addItem(self.tr("Open a sound file …"), None)
        self._chosen = 0

    def choose(self, file: Path) -> None:
        """Offer a recording and choose it."""
        at = self.source.findData(file)
        if at < 0:
            at = self.source.count() - 1
            self.source.insertItem(at, self.tr("File: {name}").format(name=file.name), file)
        self.source.setCurrentIndex(at)
        self._chosen = at

    def take(self, event: Event) -> None:
        """Follow whether the window's engine is busy."""
        match event:
            case events.EngineProgress():
                self._starting = True
            case events.EngineReady() | events.EngineFailed():
                self._starting = False
            case events.SourceOpened():
                self._live = True
            case events.SourceEnded():
                self._live = False
                if self._waiting:
                    self._waiting = False
                    self._launch()
            case _:
                return
        self._enable()

    def stop(self) -> None:
        """End the job, if one runs, and wait for it."""
        self._timer.stop()
        self._waiting = False
        if self._job is not None:
            self._job.close()
        self._job = self._outcome = None

    @property
    def busy(self) -> bool:
        """Is a comparison under way?"""
        return self._waiting or self._job is not None

    def _begin(self) -> None:
        if self.source.currentData() is None or self.busy:
            return
        if self._live:
            self._waiting = True
            self.status.setText(self.tr("The conversation in the window is being stopped …"))
            self.command.emit(commands.CloseSource())
        else:
            self._launch()
        self._enable()

    def _launch(self) -> None:
        job = catalogue.find("compare")
        try:
            self._job = JobProcess(job, {"recording": self.source.currentData()})
        except PadsError as exc:
            self.status.setText(str(exc))
            return
        self.view.hide()
        self.progress.setValue(0)
        self.status.setText(self.tr("Starting …"))
        self._timer.start()

    def _poll(self) -> None:
        assert self._job is not None
        for report in self._job.poll():
            self._tell(report)
        # Its last word said, the process still winds up for a moment.
        if self._outcome is not None and not self._job.running:
            outcome, self._outcome = self._outcome, None
            self._ended(outcome.status, outcome.reason)

    def _tell(self, report: Report) -> None:
        match report:
            case Phase(name=name, fraction=fraction, eta_s=eta_s):
                self.progress.setValue(round(1000 * (fraction or 0.0)))
                said = self.tr("{step}, about {eta:.0f} s left. {about}")
                if eta_s is None:
                    said = self.tr("{step}. {about}")
                if self._job is not None and not self._job.cancelled:
                    self.status.setText(said.format(step=name, eta=eta_s, about=self._about))
            case Ended():
                self._outcome = report

    def _ended(self, status: str, reason: str) -> None:
        self._timer.stop()
        assert self._job is not None
        folder, self._job = self._job.run.folder, None
        if status == RunStatus.FINISHED:
            self.progress.setValue(1000)
            self.show_run(folder)
        elif reason == "cancelled":
            self.progress.setValue(0)
            self.status.setText(self.tr("Cancelled. {about}").format(about=self._about))
        else:
            self.progress.setValue(0)
            self.status.setText(self.tr("Nothing was compared: {reason}").format(reason=reason))
        self._enable()

    def show_run(self, folder: Path) -> None:
        """Show a finished run of the job compare."""
        self.status.setText(self.tr("Kept in {folder}").format(folder=folder))
        self.view.show()
        self.view.show_run(folder)
        self.view.table.setFocus()

    def _cancel(self) -> None:
        if self._waiting:
            self._waiting = False
            self.status.setText(self._about)
        elif self._job is not None:
            self._job.cancel()
            self.status.setText(self.tr("The comparison is being cancelled …"))
        self._enable()

    def _enable(self) -> None:
        self.start.setEnabled(not self.busy and not self._starting)
        self.source.setEnabled(not self.busy)
        stoppable = self._waiting or (self._job is not None and not self._job.cancelled)
        self.cancel.setEnabled(stoppable)

    def _picked(self, index: int) -> None:
        if self.source.itemData(index) is not None:
            self._chosen = index
            return
        self.source.setCurrentIndex(self._chosen)
        name, _ = QFileDialog.getOpenFileName(
            self,
            self.tr("Open a sound file"),
            "",
            self.tr("Sound (*.wav *.flac *.ogg);;All files (*)"),
        )
        if name:
            self.choose(Path(name))

    def done(self, result: int) -> None:
        """A comparison that nobody waits for is cancelled; it is polled until it has ended."""
        self._cancel()
        super().done(result)
