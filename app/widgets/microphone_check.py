"""A microphone to choose, how loud it is, and whether speech arrives well."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app import theme
from app.evidence import tag
from app.widgets.meter import Meter, words
from engine import commands, events
from engine.events import Event, Evidence, LevelRead

_LOOK_MS = 2000  # how long a microphone just plugged in stays off the list
_STALE_S = 1.0
_TONES = {"fine": "hidden", "too quiet": "visible"}


class MicrophoneCheck(QWidget):
    """Emits commands through `command` and the remembered microphone through `chosen`.

    While it is shown without a conversation under way, the chosen microphone is open for its
    level alone.
    """

    command = Signal(object)
    chosen = Signal(object)

    def __init__(self, microphone: str | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._microphone = microphone
        self._running = self._checking = self._asked = self._ready = False
        self._testing = False
        self._kind, self._lost_blocks, self._level_s = "", 0, float("-inf")
        self.picker, self.meter = QComboBox(), Meter()
        self.picker.setAccessibleName(self.tr("Microphone"))
        self.reading, self.lost, self.message = QLabel(), QLabel(), QLabel()
        self.test, self.verdict = QPushButton(self.tr("&Say something")), QLabel()
        self.test.setAccessibleDescription(self.tr("Judges three seconds of your speech"))
        self.form = QFormLayout()
        self._lay()
        self._list((), None)
        self._tell_lost()
        self.test.setEnabled(False)
        self.picker.activated.connect(self._picked)
        self.test.clicked.connect(self._begin_test)
        self._looking = QTimer(self, interval=_LOOK_MS)
        self._looking.timeout.connect(lambda: self.command.emit(commands.ListInputs()))

    @property
    def microphone(self) -> str | None:
        """The chosen microphone's name; None follows the system's default."""
        return self._microphone

    def use(self, name: str | None) -> None:
        """Show a microphone that was chosen elsewhere."""
        self._microphone = name
        offered = [self.picker.itemData(i) for i in range(self.picker.count())]
        if name not in offered:
            self.picker.addItem(self.tr("{name} (not connected)").format(name=name), name)
            offered.append(name)
        self.picker.setCurrentIndex(offered.index(name))

    def _lay(self) -> None:
        for label in (self.reading, self.lost):
            label.setObjectName("muted")
        for label in (self.message, self.verdict, self.lost):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.form.setSpacing(12)
        self.verdict.setMinimumHeight(3 * self.verdict.fontMetrics().height())
        self.verdict.setAlignment(Qt.AlignmentFlag.AlignTop)
        name = QLabel(self.tr("&Microphone"))
        name.setBuddy(self.picker)
        self.form.addRow(name, self.picker)
        self.form.addRow(self.tr("Level"), self.meter)
        self.form.addRow("", self.reading)
        self.form.addRow("", self.lost)
        self.form.addRow(self.tr("Test"), self.test)
        self.form.addRow("", self.verdict)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(14)
        layout.addWidget(self.message)
        layout.addLayout(self.form)
        self.message.hide()

    def take(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case events.EngineReady():
                self._ready = True
                self._say("")
                self._watch()
            case events.EngineFailed(message=message):
                self._say(message)
            case events.InputsListed(problem=str(problem)):
                self._say(problem)
            case events.InputsListed(names=names, default=default):
                self._list(names, default)
            case events.SourceOpened(kind=kind):
                self._running, self._kind, self._lost_blocks = True, kind, 0
                self._checking, self._asked = kind == events.CHECK, False
                self._tell_lost()
                self._say("")
            case events.SourceEnded(reason=reason):
                self._running = self._checking = False
                problem = "" if reason in ("finished", "closed") else reason
                self._asked = self._asked and not problem
                if self._testing and not self._asked:
                    self._testing = False
                    self.verdict.setText("")
                self._show_level(None)
                self._say(problem)
            case events.Problem(message=message) if self._running or self.isVisible():
                self._say(message)
            case events.SourceRecovered(name=name):
                self._say(self.tr("{name} is back.").format(name=name))
            case events.BlocksDropped(blocks=blocks):
                self._lost_blocks += blocks
                self._tell_lost()
            case events.SoundTested():
                self._tested(event)
            case _:
                return
        self.test.setEnabled(self._ready and not self._testing)

    def show_gauge(self, gauge: Any) -> None:
        """Take a gauge; others than `LevelRead` are not for this."""
        if isinstance(gauge, LevelRead):
            self._level_s = time.monotonic()
            self._show_level(gauge)

    def redraw(self) -> None:
        """A meter that is no longer fed says so."""
        if self.meter.level is not None and time.monotonic() - self._level_s > _STALE_S:
            self._show_level(None)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Look for inputs, and listen to the chosen one."""
        super().showEvent(event)
        self.verdict.setText("")
        self._watch()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        """Let go of a microphone that was open for its level alone."""
        super().hideEvent(event)
        self._looking.stop()
        if self._checking or self._asked:
            self.command.emit(commands.CloseSource())

    def _watch(self) -> None:
        if not (self._ready and self.isVisible()):
            return
        self.command.emit(commands.ListInputs())
        self._looking.start()
        if not self._running:
            self._check()

    def _check(self) -> None:
        self._asked = True
        self.command.emit(commands.CheckMicrophone(name=self._microphone))

    def _list(self, names: tuple[str, ...], default: str | None) -> None:
        """Offer the inputs; one that is remembered but away stays on offer, and says so."""
        offers: list[tuple[str, str | None]] = [(self._default_words(default), None)]
        offers += [(name, name) for name in names]
        if self._microphone is not None and self._microphone not in names:
            away = self.tr("{name} (not connected)").format(name=self._microphone)
            offers.append((away, self._microphone))
        shown = [
            (self.picker.itemText(i), self.picker.itemData(i)) for i in range(self.picker.count())
        ]
        if offers == shown or self.picker.view().isVisible():
            return
        with QSignalBlocker(self.picker):
            self.picker.clear()
            for text, name in offers:
                self.picker.addItem(text, name)
            self.picker.setCurrentIndex([name for _, name in offers].index(self._microphone))

    def _default_words(self, default: str | None) -> str:
        if default is None:
            return self.tr("System default")
        return self.tr("System default ({name})").format(name=default)

    def _picked(self, index: int) -> None:
        name = self.picker.itemData(index)
        if name == self._microphone:
            return
        self._microphone = name
        self.verdict.setText("")
        self.chosen.emit(name)
        if self._checking or not self._running:
            self._check()
        elif self._kind == "microphone":
            self.command.emit(commands.OpenMicrophone(name=name))

    def _begin_test(self) -> None:
        if not self._running:
            self._check()
        self._testing = True
        self.test.setEnabled(False)
        self.verdict.setText(self.tr("Speak now, for three seconds …"))
        theme.tone(self.verdict, "")
        self.command.emit(commands.SaySomething())

    def _tested(self, found: events.SoundTested) -> None:
        self._testing = False
        said = f"{found.verdict.capitalize()}: {found.advice}"
        if found.speech_dbfs is not None:
            level = self.tr("({level:.0f} dBFS, measured)")
            said += " " + level.format(level=found.speech_dbfs)
        self.verdict.setText(f"{said}.")
        theme.tone(self.verdict, _TONES.get(found.verdict, "alert"))
        self.verdict.setAccessibleName(self.verdict.text())

    def _show_level(self, level: LevelRead | None) -> None:
        self.meter.show_level(level)
        self.reading.setText(words(level))

    def _tell_lost(self) -> None:
        lost = self.tr("{count} audio blocks lost · {evidence}")
        self.lost.setText(lost.format(count=self._lost_blocks, evidence=tag(Evidence.MEASURED)))

    def _say(self, sentence: str) -> None:
        self.message.setText(sentence)
        self.message.setAccessibleName(sentence)
        self.message.setVisible(bool(sentence))
