"""The rehearsal in the window: every check with its light, as the job makes it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.widgets.scrolled import Scrolled, roomy
from engine import commands
from engine.errors import PadsError
from engine.evaluation.machine.rehearsal import Light, together
from engine.jobs import catalogue
from engine.jobs.runner import JobProcess
from engine.records.evidence import words
from engine.records.progress import Ended, Metric, Phase, Report
from engine.records.runs import RunStatus

_POLL_MS = 100
_TONES = {
    Light.GREEN: "hidden",
    Light.AMBER: "visible",
    Light.RED: "alert",
    Light.UNKNOWN: "pending",
}
_SIGNS = {Light.GREEN: "✓", Light.AMBER: "!", Light.RED: "✗", Light.UNKNOWN: "?"}


class RehearsalDialog(QDialog):
    """Runs the job rehearse; `command` asks the window's engine to be idle meanwhile."""

    command = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Rehearsal"))
        self.setModal(True)
        self.resize(roomy(self, 760, 560))
        self._job: JobProcess | None = None
        self._outcome: Ended | None = None
        self.checks: list[dict[str, Any]] = []
        self.start, self.verdict, self.doing = QPushButton(), QLabel(), QLabel()
        self._rows, self._grid = QWidget(), QGridLayout()
        self._timer = QTimer(self, interval=_POLL_MS)
        self._timer.timeout.connect(self._poll)
        self._lay()
        self.start.clicked.connect(self.begin)

    def _lay(self) -> None:
        about = QLabel(
            self.tr(
                "Checks what a presentation needs: other programs, power, memory, disk, models, "
                "microphone, one question answered from end to end, and heat. It takes half a "
                "minute; nobody needs to speak."
            )
        )
        for label in (about, self.verdict, self.doing):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.verdict.setFont(theme.font(18, bold=True))
        self.doing.setObjectName("muted")
        self.start.setText(self.tr("&Rehearse"))
        self.start.setAccessibleName(self.tr("Start the rehearsal"))
        self.start.setDefault(True)
        close = QPushButton(self.tr("Close"))
        close.setAutoDefault(False)
        close.clicked.connect(self.close)
        self._grid.setColumnStretch(2, 1)
        self._grid.setVerticalSpacing(10)
        self._grid.setHorizontalSpacing(14)
        outer = QVBoxLayout(self._rows)
        outer.addLayout(self._grid)
        outer.addStretch(1)
        bar = QHBoxLayout()
        bar.addWidget(self.start)
        bar.addWidget(self.doing, 1)
        bar.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(about)
        layout.addLayout(bar)
        layout.addWidget(self.verdict)
        layout.addWidget(Scrolled(self._rows, self.tr("Checks")), 1)

    def begin(self) -> None:
        """Start the job anew."""
        if self._job is not None:
            return
        self._clear()
        self.command.emit(commands.CloseSource())
        try:
            self._job = JobProcess(catalogue.find("rehearse"), {})
        except PadsError as exc:
            self.verdict.setText(str(exc))
            return
        self.start.setEnabled(False)
        self._timer.start()

    @property
    def busy(self) -> bool:
        """Is a rehearsal under way?"""
        return self._job is not None

    def stop(self) -> None:
        """End the job, if one runs, and wait for it."""
        self._timer.stop()
        if self._job is not None:
            self._job.close()
        self._job = self._outcome = None
        self.start.setEnabled(True)

    def _poll(self) -> None:
        assert self._job is not None
        for report in self._job.poll():
            self._tell(report)
        # Its last word said, the process still winds up for a moment.
        if self._outcome is not None and not self._job.running:
            self._ended(self._outcome)

    def _tell(self, report: Report) -> None:
        match report:
            case Phase(name=name):
                self.doing.setText(f"{name} …")
            case Metric(values={"check": dict(check)}):
                self._add(check)
            case Ended():
                self._outcome = report

    def _ended(self, outcome: Ended) -> None:
        assert self._job is not None
        self._timer.stop()
        result, self._job, self._outcome = self._job.run.result(), None, None
        self.start.setEnabled(True)
        self.doing.setText("")
        if outcome.status != RunStatus.FINISHED or result is None:
            broke = self.tr("The rehearsal broke off ({reason}).").format(reason=outcome.reason)
            self._conclude(broke, Light.RED)
        else:
            light = together([check["light"] for check in result["checks"]])
            self._conclude(str(result["verdict"]), light)

    def _conclude(self, sentence: str, light: Light) -> None:
        self.verdict.setText(f"{_SIGNS[light]} {sentence}")
        theme.tone(self.verdict, _TONES[light])
        self.verdict.setAccessibleName(sentence)

    def _add(self, check: dict[str, Any]) -> None:
        """One more row: light, name, what was found and what to do, figures with evidence."""
        self.checks.append(check)
        row, light = self._grid.rowCount(), Light(check["light"])
        sign, name = QLabel(_SIGNS[light]), QLabel(str(check["name"]))
        figures = "; ".join(
            f"{name.replace('_', ' ')} {words(figure)}" for name, figure in check["figures"].items()
        )
        sentence = QLabel("\n".join(part for part in (str(check["sentence"]), figures) if part))
        sentence.setWordWrap(True)
        sign.setFont(theme.font(18, bold=True))
        name.setFont(theme.font(13, bold=True))
        theme.tone(sign, _TONES[light])
        sign.setAccessibleName(light.value)
        for column, label in enumerate((sign, name, sentence)):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            self._grid.addWidget(label, row, column)

    def _clear(self) -> None:
        self.checks = []
        self.verdict.setText("")
        while (item := self._grid.takeAt(0)) is not None:
            if (label := item.widget()) is not None:
                label.deleteLater()

    def done(self, result: int) -> None:
        """A rehearsal that nobody waits for is ended, in whatever way it is closed."""
        self.stop()
        super().done(result)
