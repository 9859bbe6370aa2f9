"""One model: what it is for, its size, licence and state, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app import theme
from app.phrases import QT_TRANSLATE_NOOP
from app.widgets.flow import Flow
from engine.store.holdings import Holding, State

PURPOSES = {
    "language-model": QT_TRANSLATE_NOOP("ModelCard", "Writes the replies."),
    "turn-end": QT_TRANSLATE_NOOP("ModelCard", "Hears from your voice whether you have finished."),
    "speech-detection": QT_TRANSLATE_NOOP("ModelCard", "Hears whether somebody speaks."),
    "speech-to-text": QT_TRANSLATE_NOOP("ModelCard", "Writes down what you say."),
    "voice": QT_TRANSLATE_NOOP("ModelCard", "Speaks the replies aloud, where Piper is installed."),
}
_STATES = {
    State.PRESENT: (QT_TRANSLATE_NOOP("ModelCard", "present"), "hidden"),
    State.MISSING: (QT_TRANSLATE_NOOP("ModelCard", "missing"), "visible"),
    State.DAMAGED: (QT_TRANSLATE_NOOP("ModelCard", "damaged"), "alert"),
}


def megabytes(count: int) -> str:
    """A size as a user reads it: MB with three digits or so."""
    return f"{count / 1e6:,.0f} MB" if count >= 10e6 else f"{count / 1e6:.1f} MB"


class ModelCard(QFrame):
    """Shows a holding; with `managing`, buttons tell what the user wants to do with it."""

    fetch = Signal()
    check = Signal()
    use = Signal()
    delete = Signal()

    def __init__(self, *, managing: bool) -> None:
        super().__init__()
        self.setObjectName("bubble")
        self._managing = managing
        self.title, self.state = QLabel(), QLabel()
        self.about, self.facts, self.trouble = QLabel(), QLabel(), QLabel()
        self.title.setFont(theme.font(14, bold=True))
        self.facts.setObjectName("muted")
        theme.tone(self.trouble, "alert")
        for label in (self.title, self.state, self.about, self.facts, self.trouble):
            label.setWordWrap(label not in (self.title, self.state))
            label.setTextFormat(Qt.TextFormat.PlainText)
        head = Flow(spacing=10)
        head.add(self.title, self.state)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 12)
        column.setSpacing(6)
        column.addLayout(head)
        for label in (self.about, self.facts, self.trouble):
            column.addWidget(label)
        self.buttons = self._buttons()
        self.confirm = self._confirm()
        column.addWidget(self.buttons)
        column.addWidget(self.confirm)
        self.buttons.setVisible(managing)
        self.confirm.hide()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def _buttons(self) -> QWidget:
        self.fetching, self.checking = QPushButton(), QPushButton(self.tr("Check"))
        self.using, self.deleting = QPushButton(self.tr("Use")), QPushButton(self.tr("Delete …"))
        self.fetching.clicked.connect(self.fetch)
        self.checking.clicked.connect(self.check)
        self.using.clicked.connect(self.use)
        self.deleting.clicked.connect(lambda: self._ask(True))
        return _row(self.using, self.fetching, self.checking, self.deleting)

    def _confirm(self) -> QWidget:
        self.question = QLabel()
        self.question.setWordWrap(True)
        self.question.setTextFormat(Qt.TextFormat.PlainText)
        self.sure, self.keep = QPushButton(self.tr("Delete")), QPushButton(self.tr("Keep"))
        self.sure.clicked.connect(self.delete)
        self.sure.clicked.connect(lambda: self._ask(False))
        self.keep.clicked.connect(lambda: self._ask(False))
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.question)
        column.addWidget(_row(self.sure, self.keep))
        return box

    def show_holding(self, holding: Holding, *, used: str, busy: bool) -> None:
        """Show what is here; `used` is empty, or a sentence: why it cannot be deleted."""
        name, main = holding.name, holding.files[0]
        words, tone = _STATES[holding.state]
        state = _text(words)
        if used and holding.state is State.PRESENT:
            state = self.tr("in use")
        self.title.setText(name)
        self.state.setText(f"● {state}")
        theme.tone(self.state, tone)
        about = _text(PURPOSES.get(main.role, main.role))
        self.about.setText(about)
        self.about.setToolTip(main.note if self._managing else "")
        facts = [
            megabytes(holding.bytes_whole),
            self.tr("licence: {name}").format(name=main.licence or self.tr("not stated")),
        ]
        if main.use == "optional":
            facts.append(self.tr("added by you") if holding.added else self.tr("optional"))
        if holding.elsewhere:
            facts.append(self.tr("used where it lies: {path}").format(path=main.file))
        self.facts.setText(" · ".join(facts))
        self.trouble.setText(holding.trouble)
        self.trouble.setVisible(bool(holding.trouble))
        self.setAccessibleName(f"{name}: {state}")
        self.setAccessibleDescription(f"{self.about.text()} {self.facts.text()}")
        self._enable(holding, used, busy)

    def _enable(self, holding: Holding, used: str, busy: bool) -> None:
        name, here = holding.name, holding.state is State.PRESENT
        whole = self.tr("Fetch again") if holding.state is State.DAMAGED else self.tr("Fetch")
        self.fetching.setText(whole)
        self.fetching.setVisible(not here and not holding.added)
        self.using.setVisible(holding.files[0].role == "language-model" and here and not used)
        self.checking.setVisible(holding.state is not State.MISSING)
        self.deleting.setVisible(holding.state is not State.MISSING or holding.added)
        for button in (self.fetching, self.using, self.checking, self.deleting, self.sure):
            button.setEnabled(not busy)
        self.deleting.setEnabled(not busy and not used)
        self.deleting.setToolTip(used)
        self.deleting.setAccessibleDescription(used)
        for button, words in (
            (self.fetching, self.tr("Fetch {name}")),
            (self.using, self.tr("Answer with {name}")),
            (self.checking, self.tr("Check every byte of {name}")),
            (self.deleting, self.tr("Delete {name}, after a question")),
            (self.sure, self.tr("Delete {name} now")),
            (self.keep, self.tr("Keep {name}")),
        ):
            button.setAccessibleName(words.format(name=name))
        if holding.elsewhere:
            question = self.tr("Take {name} off the list? Its file stays where it is.")
        elif holding.added:
            question = self.tr("Delete {name} and free {size}? The copy here will be gone.")
        else:
            question = self.tr("Delete {name} and free {size}? It can be fetched again.")
        size = megabytes(holding.disk_bytes)
        self.question.setText(question.format(name=name, size=size))

    def _ask(self, on: bool) -> None:
        self.confirm.setVisible(on)
        self.buttons.setVisible(not on)
        (self.keep if on else self.deleting).setFocus()


def _row(*buttons: QPushButton) -> QWidget:
    box = QWidget()
    row = Flow(spacing=8)
    row.setContentsMargins(0, 4, 0, 0)
    row.add(*buttons)
    box.setLayout(row)
    for button in buttons:
        button.setAutoDefault(False)
    return box


def _text(words: str) -> str:
    return QCoreApplication.translate("ModelCard", words)
