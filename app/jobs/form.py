"""A form made of a job's typed parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QDoubleValidator
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app import theme
from engine.errors import JobFailed
from engine.jobs.job import Job, Parameter, Value

_MOST = 2_147_483_647
_NUMBER_PX = 28  # as high as a line of words with its margins


class Field(QWidget):
    """One parameter's control; `changed` is emitted when its value is another."""

    changed = Signal()

    def __init__(self, parameter: Parameter) -> None:
        super().__init__()
        self.parameter = parameter
        self.control, self._get, self._set = self._made()
        self.control.setAccessibleName(label(parameter))
        about = QCoreApplication.translate("Jobs", parameter.description)
        self.control.setAccessibleDescription(about)
        self.control.setToolTip(about)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.control, 1)
        if parameter.kind is Path:
            self.browse = QPushButton(self.tr("Browse …"))
            self.browse.setAccessibleName(
                self.tr("Browse for {what}").format(what=label(parameter))
            )
            self.browse.clicked.connect(self._pick)
            row.addWidget(self.browse)
        self.set_value(parameter.default)

    @property
    def value(self) -> Value:
        """What stands in it, unchecked; None when it is left empty."""
        return self._get()

    def set_value(self, value: Value) -> None:
        """Put a value in."""
        self._set(value)

    def _made(self) -> tuple[QWidget, Callable[[], Value], Callable[[Value], None]]:
        kind, optional = self.parameter.kind, self.parameter.default is None
        if kind is bool:
            return self._switch()
        if self.parameter.choices:
            return self._choice()
        if kind is int and not optional:
            return self._whole()
        if kind is float and not optional:
            return self._real()
        return self._line()

    def _switch(self) -> tuple[QWidget, Callable[[], Value], Callable[[Value], None]]:
        box = QCheckBox(self.tr("yes"))
        box.toggled.connect(self.changed)
        return box, box.isChecked, lambda value: box.setChecked(bool(value))

    def _choice(self) -> tuple[QWidget, Callable[[], Value], Callable[[Value], None]]:
        box = QComboBox()
        box.addItems(self.parameter.choices)
        box.currentIndexChanged.connect(self.changed)
        return box, box.currentText, lambda value: box.setCurrentText(str(value))

    def _whole(self) -> tuple[QWidget, Callable[[], Value], Callable[[Value], None]]:
        box, parameter = QSpinBox(), self.parameter
        box.lineEdit().setTextMargins(theme.px(7), 0, 0, 0)
        box.setMinimumHeight(theme.px(_NUMBER_PX))
        box.setRange(
            -_MOST if parameter.minimum is None else int(parameter.minimum),
            _MOST if parameter.maximum is None else int(parameter.maximum),
        )
        box.setGroupSeparatorShown(True)
        box.valueChanged.connect(self.changed)
        return box, box.value, lambda value: box.setValue(int(str(value)))

    def _real(self) -> tuple[QWidget, Callable[[], Value], Callable[[Value], None]]:
        box, parameter = QDoubleSpinBox(), self.parameter
        box.lineEdit().setTextMargins(theme.px(7), 0, 0, 0)
        box.setMinimumHeight(theme.px(_NUMBER_PX))
        box.setDecimals(6)
        box.setRange(
            -1e12 if parameter.minimum is None else parameter.minimum,
            1e12 if parameter.maximum is None else parameter.maximum,
        )
        box.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        box.valueChanged.connect(self.changed)
        return box, box.value, lambda value: box.setValue(float(str(value)))

    def _line(self) -> tuple[QWidget, Callable[[], Value], Callable[[Value], None]]:
        line = QLineEdit()
        line.setClearButtonEnabled(True)
        if self.parameter.kind in (int, float):
            line.setValidator(QDoubleValidator(line))
        line.setPlaceholderText(self.tr("not given"))
        line.textChanged.connect(self.changed)
        empty: Value = None if self.parameter.default is None else ""

        def get() -> Value:
            return line.text().strip() or empty

        return line, get, lambda value: line.setText("" if value is None else str(value))

    def _pick(self) -> None:
        line = self.control
        assert isinstance(line, QLineEdit)
        what = label(self.parameter)
        if self.parameter.picks == "file":
            name, _ = QFileDialog.getOpenFileName(self, what, line.text())
        else:
            name = QFileDialog.getExistingDirectory(self, what, line.text())
        if name:
            line.setText(name)


class ParameterForm(QWidget):
    """All parameters of a job; `changed` is emitted when a value is another."""

    changed = Signal()

    def __init__(self, job: Job) -> None:
        super().__init__()
        self.job = job
        self.fields = {parameter.name: Field(parameter) for parameter in job.parameters}
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(16)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for parameter, field in zip(job.parameters, self.fields.values(), strict=True):
            name = QLabel(label(parameter))
            name.setBuddy(field.control)
            form.addRow(name, _explained(field, parameter))
            field.changed.connect(self.changed)

    @property
    def values(self) -> dict[str, Value]:
        """All values as they stand."""
        return {name: field.value for name, field in self.fields.items()}

    def fault(self) -> str:
        """What is wrong with the values, in a sentence; empty when they can be used."""
        try:
            self.job.resolved(self.values)
        except JobFailed as exc:
            return str(exc)
        return ""

    def set_values(self, values: Mapping[str, Value]) -> None:
        """Put an earlier run's values in; what the job no longer knows is left out."""
        for name, field in self.fields.items():
            field.set_value(values.get(name, field.parameter.default))

    def reset(self) -> None:
        """Put the defaults in."""
        self.set_values({})


def label(parameter: Parameter) -> str:
    """A parameter's name as people read it."""
    return QCoreApplication.translate("Jobs", parameter.title)


def _explained(field: Field, parameter: Parameter) -> QWidget:
    """A control over its explanation."""
    both, words = QWidget(), QLabel(QCoreApplication.translate("Jobs", parameter.description))
    words.setWordWrap(True)
    words.setTextFormat(Qt.TextFormat.PlainText)
    theme.tone(words, "muted")
    column = QVBoxLayout(both)
    column.setContentsMargins(0, 0, 0, 8)
    column.setSpacing(2)
    column.addWidget(field)
    column.addWidget(words)
    return both
