"""The top bar: what is heard, the PADS switch, and how the engine is."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from app import theme
from app.dialogs.certificate import sentence, verdict
from app.engine_words import exactness, policy, worded
from app.widgets.flow import Flow
from app.widgets.level import Level
from app.widgets.sound_recording import RecordingLamp
from app.widgets.switch import Switch
from engine import commands, events, paths
from engine.events import Event, TurnState

_TIP = Qt.ItemDataRole.ToolTipRole
_VERDICTS = {"exact": theme.HIDDEN, "lossy": theme.ALERT}


class Controls(QWidget):
    """Emits commands of `engine.commands` through `command`."""

    command = Signal(object)

    def __init__(self, *, pads: bool, microphone: str | None = None) -> None:
        super().__init__()
        self._microphone = microphone
        name = QLabel("PADS")
        name.setFont(theme.font(17, bold=True))
        self.source = QComboBox()
        self.source.setAccessibleName(self.tr("Source of sound"))
        self.source.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._fill()
        self.start = QPushButton(self.tr("Start"))
        self.start.setAccessibleName(self.tr("Start or stop the chosen source"))
        self.start.setEnabled(False)
        self.level = Level()
        self.sound = QPushButton(self.tr("Sound …"))
        self.sound.setAccessibleName(self.tr("Choose and test the microphone"))
        self.compare = QPushButton(self.tr("Compare …"))
        self.compare.setAccessibleName(self.tr("Compare a recording with and without PADS"))
        self.compare.setToolTip(self.tr("The same sound without and with PADS (C)"))
        self.pads = Switch("PADS", on=pads)
        self.pads.setToolTip(
            self.tr("On: deep work starts inside your pauses. Off: after your turn.")
        )
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Start of the engine"))
        self.progress.setFixedSize(120, 6)
        self.progress.setRange(0, 100)
        self.lamp, self.status = QLabel("●"), QLabel()
        self.exactness, self.exit = QPushButton(), QLabel()
        self.exactness.setAccessibleName(self.tr("Show the certificate"))
        self.rests, self.recording = QLabel(), RecordingLamp()
        theme.tone(self.rests, "alert")
        self.rests.hide()
        for badge in (self.exactness, self.exit):
            badge.setObjectName("badge")
            badge.hide()
        self._lay(
            (name, self.source, self.start, self.level, self.sound, self.pads, self.compare),
            (
                self.recording,
                self.rests,
                self.progress,
                self.lamp,
                self.status,
                self.exactness,
                self.exit,
            ),
        )
        self._states = {
            TurnState.LISTENING: (self.tr("listening"), "muted"),
            TurnState.SPEAKING: (self.tr("you speak"), "audio"),
            TurnState.PAUSING: (self.tr("you pause"), "shallow"),
            TurnState.REPLYING: (self.tr("replying"), "hidden"),
        }
        self._say(self.tr("starting …"), "muted")
        self.start.clicked.connect(self._toggle)
        self.pads.toggled.connect(lambda on: self.command.emit(commands.SwitchPads(on=on)))
        self.source.activated.connect(self._picked)
        self._running, self._ready, self._alive, self._chosen = False, False, False, 0

    def _lay(self, left: tuple[QWidget, ...], right: tuple[QWidget, ...]) -> None:
        """Controls from the left, lamps to the right; a narrow window wraps between them."""
        layout = Flow(spacing=10)
        layout.setContentsMargins(16, 8, 16, 8)
        lamps = QWidget()
        lamps.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(lamps)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addStretch(1)
        for widget in right:
            row.addWidget(widget)
        layout.add(*left, lamps)
        self.setLayout(layout)

    def _fill(self) -> None:
        for demo in paths.demo_recordings():
            title, about = described(demo)
            offer = self.tr("Demo: {title}").format(title=title)
            self.source.addItem(offer, commands.OpenFile(path=str(demo)))
            self.source.setItemData(self.source.count() - 1, about, _TIP)
        self.source.addItem(self.tr("Microphone"), commands.OpenMicrophone())
        self.source.addItem(self.tr("Open a sound file …"), None)

    def use_microphone(self, name: str | None) -> None:
        """Open this microphone from now on; None follows the system's default."""
        self._microphone = name

    def open_file(self, path: Path) -> None:
        """Offer a file as a source, choose it, and start it."""
        at = self.source.count() - 1
        offer = self.tr("File: {name}").format(name=path.name)
        self.source.insertItem(at, offer, commands.OpenFile(path=str(path)))
        self.source.setCurrentIndex(at)
        self._chosen = at
        self._open()

    def play(self, demo: Path) -> None:
        """Choose a demo and start it."""
        wanted = commands.OpenFile(path=str(demo))
        at = [self.source.itemData(i) for i in range(self.source.count())].index(wanted)
        self.source.setCurrentIndex(at)
        self._chosen = at
        self._open()

    def take(self, event: Event) -> None:
        """Take the next event."""
        self.recording.take(event)
        match event:
            case events.AudioHeard():
                self.level.hear(max(abs(event.low), abs(event.high)))
            case events.StateChanged(state=state):
                told = self._running or state is TurnState.REPLYING
                self._say(*(self._states[state] if told else (self.tr("ready"), "hidden")))
            case events.EngineProgress():
                self._say(f"{worded(event.step)} …", "muted")
                self.progress.setValue(round(100 * event.fraction))
                self.progress.show()
            case events.EngineReady():
                self._ready = True
                self.rests.hide()
                self.progress.hide()
                self._say(self.tr("ready"), "hidden")
                self._describe(event)
                self.start.setEnabled(True)
            case events.EngineFailed():
                self.progress.hide()
                self._say(self.tr("not started"), "alert")
            case events.SpeculationRested(resting=resting, reason=reason):
                self.rests.setText(self.tr("PADS rests: {reason}").format(reason=reason))
                self.rests.setToolTip(
                    self.tr("The processor is hot (measured), so nothing is started in pauses.")
                )
                self.rests.setVisible(resting)
            case events.SourceOpened():
                self._running = True
                self.start.setText(self.tr("Stop"))
                self._say(self.tr("listening"), "muted")
            case events.SourceEnded():
                self._running = False
                self.start.setText(self.tr("Start"))
                self._say(self.tr("ready"), "hidden")
            case events.DecoderStatus(state=state) if state != "ready":
                self._say(self.tr("decoder {state}").format(state=state), "alert")

    def redraw(self) -> None:
        """The level falls; sound that stays away while a source is open is told."""
        self.level.redraw()
        alive = self.level.alive
        if self._alive and not alive and self._running:
            self._say(self.tr("no sound arrives"), "alert")
        self._alive = alive

    def _say(self, words: str, tone: str) -> None:
        theme.tone(self.lamp, tone)
        self.lamp.setAccessibleName(words)
        self.status.setText(words)

    def _describe(self, ready: events.EngineReady) -> None:
        decoder = ready.details.get("decoder", {})
        if found := verdict(decoder):
            self.exactness.setIcon(theme.dot(_VERDICTS.get(found, theme.VISIBLE)))
            self.exactness.setText(exactness(found))
            tip = self.tr("{sentence} Click for the certificate.")
            self.exactness.setToolTip(tip.format(sentence=sentence(decoder)))
            name = self.tr("{verdict}: show the certificate")
            self.exactness.setAccessibleName(name.format(verdict=exactness(found)))
            self.exactness.show()
        if {"exit_layer", "layers", "exit_policy"} <= decoder.keys():
            facts = {
                "exit": decoder["exit_layer"],
                "layers": decoder["layers"],
                "policy": policy(decoder["exit_policy"]),
                "model": str(decoder.get("model", "")).removesuffix(".gguf"),
            }
            self.exit.setText(self.tr("exit {exit} of {layers} · {policy}").format(**facts))
            tip = self.tr("{model}: the first {exit} of {layers} layers draft.")
            self.exit.setToolTip(tip.format(**facts))
            self.exit.show()

    def _toggle(self) -> None:
        if self._running:
            self.command.emit(commands.CloseSource())
        else:
            self._open()

    def _open(self) -> None:
        command = self.source.currentData()
        if isinstance(command, commands.OpenMicrophone):
            command = commands.OpenMicrophone(name=self._microphone)
        if command is not None and self._ready:
            self.command.emit(command)

    def _picked(self, index: int) -> None:
        if self.source.itemData(index) is None:
            self.browse()
            return
        self._chosen = index
        if self._running:
            self._open()

    def browse(self) -> None:
        """Ask for a sound file, and play it."""
        chosen, _ = QFileDialog.getOpenFileName(
            self,
            self.tr("Open a sound file"),
            "",
            self.tr("Sound (*.wav *.flac *.ogg);;All files (*)"),
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
