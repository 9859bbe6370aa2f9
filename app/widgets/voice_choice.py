"""Whether replies are spoken, and through what they are heard."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWidget

from app.phrases import QT_TRANSLATE_NOOP
from app.widgets.flow import Flow
from app.widgets.switch import Switch
from engine.settings import VoiceSettings

_WAYS = (
    (
        "speaker",
        QT_TRANSLATE_NOOP("VoiceChoice", "Loudspeaker"),
        QT_TRANSLATE_NOOP(
            "VoiceChoice",
            "While a reply is spoken the microphone is not listened to, so that the application "
            "does not answer itself: wait until it has finished.",
        ),
    ),
    (
        "headphones",
        QT_TRANSLATE_NOOP("VoiceChoice", "Headphones"),
        QT_TRANSLATE_NOOP(
            "VoiceChoice",
            "Speak into a reply and it stops; what you have not heard of it is forgotten. Beside a "
            "loudspeaker it would hear itself.",
        ),
    ),
)


class VoiceChoice(QWidget):
    """Emits `changed` with the switch and "speaker" or "headphones"."""

    changed = Signal(bool, str)

    def __init__(self, settings: VoiceSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.switch = Switch(self.tr("Voice"), on=settings.enabled)
        self.way, self.meaning = QComboBox(), QLabel()
        self.way.setAccessibleName(self.tr("Replies are heard through"))
        self.meaning.setObjectName("muted")
        self.meaning.setWordWrap(True)
        for name, words, meaning in _WAYS:
            self.way.addItem(self.tr(words), (name, self.tr(meaning)))
            if name == settings.listening:
                self.way.setCurrentIndex(self.way.count() - 1)
        row = Flow(spacing=8)
        row.add(self.switch, self.way)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.meaning)
        self.meaning.setMinimumHeight(3 * self.meaning.fontMetrics().height())
        self._explain()
        self.switch.toggled.connect(self._tell)
        self.way.activated.connect(self._tell)

    def _explain(self) -> None:
        _, meaning = self.way.currentData()
        self.meaning.setText(meaning)
        self.way.setAccessibleDescription(meaning)

    def _tell(self) -> None:
        self._explain()
        name, _ = self.way.currentData()
        self.changed.emit(self.switch.isChecked(), name)
