"""The top bar: what is heard, the PADS switch, and how the engine is."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QWidget,
)

from app import theme
from app.dialogs.certificate import sentence, verdict
from app.widgets.level import Level
from app.widgets.switch import Switch
from engine import events, paths
from engine.events import Event, TurnState

_TIP = Qt.ItemDataRole.ToolTipRole
_VERDICTS = {"exact": theme.HIDDEN, "lossy": theme.ALERT}
_STATES = {
    TurnState.LISTENING: ("listening", theme.MUTED),
    TurnState.SPEAKING: ("you speak", theme.AUDIO),
    TurnState.PAUSING: ("you pause", theme.SHALLOW),
    TurnState.REPLYING: ("replying", theme.HIDDEN),
}


class Controls(QWidget):
    """Emits commands of `engine.events` through `command`."""

    command = Signal(object)

    def __init__(self, *, pads: bool, microphone: str | None = None) -> None:
        super().__init__()
        self._microphone = microphone
        self.setFixedHeight(54)
        name = QLabel("PADS")
        name.setFont(theme.font(17, bold=True))
        self.source = QComboBox()
        self.source.setAccessibleName("Source of sound")
        self.source.setMinimumWidth(250)
        self._fill()
        self.start = QPushButton("Start")
        self.start.setAccessibleName("Start or stop the chosen source")
        self.start.setMinimumWidth(72)
        self.start.setEnabled(False)
        self.level = Level()
        self.sound = QPushButton("Sound …")
        self.sound.setAccessibleName("Choose and test the microphone")
        self.compare = QPushButton("Compare …")
        self.compare.setAccessibleName("Compare a recording with and without PADS")
        self.compare.setToolTip("The same sound without and with PADS (C)")
        self.pads = Switch("PADS", on=pads)
        self.pads.setToolTip("On: deep work starts inside your pauses. Off: after your turn.")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Start of the engine")
        self.progress.setFixedSize(120, 6)
        self.progress.setRange(0, 100)
        self.status = QLabel()
        self.exactness, self.exit = QPushButton(), QLabel()
        for badge in (self.exactness, self.exit):
            badge.setObjectName("badge")
            badge.hide()
        self._lay(
            (name, self.source, self.start, self.level, self.sound, self.pads, self.compare),
            (self.progress, self.status, self.exactness, self.exit),
        )
        self._say("starting …", theme.MUTED)
        self.start.clicked.connect(self._toggle)
        self.pads.toggled.connect(lambda on: self.command.emit(events.SwitchPads(on=on)))
        self.source.activated.connect(self._picked)
        self._running, self._ready, self._alive, self._chosen = False, False, False, 0

    def _lay(self, left: tuple[QWidget, ...], right: tuple[QWidget, ...]) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 0, 16, 0)
        layout.setSpacing(10)
        middle = Qt.AlignmentFlag.AlignVCenter
        for widget in left:
            layout.addWidget(widget, 0, middle)
        layout.addStretch(1)
        for widget in right:
            layout.addWidget(widget, 0, middle)

    def _fill(self) -> None:
        for demo in paths.demo_recordings():
            title, about = described(demo)
            self.source.addItem(f"Demo: {title}", events.OpenFile(path=str(demo)))
            self.source.setItemData(self.source.count() - 1, about, _TIP)
        self.source.addItem("Microphone", events.OpenMicrophone())
        self.source.addItem("Open a sound file …", None)

    def use_microphone(self, name: str | None) -> None:
        """Open this microphone from now on; None follows the system's default."""
        self._microphone = name

    def open_file(self, path: Path) -> None:
        """Offer a file as a source, choose it, and start it."""
        at = self.source.count() - 1
        self.source.insertItem(at, f"File: {path.name}", events.OpenFile(path=str(path)))
        self.source.setCurrentIndex(at)
        self._chosen = at
        self._open()

    def take(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case events.AudioHeard():
                self.level.hear(max(abs(event.low), abs(event.high)))
            case events.StateChanged(state=state):
                self._say(*_STATES[state])
            case events.EngineProgress():
                self._say(f"{event.step} …", theme.MUTED)
                self.progress.setValue(round(100 * event.fraction))
                self.progress.show()
            case events.EngineReady():
                self._ready = True
                self.progress.hide()
                self._say("ready", theme.HIDDEN)
                self._describe(event)
                self.start.setEnabled(True)
            case events.EngineFailed():
                self.progress.hide()
                self._say("not started", theme.ALERT)
            case events.SourceOpened():
                self._running = True
                self.start.setText("Stop")
                self._say("listening", theme.MUTED)
            case events.SourceEnded():
                self._running = False
                self.start.setText("Start")
                self._say("ready", theme.HIDDEN)
            case events.DecoderStatus(state=state) if state != "ready":
                self._say(f"decoder {state}", theme.ALERT)

    def redraw(self) -> None:
        """The level falls; sound that stays away while a source is open is told."""
        self.level.redraw()
        alive = self.level.alive
        if self._alive and not alive and self._running:
            self._say("no sound arrives", theme.ALERT)
        self._alive = alive

    def _say(self, words: str, colour: QColor) -> None:
        self.status.setText(f"<span style='color:{colour.name()}'>●</span>&nbsp; {words}")
        self.status.setAccessibleName(words)

    def _describe(self, ready: events.EngineReady) -> None:
        decoder = ready.details.get("decoder", {})
        if found := verdict(decoder):
            self.exactness.setIcon(theme.dot(_VERDICTS.get(found, theme.VISIBLE)))
            self.exactness.setText(found)
            self.exactness.setToolTip(f"{sentence(decoder)} Click for the certificate.")
            self.exactness.setAccessibleName(f"{found}: show the certificate")
            self.exactness.show()
        if {"exit_layer", "layers", "exit_policy"} <= decoder.keys():
            self.exit.setText(
                f"exit {decoder['exit_layer']} of {decoder['layers']} · {decoder['exit_policy']}"
            )
            self.exit.setToolTip(
                f"{str(decoder.get('model', '')).removesuffix('.gguf')}: the first "
                f"{decoder['exit_layer']} of {decoder['layers']} layers draft."
            )
            self.exit.show()

    def _toggle(self) -> None:
        if self._running:
            self.command.emit(events.CloseSource())
        else:
            self._open()

    def _open(self) -> None:
        command = self.source.currentData()
        if isinstance(command, events.OpenMicrophone):
            command = events.OpenMicrophone(name=self._microphone)
        if command is not None and self._ready:
            self.command.emit(command)

    def _picked(self, index: int) -> None:
        if self.source.itemData(index) is None:
            self._browse()
            return
        self._chosen = index
        if self._running:
            self._open()

    def _browse(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self, "Open a sound file", "", "Sound (*.wav *.flac *.ogg);;All files (*)"
        )
        if chosen:
            self.open_file(Path(chosen))
        else:
            self.source.setCurrentIndex(self._chosen)


def described(demo: Path) -> tuple[str, str]:
    """Title and description of a demo from the facts beside it; its name if there are none."""
    try:
        facts = json.loads(demo.with_suffix(".json").read_text("utf-8"))
        return str(facts["title"]), str(facts["description"])
    except (OSError, ValueError, KeyError):
        return demo.stem.replace("-", " "), ""
