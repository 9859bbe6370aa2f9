"""The models manager: what is here, and which language model answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.dialogs.models_page import ModelsPage
from app.model_work import ModelWork
from app.preferences import Preferences
from app.widgets.flow import Flow
from app.widgets.scrolled import roomy
from engine import commands, events
from engine.events import Event
from engine.speculation import inspection
from engine.speculation.inspection import Facts
from engine.store import library, storing
from engine.store.holdings import Holding
from engine.store.storing import Report
from engine.store.task import Task


class ModelsDialog(QDialog):
    """Lists, fetches, checks and deletes models, adds files, and switches the language model."""

    command = Signal(object)

    def __init__(
        self, work: ModelWork, preferences: Preferences, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Models"))
        self.resize(roomy(self, 760, 720))
        self._work, self._preferences = work, preferences
        self._offered: tuple[Path, Facts] | None = None
        self._switching = ""
        self.page = ModelsPage(work, preferences, managing=True)
        self.page.command.connect(self.command)
        self.page.wanted.connect(self._use)
        self.add = QPushButton(self.tr("A&dd a language model …"))
        self.add.setAccessibleName(self.tr("Add a language model from a GGUF file"))
        self.add.setAutoDefault(False)
        self.add.clicked.connect(self._browse)
        self.offer = self._offer()
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
        close.addButton(self.add, QDialogButtonBox.ButtonRole.ActionRole)
        close.rejected.connect(self.close)
        hint = QLabel(self.tr("A GGUF file can also be dropped on the window."))
        hint.setObjectName("muted")
        hint.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(self.page, 1)
        layout.addWidget(self.offer)
        layout.addWidget(hint)
        layout.addWidget(close)
        work.changed.connect(self._enable)

    def _offer(self) -> QWidget:
        """The question how a file that was found usable is to be added."""
        box = QFrame()
        box.setObjectName("bubble")
        self.question = QLabel()
        self.question.setWordWrap(True)
        self.question.setTextFormat(Qt.TextFormat.PlainText)
        self.copying = QPushButton(self.tr("Copy it"))
        self.linking = QPushButton(self.tr("Use it where it lies"))
        self.leaving = QPushButton(self.tr("Do not add it"))
        self.copying.setAccessibleName(self.tr("Copy the file into the models folder"))
        self.linking.setAccessibleName(self.tr("Use the file where it lies"))
        self.leaving.setAccessibleName(self.tr("Do not add the file"))
        self.copying.clicked.connect(lambda: self._add(copy=True))
        self.linking.clicked.connect(lambda: self._add(copy=False))
        self.leaving.clicked.connect(self._leave)
        row = Flow(spacing=8)
        row.add(self.copying, self.linking, self.leaving)
        for button in (self.copying, self.linking, self.leaving):
            button.setAutoDefault(False)
        column = QVBoxLayout(box)
        column.addWidget(self.question)
        column.addLayout(row)
        box.hide()
        return box

    def take(self, event: Event) -> None:
        """Take the next event."""
        self.page.take(event)
        match event:
            case events.ModelSwitched(model=model, exit_layer=exit_layer, problem=problem):
                self._keep(model, exit_layer)
                self._switching = ""
                if problem:
                    words = self.tr("{name} answers still: {problem}")
                    self.page.say(words.format(name=model, problem=problem), bad=True)
                else:
                    words = self.tr("{name} answers from now on.")
                    self.page.say(words.format(name=model))
            case events.EngineFailed(message=message) if self._switching:
                self._switching = ""
                self.page.say(message, bad=True)
            case _:
                return
        self._enable()

    def offer_file(self, file: Path) -> None:
        """Look whether a file can be a language model, and ask how to add it."""
        self.show()
        self.raise_()
        if self._work.busy:
            self.page.say(self.tr("Wait until what is being done with models has ended."))
            return
        self._leave()
        self._inspect(file, lambda facts: self._ask(file, facts))

    def _browse(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self,
            self.tr("Add a language model"),
            "",
            self.tr("Language models (*.gguf);;All files (*)"),
        )
        if name:
            self.offer_file(Path(name))

    def _inspect(self, file: Path, then: Callable[[Facts], None]) -> None:
        """Have a process of its own look at a file, and go on with the facts if it is usable."""

        def ended(task: Task) -> None:
            if self.page.told(task):
                then(task.result)

        self.page.say("")
        self._work.start(lambda report: inspection.inspect(file, report), ended)

    def _ask(self, file: Path, facts: Facts) -> None:
        self._offered = file, facts
        words = self.tr(
            "{file} can be used: {facts}. Copy it into the models folder, or use it where it lies? "
            "Then it must stay there."
        )
        parts = [self._described(facts), self.tr("licence: {name}").format(name=facts.licence)]
        self.question.setText(words.format(file=file.name, facts=", ".join(parts)))
        if facts.notes:
            self.question.setText(f"{self.question.text()} {' '.join(facts.notes)}")
        self.question.setAccessibleName(self.question.text())
        self.offer.show()
        self.copying.setFocus()

    def _leave(self) -> None:
        self._offered = None
        self.offer.hide()

    def _add(self, *, copy: bool) -> None:
        if self._offered is None or self._work.busy:
            return
        file, facts = self._offered
        note = self._described(facts)
        self._leave()

        def work(report: Report) -> str:
            return library.add(
                file, licence=facts.licence, note=note, copy=copy, report=report
            ).name

        self._work.start(work, self._added)

    def _added(self, task: Task) -> None:
        if self.page.told(task):
            words = self.tr("{name} was added: press Use to have it answer.")
            self.page.say(words.format(name=task.result))
        self.page.refresh()

    def _use(self, holding: Holding) -> None:
        """Switch to a language model; its file is looked at once more before."""

        def switch(facts: Facts) -> None:
            self._switching = holding.name
            words = self.tr("Switching to {name}; the conversation under way ends …")
            self.page.say(words.format(name=holding.name))
            half = max(facts.layers // 2, 1)  # what costs and keeps about the most drafts
            self.command.emit(commands.SwitchModel(model=holding.name, exit_layer=half))
            self._enable()

        if not self._switching:
            self._inspect(storing.found(holding.files[0]), switch)

    def _keep(self, model: str, exit_layer: int) -> None:
        self._preferences.change(
            lambda old: replace(
                old, decoder=replace(old.decoder, model=model, exit_layer=exit_layer)
            )
        )

    def _enable(self) -> None:
        idle = not self._work.busy and not self._switching
        self.add.setEnabled(idle)
        for button in (self.copying, self.linking):
            button.setEnabled(idle)
        for card in self.page.cards.values():
            card.using.setEnabled(idle)

    def _described(self, facts: Facts) -> str:
        words = self.tr("{architecture}, {layers} layers, {format}")
        return words.format(
            architecture=facts.architecture, layers=facts.layers, format=facts.number_format
        )
