"""The result of all visitors: in words with its interval, to be exported and reset."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app import theme
from app.evidence import tag
from engine.errors import PadsError
from engine.evaluation.conversations.blind_results import Book, Outcome, outcome


class Results(QWidget):
    """Reads the book of choices; `book` is where they are kept."""

    def __init__(self, book: Book | None = None) -> None:
        super().__init__()
        self.book = book or Book()
        self.words, self.message = QLabel(), QLabel()
        self.export = QPushButton(self.tr("&Export as CSV …"))
        self.reset = QPushButton(self.tr("&Reset the results"))
        self.undo = QPushButton(self.tr("&Undo the reset"))
        self.words.setFont(theme.font(18))
        for label in (self.words, self.message):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        theme.tone(self.message, "muted")
        row = QHBoxLayout()
        for button, does in (
            (self.export, self._ask_where),
            (self.reset, self._reset),
            (self.undo, self._undo),
        ):
            button.setAccessibleName(button.text().replace("&", ""))
            button.setAutoDefault(False)
            button.clicked.connect(does)
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.words)
        column.addLayout(row)
        column.addWidget(self.message)
        self.refresh()

    def refresh(self) -> None:
        """Read the choices anew."""
        try:
            found = outcome(self.book.choices())
        except PadsError as exc:
            self.say(str(exc))
            return
        self.words.setText(self._in_words(found))
        self.words.setAccessibleName(self.words.text())
        for button in (self.export, self.reset):
            button.setEnabled(found.choices > 0)
        self.undo.setEnabled(self.book.can_undo and not found.choices)

    def say(self, sentence: str) -> None:
        """Say what happened, or what is the matter."""
        self.message.setText(sentence)
        self.message.setAccessibleName(sentence)

    def save_as(self, file: Path) -> None:
        """Export to a file, and say so."""
        try:
            self.book.export(file)
        except PadsError as exc:
            self.say(str(exc))
            return
        self.say(self.tr("Exported to {file}.").format(file=file))

    def _ask_where(self) -> None:
        name, _ = QFileDialog.getSaveFileName(
            self, self.tr("Export as CSV"), "pads-feel-it.csv", self.tr("Tables (*.csv)")
        )
        if name:
            self.save_as(Path(name))

    def _reset(self) -> None:
        try:
            kept = self.book.reset()
        except PadsError as exc:
            self.say(str(exc))
            return
        self.refresh()
        if kept is not None:
            self.say(self.tr("What there was is kept in {file}.").format(file=kept))

    def _undo(self) -> None:
        try:
            self.book.undo_reset()
        except PadsError as exc:
            self.say(str(exc))
            return
        self.refresh()
        self.say(self.tr("The results are back."))

    def _in_words(self, found: Outcome) -> str:
        share, interval = found.share, found.share.interval
        if share.value is None or interval is None or found.chance_p.value is None:
            return self.tr("No visitor has taken part yet.")
        first = self.tr(
            "All visitors so far ({visitors}): in {k} of {n} choices the answer with PADS felt "
            "quicker, {share:.0%} [{low:.0%}, {high:.0%}] ({evidence}; Wilson, {level:.0%}, "
            "choices taken as independent). Guessing gives 50 %; so far from it by chance alone: "
            "p = {p:.2g} ({derived})."
        ).format(
            visitors=found.visitors,
            k=found.for_pads,
            n=found.choices,
            share=share.value,
            low=interval.low,
            high=interval.high,
            level=interval.level,
            evidence=tag(share.evidence),
            p=found.chance_p.value,
            derived=tag(found.chance_p.evidence),
        )
        second = self.tr(
            "The first word came after {on:.0f} ms with PADS and {off:.0f} ms without, "
            "{earlier:.0f} ms earlier (medians, {evidence})."
        ).format(
            on=found.with_ms.value,
            off=found.without_ms.value,
            earlier=found.earlier_ms.value,
            evidence=tag(found.with_ms.evidence),
        )
        return f"{first}\n{second}"
