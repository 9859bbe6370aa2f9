"""The Settings dialog: what can be set, in plain words; every change counts and is kept at once."""

from __future__ import annotations

from dataclasses import Field, fields, replace
from typing import Any

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGroupBox,
    QLabel,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.dialogs.setting_texts import Group, Row, When, groups
from app.evidence import tag
from app.preferences import Preferences
from app.widgets.flow import Flow
from app.widgets.scrolled import Scrolled
from app.widgets.setting_editor import SettingEditor
from engine import events
from engine.events import Event, Evidence
from engine.history.timeline import Timeline
from engine.settings import Settings

_KEEP_MS = 150  # a slider that is dragged gives sixty values a second


class SettingsDialog(QDialog):
    """Shows and changes `preferences`, and what its thresholds mean for `timeline`."""

    def __init__(
        self, preferences: Preferences, timeline: Timeline, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self._preferences, self._timeline = preferences, timeline
        self._pending: dict[str, Any] = {}
        self._decisions = -1
        self.editors: dict[str, SettingEditor] = {}
        self.resets: dict[str, QPushButton] = {}
        self.effect = QLabel()
        self.effect.setWordWrap(True)
        self._keeping = QTimer(self, interval=_KEEP_MS, singleShot=True)
        self._keeping.timeout.connect(self._keep)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 12, 0)
        column.setSpacing(16)
        for group in groups():
            column.addWidget(self._group(group))
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        button = close.button(QDialogButtonBox.StandardButton.Close)
        button.setIcon(QIcon())
        button.setAutoDefault(False)  # Return in a field must not close the dialog
        close.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 12, 16)
        layout.addWidget(Scrolled(page, self.tr("Settings")))
        layout.addWidget(close)
        preferences.changed.connect(self._show)
        self._show(preferences.settings)

    def _group(self, group: Group) -> QWidget:
        box = QGroupBox(group.title)
        column = QVBoxLayout(box)
        column.setSpacing(4)
        for row in group.rows:
            self._add(row, column)
        if any(row.path == "gate.theta_end" for row in group.rows):
            column.addWidget(self.effect)
        reset = QPushButton(self.tr("&Reset this group"))
        reset.setAccessibleName(self.tr("Reset the group {title}").format(title=group.title))
        reset.setAutoDefault(False)
        reset.clicked.connect(lambda: self._reset(group))
        self.resets[group.title] = reset
        foot = Flow(spacing=8)
        foot.add(reset)
        column.addSpacing(6)
        column.addLayout(foot)
        return box

    def _add(self, row: Row, column: QVBoxLayout) -> None:
        editor = SettingEditor(
            _item(row.path), name=row.name, words=row.words, unit=row.unit, step=row.step
        )
        name, about = QLabel(row.name), QLabel(self._about(row, editor))
        name.setBuddy(editor.control)
        name.setWordWrap(True)
        about.setObjectName("muted")
        about.setWordWrap(True)
        editor.control.setAccessibleDescription(about.text())
        editor.changed.connect(lambda value: self._take(row.path, value))
        self.editors[row.path] = editor
        for widget in (name, editor, about):
            column.addWidget(widget)
        column.addSpacing(10)

    def _about(self, row: Row, editor: SettingEditor) -> str:
        counts = self.tr("Counts at once.")
        if row.when is When.START:
            counts = self.tr("Counts from the next start of PADS Live.")
        default = self.tr("Default: {value}.")
        default = default.format(value=editor.in_words(value_at(Settings(), row.path)))
        return f"{row.about} {default} {counts}"

    def take(self, event: Event) -> None:
        """Learn how many layers the model has."""
        if isinstance(event, events.EngineReady):
            layers = event.details.get("decoder", {}).get("layers")
            control = self.editors["decoder.exit_layer"].control
            if layers is not None and isinstance(control, QSpinBox):
                control.setMaximum(layers - 1)

    def redraw(self) -> None:
        """Say what the thresholds mean for the pauses so far."""
        if not self.isVisible() or self._decisions == self._timeline.decisions:
            return
        self._decisions = self._timeline.decisions
        self._tell_effect(self._preferences.settings)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Wide enough to read, and to leave the profiler in view beside it."""
        hint = super().sizeHint()
        return QSize(max(hint.width(), theme.px(520)), hint.height())

    def done(self, result: int) -> None:
        """Closed in whatever way, it leaves nothing unsaved."""
        self._keep()
        super().done(result)

    def _take(self, path: str, value: Any) -> None:
        self._pending[path] = value
        self._keeping.start()

    def _keep(self) -> None:
        self._keeping.stop()
        pending, self._pending = self._pending, {}
        if pending:
            self._preferences.change(lambda old: _with(old, pending))

    def _reset(self, group: Group) -> None:
        self._pending |= {row.path: value_at(Settings(), row.path) for row in group.rows}
        self._keep()

    def _show(self, chosen: Settings) -> None:
        for path, editor in self.editors.items():
            if path not in self._pending:
                editor.show_value(value_at(chosen, path))
        self._tell_effect(chosen)

    def _tell_effect(self, chosen: Settings) -> None:
        gate, pauses = chosen.gate, self._timeline.verdicts
        would = sum(v.p_end >= gate.theta_end and v.p_deep >= gate.theta_deep for v in pauses)
        if not pauses:
            self.effect.setText(self.tr("In this conversation no pause has been judged yet."))
            return
        said = self.tr(
            "Of {n} pauses in this conversation deep work would start in {would} ({evidence})."
        )
        self.effect.setText(said.format(n=len(pauses), would=would, evidence=tag(Evidence.DERIVED)))


def value_at(settings: Settings, path: str) -> Any:
    """The value of a setting like "gate.theta_end"."""
    value: Any = settings
    for name in path.split("."):
        value = getattr(value, name)
    return value


def _with(settings: Settings, values: dict[str, Any]) -> Settings:
    for path, value in values.items():
        group, _, name = path.rpartition(".")
        if group:
            changed = replace(getattr(settings, group), **{name: value})
            settings = replace(settings, **{group: changed})
        else:
            settings = replace(settings, **{name: value})
    return settings


def _item(path: str) -> Field[Any]:
    """Default and limits of a setting."""
    group, _, name = path.rpartition(".")
    owner: Any = value_at(Settings(), group) if group else Settings()
    return next(item for item in fields(owner) if item.name == name)
