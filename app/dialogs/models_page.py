"""The list of models with what is here, and the fetching of what is not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app import theme
from app.evidence import tag
from app.model_work import ModelWork
from app.preferences import Preferences
from app.widgets.flow import Flow
from app.widgets.model_card import ModelCard, megabytes
from app.widgets.scrolled import Scrolled
from engine import commands, events, paths
from engine.errors import PadsError
from engine.events import Event, Evidence
from engine.store import fetching, holdings, library
from engine.store.holdings import Holding, State
from engine.store.manifest import ModelFile
from engine.store.task import Task

_LISTENING = ("turn-end", "speech-detection", "speech-to-text")


class ModelsPage(QWidget):
    """Shows all models, or without `managing` those that are needed, and fetches them.

    `wanted` carries the holding that is to answer; `command` asks the engine to try again.
    """

    command = Signal(object)
    wanted = Signal(object)

    def __init__(self, work: ModelWork, preferences: Preferences, *, managing: bool) -> None:
        super().__init__()
        self.work, self._preferences, self._managing = work, preferences, managing
        self._failed = False
        self._damage: dict[str, str] = {}
        self._holdings: tuple[Holding, ...] = ()
        self.cards: dict[str, ModelCard] = {}
        self.summary, self.message, self.step = QLabel(), QLabel(), QLabel()
        self.fetch_all, self.cancel = QPushButton(), QPushButton(self.tr("&Cancel"))
        self.check_all = QPushButton(self.tr("Check &all"))
        self.progress = QProgressBar()
        self._lay()
        self.fetch_all.clicked.connect(lambda: self.fetch(self._missing()))
        self.check_all.clicked.connect(lambda: self._check(self._holdings))
        self.cancel.clicked.connect(self._cancel)
        work.changed.connect(self._follow)
        preferences.changed.connect(lambda _: self.refresh())
        self.refresh()

    def _lay(self) -> None:
        for label in (self.summary, self.message, self.step):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.step.setObjectName("muted")
        self.check_all.setAccessibleName(self.tr("Check every byte of all models"))
        self.cancel.setAccessibleName(self.tr("Cancel what is being done with models"))
        self.progress.setAccessibleName(self.tr("Progress with models"))
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setMaximumHeight(8)
        self.list = QWidget()
        self._column = QVBoxLayout(self.list)
        self._column.setContentsMargins(0, 0, 12, 0)
        self._column.setSpacing(10)
        self._column.addStretch(1)
        buttons = Flow(spacing=8)
        buttons.add(self.fetch_all, self.check_all, self.cancel)
        for button in (self.fetch_all, self.check_all, self.cancel):
            button.setAutoDefault(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self.summary)
        layout.addWidget(Scrolled(self.list, self.tr("Models")), 1)
        for widget in (self.message, self.step, self.progress):
            layout.addWidget(widget)
        layout.addLayout(buttons)
        self.check_all.setVisible(self._managing)
        self.message.hide()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Look anew: the command line changes models too."""
        super().showEvent(event)
        self.refresh()

    @property
    def lacking(self) -> bool:
        """Is a model that is needed not here?"""
        return bool(self._missing())

    def take(self, event: Event) -> None:
        """Follow whether the engine runs."""
        match event:
            case events.EngineFailed():
                self._failed = True
            case events.EngineReady():
                self._failed = False
                self.refresh()

    def refresh(self) -> None:
        """Look what is here and show it."""
        try:
            found = holdings.read(self._damage)
        except PadsError as exc:
            self.say(str(exc), bad=True)
            return
        self._holdings = tuple(
            holding
            for holding in found
            if self._managing or holding.files[0].use == "default" or self.used(holding)
        )
        for name in self.cards.keys() - {holding.name for holding in self._holdings}:
            self.cards.pop(name).deleteLater()
        for holding in self._holdings:
            card = self.cards.get(holding.name) or self._new_card(holding.name)
            card.show_holding(holding, used=self.used(holding), busy=self.work.busy)
        self._follow()

    def used(self, holding: Holding) -> str:
        """Why a model cannot be deleted; empty when it is not in use."""
        chosen, role = self._preferences.settings, holding.files[0].role
        if role in _LISTENING:
            return self.tr("PADS Live cannot listen without it.")
        if role == "language-model" and holding.name == chosen.decoder.model:
            return self.tr("It answers now: choose another language model first.")
        if role == "voice" and chosen.voice.enabled and holding.name == chosen.voice.model:
            return self.tr("Replies are spoken with it: switch the voice off first.")
        return ""

    def say(self, sentence: str, *, bad: bool = False) -> None:
        """Show a sentence above the buttons; an empty one takes the last away."""
        self.message.setText(sentence)
        self.message.setAccessibleName(sentence)
        theme.tone(self.message, "alert" if bad else "")
        self.message.setVisible(bool(sentence))

    def fetch(self, wanted: Sequence[Holding]) -> None:
        """Bring what is missing or damaged of these."""
        files = _files(wanted)
        self.say("")
        self.work.start(lambda report: fetching.fetch(files, report=report), self._fetched)

    def told(self, task: Task) -> bool:
        """Whether a task has done its work; if not, that is said."""
        if task.cancelled:
            self.say(self.tr("Cancelled: nothing was changed."))
        elif task.problem is not None:
            self.say(task.problem, bad=True)
        return not task.cancelled and task.problem is None

    def _new_card(self, name: str) -> ModelCard:
        card = self.cards[name] = ModelCard(managing=self._managing)
        card.fetch.connect(lambda: self.fetch(self._named(name)))
        card.check.connect(lambda: self._check(self._named(name)))
        card.delete.connect(lambda: self._delete(self._named(name)))
        card.use.connect(lambda: self.wanted.emit(self._named(name)[0]))
        self._column.insertWidget(self._column.count() - 1, card)
        return card

    def _named(self, name: str) -> list[Holding]:
        return [holding for holding in self._holdings if holding.name == name]

    def _missing(self) -> list[Holding]:
        """What has to be fetched: models that are needed, and damaged ones that can be had."""
        return [
            holding
            for holding in self._holdings
            if not holding.added
            and holding.state is not State.PRESENT
            and (holding.files[0].use == "default" or holding.state is State.DAMAGED)
        ]

    def _check(self, chosen: Iterable[Holding]) -> None:
        files = [model for h in chosen if h.state is not State.MISSING for model in h.files]
        self.say("")
        self.work.start(lambda report: fetching.verify(files, report=report), self._checked)

    def _checked(self, task: Task) -> None:
        if self.told(task):
            found: dict[str, str | None] = task.result
            for name, damage in found.items():
                self._damage.pop(name, None)
                if damage is not None:
                    self._damage[name] = damage
            bad = [name for name, damage in found.items() if damage is not None]
            if bad:
                words = self.tr("Damaged: {names}. Fetch them again.")
                self.say(words.format(names=", ".join(bad)), bad=True)
            else:
                words = self.tr("{count} files are as they should be, to the last bit.")
                self.say(words.format(count=len(found)))
        self.refresh()

    def _fetched(self, task: Task) -> None:
        if self.told(task):
            self._damage.clear()
            self.say(self.tr("Fetched and checked."))
            if self._failed:
                self.command.emit(commands.Retry())
        elif task.cancelled:
            words = self.tr("Cancelled: what was fetched whole stays, nothing is half-written.")
            self.say(words)
        self.refresh()

    def _delete(self, chosen: Sequence[Holding]) -> None:
        if any(self.used(holding) for holding in chosen):
            return
        try:
            library.remove(_files(chosen))
        except PadsError as exc:
            self.say(str(exc), bad=True)
        else:
            freed = megabytes(sum(holding.disk_bytes for holding in chosen))
            self.say(self.tr("Deleted: {size} are free again.").format(size=freed))
        self.refresh()

    def _cancel(self) -> None:
        self.work.cancel()
        self.cancel.setEnabled(False)
        self.step.setText(self.tr("Being cancelled …"))

    def _follow(self) -> None:
        """Show what is under way, or what there is to do."""
        busy = self.work.busy
        turned = busy != self.cancel.isVisibleTo(self)
        for widget in (self.step, self.progress, self.cancel):
            widget.setVisible(busy)
        if turned:
            self.cancel.setEnabled(busy)
            self.refresh()  # another page may have begun or ended it
            return
        if busy and self.cancel.isEnabled():
            self.step.setText(self.work.step)
        self.progress.setValue(round(1000 * self.work.fraction))
        missing = self._missing()
        self.fetch_all.setVisible(bool(missing))
        self.fetch_all.setEnabled(not busy)
        self.check_all.setEnabled(not busy)
        size = megabytes(sum(holding.bytes_whole for holding in missing))
        self.fetch_all.setText(self.tr("&Fetch what is missing ({size})").format(size=size))
        self.summary.setText(self._summary(missing))
        self.summary.setAccessibleName(self.summary.text())

    def _summary(self, missing: Sequence[Holding]) -> str:
        disk = megabytes(sum(holding.disk_bytes for holding in self._holdings))
        uses = self.tr("The models here take {size} of the disk ({evidence}), in {folder}.")
        uses = uses.format(
            size=disk, evidence=tag(Evidence.MEASURED), folder=paths.fetched_models()
        )
        if not missing:
            return self.tr("Every model that is needed is here: nothing has to be fetched.") + (
                f" {uses}"
            )
        needs = self.tr(
            "{count} models are missing or damaged. Fetching them needs the internet, once; "
            "afterwards PADS Live works without."
        )
        return needs.format(count=len(missing)) + f" {uses}"


def _files(chosen: Iterable[Holding]) -> list[ModelFile]:
    return [model for holding in chosen for model in holding.files]
