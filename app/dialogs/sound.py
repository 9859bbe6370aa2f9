"""The Sound dialog: the microphone and its test, and whether replies are spoken."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app.widgets.microphone_check import MicrophoneCheck
from app.widgets.scrolled import Scrolled, roomy
from app.widgets.sound_recording import RecordingSwitch
from app.widgets.voice_choice import VoiceChoice
from engine import commands
from engine.events import Event
from engine.settings import VoiceSettings


class SoundDialog(QDialog):
    """Emits commands through `command` and the remembered microphone through `chosen`."""

    command = Signal(object)
    chosen = Signal(object)

    def __init__(
        self, microphone: str | None, voice: VoiceSettings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Sound"))
        self.resize(roomy(self, 540, 620))
        self.check, self.voice = MicrophoneCheck(microphone), VoiceChoice(voice)
        self.check.command.connect(self.command)
        self.check.chosen.connect(self.chosen)
        self.voice.changed.connect(
            lambda on, way: self.command.emit(commands.SwitchVoice(on=on, listening=way))
        )
        self.check.form.addRow(self.tr("Replies"), self.voice)
        self.recording = RecordingSwitch()
        self.recording.command.connect(self.command)
        self.check.form.addRow(self.tr("Recording"), self.recording)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
        close.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(14)
        layout.addWidget(Scrolled(self.check, self.tr("Sound")), 1)
        layout.addWidget(close)

    def take(self, event: Event) -> None:
        """Take the next event."""
        self.check.take(event)
        self.recording.take(event)

    def show_gauge(self, gauge: Any) -> None:
        """Take a gauge; others than `LevelRead` are not for this dialog."""
        self.check.show_gauge(gauge)

    def redraw(self) -> None:
        """A meter that is no longer fed says so."""
        self.check.redraw()
