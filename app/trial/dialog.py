"""Feel it: a visitor's blind trial in the window, and the result of all visitors."""

from __future__ import annotations

import random
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.preferences import Preferences
from app.trial.answers import Answer
from app.trial.pages import large, page
from app.trial.results import Results
from app.trial.reveal import Reveal
from app.widgets.scrolled import Scrolled
from engine import commands, events, paths
from engine.errors import PadsError
from engine.evaluation.conversations.blind_trial import MICROPHONE, ROUNDS, Stage, Trial, plan
from engine.evaluation.conversations.questions import questions
from engine.events import Event
from engine.telemetry import target

_GAP_MS = 1200  # between two answers: time to look at the other side
_WELCOME, _ANSWERS, _REVEAL = range(3)


class FeelIt(QDialog):
    """Runs trials on the window's engine; `command` carries commands to it.

    `restored` asks the window to put the engine's switches back to what they show.
    """

    command = Signal(object)
    restored = Signal()

    def __init__(self, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Feel it"))
        self.setModal(True)  # the window behind would give away what is on
        self._preferences = preferences
        self._trial: Trial | None = None
        self._ready = self._speech = False
        self.results = Results()
        self.recorded, self.spoken = QPushButton(), QPushButton()
        self.answers = {interval: Answer(interval) for interval in (1, 2)}
        self.asked, self.reveal, self.summary = QLabel(), Reveal(), QLabel()
        self.again = QPushButton(self.tr("&Next visitor"))
        self._pages = QStackedWidget()
        for one in (self._welcome(), self._rounds(), self._revealed()):
            self._pages.addWidget(one)
        row = QHBoxLayout(self)
        row.setContentsMargins(36, 28, 36, 24)
        row.addStretch(1)
        row.addWidget(Scrolled(self._pages, self.tr("Feel it")), 12)
        row.addStretch(1)
        self._gap = QTimer(self, singleShot=True, interval=_GAP_MS)
        self._gap.timeout.connect(self._listen)
        self.recorded.clicked.connect(lambda: self.begin(spoken=False))
        self.spoken.clicked.connect(lambda: self.begin(spoken=True))
        self.again.clicked.connect(self._over)
        for interval, answer in self.answers.items():
            answer.choose.clicked.connect(lambda _=False, n=interval: self.choose(n))
        self._enable()

    # Pages ----------------------------------------------------------------------------------

    def _welcome(self) -> QWidget:
        title = large(self.tr("Which answer comes quicker?"), 44)
        about = large(
            self.tr(
                "The same question is asked twice. Watch when the answer begins, and say which of "
                "the two felt quicker. {n} questions, two minutes. If you cannot tell, guess."
            ).format(n=ROUNDS),
            24,
        )
        self.recorded.setText(self.tr("&Start with recorded questions"))
        self.spoken.setText(self.tr("Start and &ask yourself, by microphone"))
        self.recorded.setDefault(True)
        for button in (self.recorded, self.spoken):
            button.setFont(theme.font(24, bold=True))
            button.setAccessibleName(button.text().replace("&", ""))
        close = QPushButton(self.tr("Close"))
        close.clicked.connect(self.close)
        close.setAutoDefault(False)
        last = QHBoxLayout()
        last.addStretch(1)
        last.addWidget(close)
        return page(None, title, about, self.recorded, self.spoken, None, self.results, last)

    def _rounds(self) -> QWidget:
        self.asked.setFont(theme.font(32, bold=True))
        self.asked.setWordWrap(True)
        both = QHBoxLayout()
        both.setSpacing(24)
        for answer in self.answers.values():
            both.addWidget(answer, 1)
        whole = page(self.asked)
        column = whole.layout()
        assert isinstance(column, QVBoxLayout)
        column.addLayout(both, 1)
        return whole

    def _revealed(self) -> QWidget:
        title = large(self.tr("From your last word to the first word of the answer (measured)"), 32)
        self.summary.setFont(theme.font(20))
        self.summary.setWordWrap(True)
        self.again.setFont(theme.font(24, bold=True))
        self.again.setAccessibleName(self.tr("Next visitor"))
        return page(None, title, self.reveal, self.summary, None, self.again)

    # The course -----------------------------------------------------------------------------

    def begin(self, *, spoken: bool) -> None:
        """Begin the next visitor's trial."""
        rng = random.SystemRandom()
        try:
            if spoken:
                sounds: list[tuple[str, Path | None]] = [(MICROPHONE, None)] * ROUNDS
            else:
                folder = paths.cache() / "questions"
                drawn = rng.sample(known := questions(), min(ROUNDS, len(known)))
                sounds = [(question.name, question.cut(folder)) for question in drawn]
            visitor = self.results.book.next_visitor()
        except PadsError as exc:
            self.results.say(str(exc))
            return
        chosen = self._preferences.settings
        self._trial = Trial(
            visitor,
            plan(sounds, rng),
            self.command.emit,
            evidence=target.evidence().value,
            microphone=chosen.microphone,
        )
        listening = chosen.voice.listening
        self.command.emit(commands.SwitchVoice(on=False, listening=listening))
        self._pages.setCurrentIndex(_ANSWERS)
        self._new_round()

    def choose(self, interval: int) -> None:
        """This answer felt quicker."""
        trial = self._trial
        if trial is None or trial.stage is not Stage.CHOOSING:
            return
        trial.choose(interval)
        if trial.done:
            self._tell_all(trial)
        else:
            self._new_round()

    def take(self, event: Event) -> None:
        """Take the next event of the engine."""
        match event:
            case events.EngineReady():
                self._ready = True
            case events.EngineFailed() | events.EngineProgress():
                self._ready = False
            case events.AudioHeard(speech=speech):
                self._speech = speech
        self._enable()
        trial = self._trial
        if trial is None or trial.stage is not Stage.LISTENING:
            return
        interval = trial.interval
        trial.take(event)
        self.answers[interval].show_course(self._state(trial), trial.heard, trial.reply)
        self._go_on(trial)

    def _go_on(self, trial: Trial) -> None:
        match trial.stage:
            case Stage.READY:
                self._gap.start()
            case Stage.CHOOSING:
                self._ask_which()
            case Stage.BROKEN:
                self._over()
                self.results.say(trial.problem)

    def _new_round(self) -> None:
        assert self._trial is not None
        for answer in self.answers.values():
            answer.clear()
        self.setFocus()
        self._tell_round()
        self._gap.start()

    def _listen(self) -> None:
        if self._trial is not None:
            self._speech = False
            self._tell_round()
            self._trial.listen()

    def _tell_round(self) -> None:
        trial = self._trial
        assert trial is not None
        words = self.tr("Question {n} of {all}.").format(n=trial.round, all=trial.rounds)
        if trial.spoken and trial.interval == 1:
            words += " " + self.tr("Ask any question, and wait for the answer.")
        elif trial.spoken:
            words += " " + self.tr("Ask the same question again.")
        else:
            words += " " + self.tr("Watch when the answer begins.")
        self.asked.setText(words)

    def _state(self, trial: Trial) -> str:
        if trial.reply:
            return self.tr("The answer:")
        if self._speech:
            return self.tr("♪ The question is being asked")
        return self.tr("…")

    def _ask_which(self) -> None:
        self.asked.setText(self.tr("Which answer felt quicker? If you cannot tell, guess."))
        for answer in self.answers.values():
            answer.choose.setEnabled(True)

    def _tell_all(self, trial: Trial) -> None:
        try:
            self.results.book.add(trial.choices)
        except PadsError as exc:
            self.results.say(str(exc))
        self._restore()
        self.reveal.show_choices(trial.choices)
        right = sum(choice.for_pads for choice in trial.choices)
        mine = self.tr(
            "In {n} of {all} questions the answer with PADS felt quicker to you."
        ).format(n=right, all=len(trial.choices))
        self.results.refresh()
        self.summary.setText(f"{mine}\n{self.results.words.text()}")
        self._pages.setCurrentIndex(_REVEAL)
        self.again.setFocus()

    def _over(self) -> None:
        """Back to the welcome, for the next visitor."""
        if self._trial is not None and not self._trial.done:
            self._restore()
        self._trial = None
        self._gap.stop()
        self.results.refresh()
        self._pages.setCurrentIndex(_WELCOME)
        self.recorded.setFocus()

    def _restore(self) -> None:
        self.command.emit(commands.CloseSource())
        voice = self._preferences.settings.voice
        self.command.emit(commands.SwitchVoice(on=voice.enabled, listening=voice.listening))
        self.restored.emit()

    def _enable(self) -> None:
        for button in (self.recorded, self.spoken):
            if button.isEnabled() != self._ready:
                button.setEnabled(self._ready)

    # The dialog -----------------------------------------------------------------------------

    def open_wide(self) -> None:
        """Show it over the whole window's screen, at the welcome."""
        self._over()
        self.setGeometry(self.screen().availableGeometry())
        self.showMaximized()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """1 and 2 choose. Escape goes to the welcome first: a visitor must not close it all."""
        match event.key():
            case Qt.Key.Key_1:
                self.choose(1)
            case Qt.Key.Key_2:
                self.choose(2)
            case Qt.Key.Key_Escape if self._pages.currentIndex() != _WELCOME:
                self._over()
            case _:
                super().keyPressEvent(event)

    def done(self, result: int) -> None:
        """Closed in whichever way: a trial that is not finished leaves nothing behind."""
        self._over()
        super().done(result)
