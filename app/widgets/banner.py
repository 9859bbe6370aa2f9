"""One sentence about something that needs the user, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QPushButton, QVBoxLayout

from app.widgets.flow import Flow

Details = Callable[[bool], str]
"""Text to copy; True asks for the words of the conversation too."""


class Banner(QFrame):
    """Shows a sentence until it is dismissed; `details` makes what can be copied about it."""

    def __init__(self, retry: Callable[[], None], details: Callable[[str, bool], str]) -> None:
        super().__init__()
        self.setObjectName("banner")
        self._about = details
        self._details: Details = lambda _: ""
        self._then: Callable[[], None] | None = None
        self._of_source = False
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.retry, self.copy = QPushButton(self.tr("Try again")), QPushButton()
        self.copy.setText(self.tr("Copy details"))
        self.dismiss = QPushButton(self.tr("Dismiss"))
        self.with_words = QCheckBox(self.tr("with the words of the conversation"))
        self.copy.setToolTip(self.tr("Log, versions and machine: nothing is sent anywhere"))
        self.retry.clicked.connect(self.hide)
        self.retry.clicked.connect(retry)
        self.copy.clicked.connect(self._copy)
        self.dismiss.clicked.connect(self._leave)
        row = Flow(spacing=10)
        row.add(self.retry, self.copy, self.with_words, self.dismiss)
        layout = QVBoxLayout(self)
        layout.addWidget(self.words)
        layout.addLayout(row)
        self.hide()

    def tell(self, sentence: str, *, retry: bool, of_source: bool = False) -> None:
        """Show a sentence about a problem; that of a source is over when another one is open."""
        self._say(sentence, lambda words: self._about(sentence, words))
        self._of_source = of_source
        self.retry.setVisible(retry)
        self.with_words.show()

    def source_opened(self) -> None:
        """What was the matter with a source needs nobody any more."""
        if self._of_source:
            self.hide()

    def offer(self, sentence: str, details: str, then: Callable[[], None]) -> None:
        """Show a sentence with a text to copy; `then` is called once it is copied or dismissed."""
        self._say(sentence, lambda _: details)
        self._then = then
        self.retry.hide()
        self.with_words.hide()

    def _say(self, sentence: str, details: Details) -> None:
        self._details, self._then, self._of_source = details, None, False
        self.words.setText(sentence)
        self.setAccessibleName(sentence)
        self.copy.setText(self.tr("Copy details"))
        self.with_words.setChecked(False)
        self.show()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._details(self.with_words.isChecked()))
        self.copy.setText(self.tr("Copied"))
        self._done()

    def _leave(self) -> None:
        self.hide()
        self._done()

    def _done(self) -> None:
        then, self._then = self._then, None
        if then is not None:
            then()
