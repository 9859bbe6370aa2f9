"""The first start: try the microphone, see that the models are here, watch a demo."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.dialogs.models_page import ModelsPage
from app.model_work import ModelWork
from app.panels.controls import described
from app.preferences import Preferences
from app.presenter.attract import WHOLE_S, Attract
from app.widgets.flow import Flow
from app.widgets.microphone_check import MicrophoneCheck
from app.widgets.scrolled import Scrolled, roomy
from engine import events, paths
from engine.events import Event

MICROPHONE, MODELS, DEMO = range(3)
_IDEA_PX = 330  # high, at text size 100 %


class FirstRunDialog(QDialog):
    """Three steps, each of which can be skipped; closing it at any of them ends it.

    `command` carries what the engine shall do, `chosen` a microphone, `play` a demo's file.
    """

    command = Signal(object)
    chosen = Signal(object)
    play = Signal(object)

    def __init__(
        self, work: ModelWork, preferences: Preferences, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("First steps"))
        self.resize(roomy(self, 720, 640))
        self._ready = self._tried = False
        self.check = MicrophoneCheck(preferences.settings.microphone)
        self.check.command.connect(self.command)
        self.check.chosen.connect(self.chosen)
        self.models = ModelsPage(work, preferences, managing=False)
        self.models.command.connect(self.command)
        self.demos, self.about, self.idea = QComboBox(), QLabel(), Attract()
        self.heading, self.waiting = QLabel(), QLabel()
        self.pages = QStackedWidget()
        self.back, self.forward = QPushButton(self.tr("&Back")), QPushButton()
        self.leave = QPushButton(self.tr("Close"))
        self._lay()
        self._fill()
        self.back.clicked.connect(lambda: self._go(self.step - 1))
        self.forward.clicked.connect(self._forward)
        self.leave.clicked.connect(self.reject)
        self.demos.currentIndexChanged.connect(self._describe)
        work.changed.connect(self._enable)
        self._go(MICROPHONE)

    @property
    def step(self) -> int:
        """Which step is shown: `MICROPHONE`, `MODELS` or `DEMO`."""
        return self.pages.currentIndex()

    def _lay(self) -> None:
        self.heading.setFont(theme.font(17, bold=True))
        for label in (self.heading, self.waiting, self.about):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        theme.tone(self.waiting, "visible")
        self.waiting.hide()
        self.leave.setAccessibleName(self.tr("Close the first steps"))
        buttons = Flow(spacing=8)
        buttons.add(self.leave, self.back, self.forward)
        self.forward.setDefault(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 16)
        layout.setSpacing(12)
        layout.addWidget(self.heading)
        layout.addWidget(self.waiting)
        layout.addWidget(self.pages, 1)
        layout.addLayout(buttons)

    def _fill(self) -> None:
        self._add_page(
            self.tr(
                "Choose the microphone you speak into, press “Say something” and speak for three "
                "seconds. Without a microphone, skip this step: the demos need none."
            ),
            self.check,
            scrolls=True,
        )
        self._add_page(
            self.tr(
                "PADS Live works on this machine alone, with these models. What you say is sent "
                "nowhere."
            ),
            self.models,
            scrolls=False,
        )
        self._add_page(
            self.tr(
                "A recorded person talks with the machine. Watch the lane “decoder”: deep work "
                "that slides under a pause has its own colour, and the answer is there when the "
                "turn is over."
            ),
            self._demo(),
            scrolls=True,
        )

    def _add_page(self, words: str, content: QWidget, *, scrolls: bool) -> None:
        page = QWidget()
        label = QLabel(words)
        label.setWordWrap(True)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 8 if scrolls else 0, 0)
        column.setSpacing(14)
        column.addWidget(label)
        column.addWidget(content, 0 if scrolls else 1)
        if scrolls:
            column.addStretch(1)
        self.pages.addWidget(Scrolled(page, self.tr("First steps")) if scrolls else page)

    def _demo(self) -> QWidget:
        for demo in paths.demo_recordings():
            title, about = described(demo)
            self.demos.addItem(title, (demo, about))
        self.demos.setAccessibleName(self.tr("Demo to play"))
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.demos)
        column.addWidget(self.about)
        column.addSpacing(theme.px(12))
        self.idea.invitation = ""
        self.idea.setMinimumHeight(theme.px(_IDEA_PX))
        self.idea.redraw(WHOLE_S)
        column.addWidget(self.idea)
        self._describe()
        return box

    def take(self, event: Event) -> None:
        """Take the next event."""
        self.check.take(event)
        self.models.take(event)
        match event:
            case events.EngineReady():
                self._ready = True
            case events.EngineFailed() | events.WorkerDied():
                self._ready = False
            case events.SoundTested() if self.check.isVisible():
                self._tried = True
            case _:
                return
        self._enable()

    def show_gauge(self, gauge: Any) -> None:
        """Take a gauge; others than the sound level are not for this dialog."""
        self.check.show_gauge(gauge)

    def redraw(self) -> None:
        """A meter that is no longer fed says so; the picture of the idea moves."""
        self.check.redraw()
        if self.step == DEMO and self.isVisible():
            self.idea.redraw(time.monotonic())

    def restart(self) -> None:
        """Show it from its first step."""
        self._tried = False
        self._go(MICROPHONE)
        self.show()
        self.raise_()

    def _go(self, step: int) -> None:
        self.pages.setCurrentIndex(step)
        names = (
            self.tr("Step 1 of 3: the microphone"),
            self.tr("Step 2 of 3: the models"),
            self.tr("Step 3 of 3: a demo"),
        )
        self.heading.setText(names[step])
        self._enable()
        self.forward.setFocus()

    def _forward(self) -> None:
        if self.step < DEMO:
            self._go(self.step + 1)
            return
        if self._ready and self.demos.currentData() is not None:
            self.play.emit(self._chosen_demo())
        self.accept()

    def _chosen_demo(self) -> Path:
        demo: Path = self.demos.currentData()[0]
        return demo

    def _describe(self) -> None:
        chosen = self.demos.currentData()
        self.about.setText(chosen[1] if chosen else self.tr("There are no demos here."))

    def _enable(self) -> None:
        """Name the way on by what has been done."""
        missing = self.models.lacking
        done = (self._tried, not missing, self._ready)[self.step]
        forward, skip = self.tr("&Next"), self.tr("&Skip this step")
        if self.step == DEMO:
            forward, skip = self.tr("&Play the demo"), self.tr("&Finish without a demo")
        self.forward.setText(forward if done else skip)
        self.forward.setAccessibleName(self.forward.text().replace("&", ""))
        self.back.setEnabled(self.step > MICROPHONE)
        sentence = "" if self._ready else self._why_waiting(missing)
        self.waiting.setText(sentence)
        self.waiting.setVisible(bool(sentence) and self.step != MODELS)

    def _why_waiting(self, missing: bool) -> str:
        if not missing:
            return self.tr("The engine is not ready yet: wait a moment.")
        if self.step == MICROPHONE:
            return self.tr("Models are missing, so nothing can be heard yet: step 2 fetches them.")
        return self.tr("Models are missing, so no demo can be played yet: step 2 fetches them.")
