"""Recording what is heard: the switch, off at every start, and the lamp that shows it happening."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app import theme
from app.widgets.switch import Switch
from engine import commands, events
from engine.events import Event


class RecordingSwitch(QWidget):
    """Emits `RecordSound` through `command`."""

    command = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.switch = Switch(self.tr("Record sound"), on=False)
        meaning = QLabel(
            self.tr(
                "Keeps what is heard beside the session's record, for you alone; a past session "
                "can play it. Off again at every start."
            )
        )
        meaning.setObjectName("muted")
        meaning.setWordWrap(True)
        meaning.setMinimumHeight(3 * meaning.fontMetrics().height())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(meaning)
        self.switch.toggled.connect(lambda on: self.command.emit(commands.RecordSound(on=on)))

    def take(self, event: Event) -> None:
        """An engine that has just started records nothing, nor does one that gave up."""
        gave_up = isinstance(event, events.SoundRecorded) and not event.file
        if gave_up or isinstance(event, events.EngineReady):
            self.switch.setChecked(False)


class RecordingLamp(QLabel):
    """Seen while sound is being written to a file, and only then."""

    def __init__(self) -> None:
        super().__init__(self.tr("● recording sound"))
        theme.tone(self, "alert")
        self.hide()

    def take(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case events.SoundRecorded(on=on):
                self.setVisible(on)
            case events.WorkerDied(name="engine"):
                self.hide()
