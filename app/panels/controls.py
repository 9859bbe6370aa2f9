"""The top bar: what is heard, the PADS switch, and how the engine is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
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
from engine import events, paths
from engine.events import Event, TurnState

_STATES = {
    TurnState.LISTENING: "listening",
    TurnState.SPEAKING: "you speak",
    TurnState.PAUSING: "you pause",
    TurnState.REPLYING: "replying",
}


class Controls(QWidget):
    """Emits commands of `engine.events` through `command`."""

    command = Signal(object)

    def __init__(self, *, pads: bool) -> None:
        super().__init__()
        self.setFixedHeight(54)
        name = QLabel("PADS")
        name.setFont(theme.font(17, bold=True))
        self.source = QComboBox()
        self.source.setAccessibleName("Source of sound")
        self.source.setMinimumWidth(230)
        self._fill()
        self.start = QPushButton("Start")
        self.start.setAccessibleName("Start or stop the chosen source")
        self.start.setEnabled(False)
        self.pads = QPushButton()
        self.pads.setObjectName("pads")
        self.pads.setCheckable(True)
        self.pads.setChecked(pads)
        self.pads.setToolTip("On: deep work starts inside your pauses. Off: after your turn.")
        self.pads.setMinimumWidth(104)
        self._label_pads(pads)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedSize(120, 6)
        self.progress.setRange(0, 100)
        self.status = QLabel("Starting …")
        self.exactness = QLabel()
        self.exactness.setObjectName("muted")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 0, 16, 0)
        layout.setSpacing(10)
        left: tuple[QWidget, ...] = (name, self.source, self.start, self.pads)
        right: tuple[QWidget, ...] = (self.progress, self.status, self.exactness)
        for widget in left:
            layout.addWidget(widget)
        layout.addStretch(1)
        for widget in right:
            layout.addWidget(widget)
        self.start.clicked.connect(self._toggle)
        self.pads.toggled.connect(self._switch)
        self.source.activated.connect(self._picked)
        self._running, self._ready = False, False

    def _fill(self) -> None:
        for demo in sorted(paths.demos().glob("*.flac")):
            title = demo.stem.replace("-", " ").replace("_", " ")
            self.source.addItem(f"Demo: {title}", events.OpenFile(path=str(demo)))
        self.source.addItem("Microphone", events.OpenMicrophone())
        self.source.addItem("Open a sound file …", None)

    def open_file(self, path: Path) -> None:
        """Offer a file as a source, choose it, and start it."""
        at = self.source.count() - 1
        self.source.insertItem(at, f"File: {path.name}", events.OpenFile(path=str(path)))
        self.source.setCurrentIndex(at)
        self._open()

    def take(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case events.EngineProgress():
                self.status.setText(f"{event.step} …")
                self.progress.setValue(round(100 * event.fraction))
                self.progress.show()
            case events.EngineReady():
                self._ready = True
                self.progress.hide()
                self.status.setText("ready")
                self.exactness.setText(_exactness(event))
                self.start.setEnabled(True)
            case events.EngineFailed():
                self.progress.hide()
                self.status.setText("not started")
            case events.SourceOpened(name=name):
                self._running = True
                self.start.setText("Stop")
                self.status.setText(name)
            case events.SourceEnded():
                self._running = False
                self.start.setText("Start")
                self.status.setText("ready")
            case events.StateChanged(state=state):
                self.status.setText(_STATES[state])
            case events.DecoderStatus(state=state) if state != "ready":
                self.status.setText(f"decoder {state}")

    def _toggle(self) -> None:
        if self._running:
            self.command.emit(events.CloseSource())
        else:
            self._open()

    def _open(self) -> None:
        command = self.source.currentData()
        if command is not None and self._ready:
            self.command.emit(command)

    def _picked(self, index: int) -> None:
        if self.source.itemData(index) is None:
            self._browse()
        elif self._running:
            self._open()

    def _browse(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self, "Open a sound file", "", "Sound (*.wav *.flac *.ogg);;All files (*)"
        )
        if chosen:
            self.open_file(Path(chosen))
        else:
            self.source.setCurrentIndex(0)

    def _switch(self, on: bool) -> None:
        self._label_pads(on)
        self.command.emit(events.SwitchPads(on=on))

    def _label_pads(self, on: bool) -> None:
        self.pads.setText("PADS on" if on else "PADS off")
        self.pads.setCursor(Qt.CursorShape.PointingHandCursor)


def _exactness(ready: events.EngineReady) -> str:
    decoder = ready.details.get("decoder", {})
    model = str(decoder.get("model", "")).removesuffix(".gguf")
    return f"{model} · exit {decoder.get('exit_layer', '?')} of {decoder.get('layers', '?')}"
