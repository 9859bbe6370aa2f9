"""A control for one setting, chosen by the setting's type and limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSlider,
    QSpinBox,
    QWidget,
)

from app import theme

_SLIDER_STEPS = 100


class SettingEditor(QWidget):
    """Emits `changed` with the new value; `control` is what a label's shortcut goes to."""

    changed = Signal(object)

    def __init__(
        self, item: Field[Any], *, name: str, words: dict[str, str], unit: str, step: float
    ) -> None:
        super().__init__()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._name, self._words = name, words
        self._show: Callable[[Any], None]
        limits, default = item.metadata, item.default
        self.control: QWidget
        if "choices" in limits:
            self.control = self._choice(limits["choices"])
        elif isinstance(default, bool):
            self.control = self._check()
        elif isinstance(default, float):
            self.control = self._number(limits["low"], limits["high"], unit, step)
        elif isinstance(default, int):
            self.control = self._count(limits["low"], limits["high"], unit, round(step))
        elif default is None:
            self.control = self._folder()
        else:
            self.control = self._line()
        for child in self.findChildren(QWidget):
            child.setAccessibleName(child.accessibleName() or name)
            child.installEventFilter(self)

    def show_value(self, value: Any) -> None:
        """Show a value without telling of it."""
        self._show(value)

    def in_words(self, value: Any) -> str:
        """A value as a user reads it."""
        if value is None or value == "":
            return self.tr("none")
        if isinstance(value, bool):
            return self.tr("on") if value else self.tr("off")
        if isinstance(value, float):
            return f"{value:g}"
        return self._words.get(str(value), str(value))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """The wheel scrolls the page unless one is in the control: values must not drift."""
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget):
            return not watched.hasFocus()
        return super().eventFilter(watched, event)

    def _choice(self, choices: tuple[str, ...]) -> QWidget:
        picker = QComboBox()
        for value in sorted(choices, key=list(self._words).index):
            picker.addItem(self._words[value], value)
        self._show = lambda value: picker.setCurrentIndex(picker.findData(value))
        picker.activated.connect(lambda index: self.changed.emit(picker.itemData(index)))
        self._row.addWidget(picker)
        return picker

    def _check(self) -> QWidget:
        box = QCheckBox(self.tr("on"))
        self._show = box.setChecked
        box.clicked.connect(lambda: self.changed.emit(box.isChecked()))
        self._row.addWidget(box)
        return box

    def _number(self, low: float, high: float, unit: str, step: float) -> QWidget:
        spin = QDoubleSpinBox()
        spin.lineEdit().setTextMargins(theme.px(7), 0, 0, 0)
        spin.setRange(low, high)
        spin.setSingleStep(step)
        spin.setSuffix(unit)
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(0, _SLIDER_STEPS)
        slider.setPageStep(_SLIDER_STEPS // 10)

        def show(value: float) -> None:
            with QSignalBlocker(spin), QSignalBlocker(slider):
                spin.setValue(value)
                slider.setValue(round(_SLIDER_STEPS * (value - low) / (high - low)))

        def tell(value: float) -> None:
            show(value)
            self.changed.emit(value)

        self._show = show
        spin.valueChanged.connect(tell)
        slider.valueChanged.connect(lambda at: tell(low + (high - low) * at / _SLIDER_STEPS))
        self._row.addWidget(spin)
        self._row.addWidget(slider, 1)
        return spin

    def _count(self, low: int, high: int, unit: str, step: int) -> QWidget:
        spin = QSpinBox()
        spin.lineEdit().setTextMargins(theme.px(7), 0, 0, 0)
        spin.setRange(low, high)
        spin.setSingleStep(step)
        spin.setSuffix(unit)

        def show(value: int) -> None:
            with QSignalBlocker(spin):
                spin.setValue(value)

        self._show = show
        spin.valueChanged.connect(self.changed.emit)
        self._row.addWidget(spin)
        return spin

    def _line(self) -> QLineEdit:
        line = QLineEdit()
        self._show = lambda value: line.setText(value or "")
        line.editingFinished.connect(lambda: self.changed.emit(line.text()))
        self._row.addWidget(line, 1)
        return line

    def _folder(self) -> QWidget:
        """A folder's path; none where the line is empty."""
        line, choose = QLineEdit(), QPushButton(self.tr("Choose …"))
        choose.setAutoDefault(False)  # Return in the line means the line
        choose.setAccessibleName(self.tr("Choose a folder: {name}").format(name=self._name))
        self._show = lambda value: line.setText(value or "")
        line.editingFinished.connect(lambda: self.changed.emit(line.text() or None))

        def browse() -> None:
            folder = QFileDialog.getExistingDirectory(self, self._name, line.text())
            if folder:
                line.setText(folder)
                self.changed.emit(folder)

        choose.clicked.connect(browse)
        self._row.addWidget(line, 1)
        self._row.addWidget(choose)
        return line
