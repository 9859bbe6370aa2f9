"""One job of the catalogue: what it does, its form, and the button that starts it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.jobs.form import ParameterForm
from engine.jobs.job import Job, Value


class JobView(QWidget):
    """`started` carries the job, its parameters and the purpose."""

    started = Signal(object, object, str)

    def __init__(self) -> None:
        super().__init__()
        self.form: ParameterForm | None = None
        self.title, self.about, self.fault = QLabel(), QLabel(), QLabel()
        self.purpose = QLineEdit()
        self.start = QPushButton(self.tr("&Start"))
        self.reset = QPushButton(self.tr("&Reset"))
        self._scrolled = QScrollArea()
        self._lay()
        self.start.clicked.connect(self._start)
        self.reset.clicked.connect(self._reset)

    def _lay(self) -> None:
        self.title.setFont(theme.font(18, bold=True))
        for label in (self.title, self.about, self.fault):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        theme.tone(self.about, "muted")
        theme.tone(self.fault, "alert")
        self.start.setAccessibleName(self.tr("Start the job, or queue it behind those that wait"))
        self.reset.setAccessibleName(self.tr("Put all parameters back to their defaults"))
        self.purpose.setAccessibleName(self.tr("Purpose of the run"))
        self.purpose.setPlaceholderText(self.tr("why, for the record (optional)"))
        self._scrolled.setWidgetResizable(True)
        self._scrolled.setAccessibleName(self.tr("Parameters"))
        row = QHBoxLayout()
        for widget, stretch in ((self.purpose, 1), (self.reset, 0), (self.start, 0)):
            row.addWidget(widget, stretch)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 14, 14, 12)
        column.setSpacing(10)
        column.addWidget(self.title)
        column.addWidget(self.about)
        column.addWidget(self._scrolled, 1)
        column.addWidget(self.fault)
        column.addLayout(row)

    def show_job(self, job: Job, values: Mapping[str, Value] | None = None) -> None:
        """Show a job's form, with its defaults or an earlier run's values."""
        self.title.setText(QCoreApplication.translate("Jobs", job.title))
        self.about.setText(QCoreApplication.translate("Jobs", job.description))
        self.purpose.clear()
        self.form = ParameterForm(job)
        if values is not None:
            self.form.set_values(values)
        self.form.changed.connect(self._check)
        self._scrolled.setWidget(self.form)
        self.reset.setVisible(bool(job.parameters))
        self._check()

    def tell(self, sentence: str) -> None:
        """Say why the job was not started."""
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))

    def say_waiting(self, ahead: int) -> None:
        """Name the button by what it will do: `ahead` runs come first."""
        words = self.tr("&Start")
        if ahead:
            words = self.tr("&Start after {count} other(s)").format(count=ahead)
        self.start.setText(words)

    def _check(self) -> None:
        assert self.form is not None
        fault = self.form.fault()
        self.tell(fault)
        self.start.setEnabled(not fault)

    def _reset(self) -> None:
        if self.form is not None:
            self.form.reset()

    def _start(self) -> None:
        if self.form is not None:
            self.started.emit(self.form.job, self.form.values, self.purpose.text().strip())
