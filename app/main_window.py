"""The window: conversation left, profiler in the middle, ladder right, vitals below."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence
from PySide6.QtWidgets import (
    QLabel,
    QMainWindow,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app import exporting, picture
from app.bridge import Bridge
from app.dialogs.certificate import CertificateDialog
from app.dialogs.compare import CompareDialog
from app.dialogs.first_run import FirstRunDialog
from app.dialogs.history import HistoryDialog
from app.dialogs.models import ModelsDialog
from app.dialogs.settings import SettingsDialog
from app.dialogs.sound import SoundDialog
from app.dialogs.what_you_see import WhatYouSeeDialog
from app.error_report import ErrorReports
from app.heartbeat import Heartbeat
from app.jobs import closing
from app.jobs.window import JobsWindow
from app.menu import Menus, add
from app.model_work import ModelWork
from app.panels.controls import Controls
from app.panels.conversation import Conversation
from app.panels.headline import Headline
from app.panels.ladder import Ladder
from app.panels.past import Past
from app.panels.profiler import Profiler
from app.panels.vitals import Vitals
from app.preferences import Preferences
from app.presenter.presenter import Presenter
from app.presenter.rehearsal import RehearsalDialog
from app.trial.dialog import FeelIt
from app.widgets.banner import Banner
from app.widgets.columns import Columns, Side, rule
from app.widgets.file_drop import FileDrop
from app.widgets.greyed import grey
from app.widgets.scrolled import roomy
from engine import commands, events
from engine.errors import ExportFailed
from engine.events import Event
from engine.history.recording import Recording
from engine.history.timeline import Timeline
from engine.outbox import Outbox
from engine.settings import Settings

_LEAST = QSize(900, 600)  # where the screen has room for it


class MainWindow(QMainWindow):
    """Draws what the engine posts; `command` carries what the user wants.

    Without `preferences` the settings are the defaults, with the switch PADS as `pads` says.
    """

    command = Signal(object)
    microphone_chosen = Signal(object)
    voice_chosen = Signal(bool, str)
    closed = Signal()

    def __init__(
        self, outbox: Outbox, preferences: Preferences | None = None, *, pads: bool = True
    ) -> None:
        super().__init__()
        self.preferences = preferences or Preferences(Settings(pads=pads))
        chosen = self.preferences.settings
        self.setWindowTitle("PADS Live")
        self.resize(roomy(self, 1280, 800))
        self.setMinimumSize(self.size().boundedTo(_LEAST))
        self.timeline = Timeline(theta_end=chosen.gate.theta_end)
        self.controls = Controls(pads=chosen.pads, microphone=chosen.microphone)
        self.controls.command.connect(self.command)
        self.sound = SoundDialog(chosen.microphone, chosen.voice, self)
        self.sound.command.connect(self.command)
        self.sound.chosen.connect(self.controls.use_microphone)
        self.sound.chosen.connect(self.microphone_chosen)
        self.sound.voice.changed.connect(self.voice_chosen)
        self.controls.sound.clicked.connect(self.sound.show)
        self.certificate, self.what_you_see = CertificateDialog(self), WhatYouSeeDialog(self)
        self.controls.exactness.clicked.connect(self.certificate.show)
        self.jobs: JobsWindow | None = None
        """Made when it is first asked for."""
        self.asks = True
        """Whether closing asks what becomes of running jobs."""
        self.compare = CompareDialog(self)
        self.compare.command.connect(self.command)
        self.controls.compare.clicked.connect(self.compare.show)
        self.reports = ErrorReports()
        self.banner = Banner(
            lambda: self.command.emit(commands.Retry()),
            lambda sentence, words: self.reports.details(sentence, with_words=words),
        )
        self.headline, self.profiler = Headline(), Profiler(self.timeline)
        self.conversation, self.ladder, self.vitals = Conversation(), Ladder(), Vitals()
        self.history = HistoryDialog(self)
        self.history.opened.connect(self.show_past)
        self.pages = QStackedWidget()
        self.past: Past | None = None
        """A past session, while one is shown."""
        self.setCentralWidget(self._page())
        self.presenter = Presenter(self.timeline, self.preferences)
        self.presenter.command.connect(self.command)
        self.presenter.left.connect(self.show)
        self.rehearsal, self.feel_it = RehearsalDialog(self), FeelIt(self.preferences, self)
        self.rehearsal.command.connect(self.command)
        self.feel_it.command.connect(self.command)
        self.feel_it.restored.connect(
            lambda: self.command.emit(commands.SwitchPads(on=self.controls.pads.isChecked()))
        )
        self.bridge = Bridge(outbox, self)
        self.bridge.listen(event=self.presenter.watch)
        self.bridge.listen(event=self.feel_it.take)
        self._talking = (self.timeline, self.controls, self.headline, self.conversation)
        self._checking = False
        self._heartbeat = Heartbeat()
        self.bridge.listen(event=self.sound.take)
        self.bridge.listen(event=self.compare.take)
        self.bridge.listen(event=self.reports.take)
        self.bridge.listen(event=self._tell)
        self.bridge.listen(gauge=self.sound.show_gauge)
        self.bridge.listen(event=self._take, gauge=self.vitals.show_gauge, frame=self._frame)
        self.settings = SettingsDialog(self.preferences, self.timeline, self)
        self.bridge.listen(event=self.settings.take)
        self.model_work = ModelWork(self)
        self.models = ModelsDialog(self.model_work, self.preferences, self)
        self.first_run = FirstRunDialog(self.model_work, self.preferences, self)
        self._join_models()
        self.preferences.changed.connect(self._use)
        self.preferences.rejected.connect(lambda why: self.banner.tell(why, retry=False))
        self.menus = Menus(self.menuBar())
        self._fill_menus()

    def _fill_menus(self) -> None:
        menus = self.menus
        add(menus.file, self.tr("&Open a sound file …"), self.controls.browse, shortcut="Ctrl+O")
        add(menus.file, self.tr("&Sound …"), self.sound.show)
        add(menus.file, self.tr("S&ettings …"), self.settings.show, shortcut="Ctrl+,")
        add(menus.file, self.tr("&Models …"), self.models.show, shortcut="Ctrl+M")
        add(menus.file, self.tr("&History and export …"), self.history.show, shortcut="Ctrl+H")
        add(menus.file, self.tr("Save a &picture of the view …"), self._save_view)
        add(menus.jobs, self.tr("&Jobs and runs …"), self.show_jobs, shortcut="J")
        add(
            menus.jobs, self.tr("&Compare with and without PADS …"), self.compare.show, shortcut="C"
        )
        add(menus.view, self.tr("&Presenter mode"), self.present, shortcut="F11")
        add(menus.view, self.tr("&Rehearsal …"), self.rehearsal.show)
        add(menus.view, self.tr("&Feel it: a blind trial …"), self.feel_it.open_wide, shortcut="F")
        add(menus.help, self.tr("&What you see …"), self.what_you_see.show, shortcut="F1")
        add(menus.help, self.tr("&First steps …"), self.first_run.restart)
        add(menus.help, self.tr("Exactness &certificate …"), self.certificate.show)
        self.quit = add(
            menus.file,
            self.tr("&Quit"),
            self.close,
            shortcut=QKeySequence.StandardKey.Quit,
            role=QAction.MenuRole.QuitRole,
        )

    def show_jobs(self) -> None:
        """Open the window of jobs and runs."""
        if self.jobs is None:
            self.jobs = JobsWindow(self)
        self.jobs.show()
        self.jobs.raise_()
        self.jobs.activateWindow()

    def _join_models(self) -> None:
        """Connect the models manager and the first steps."""
        first = self.first_run
        for dialog in (self.models, first):
            dialog.command.connect(self.command)
            self.bridge.listen(event=dialog.take)
        self.bridge.listen(gauge=first.show_gauge)
        FileDrop(self, ".gguf").dropped.connect(self.models.offer_file)
        first.chosen.connect(self.sound.chosen)
        first.chosen.connect(self.sound.check.use)
        self.sound.chosen.connect(first.check.use)
        first.play.connect(self.controls.play)
        first.finished.connect(
            lambda: self.preferences.change(lambda old: replace(old, introduced=True))
        )

    def _use(self, chosen: Settings) -> None:
        """Show at once what other settings mean."""
        self.timeline.theta_end = chosen.gate.theta_end
        self.profiler.update()

    def _page(self) -> QWidget:
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(14, 4, 8, 0)
        column.addWidget(self.headline)
        column.addWidget(self.profiler, 1)
        heading = QLabel(self.tr("CONVERSATION"))
        heading.setObjectName("heading")
        left, right = Side([heading, self.conversation], 276), Side([self.ladder], 214)
        page = QWidget()
        page.setObjectName("page")
        rows = QVBoxLayout(page)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self.controls)
        rows.addWidget(rule(vertical=False))
        self.pages.addWidget(Columns(left, middle, right))
        rows.addWidget(self.banner)
        rows.addWidget(self.pages, 1)
        rows.addWidget(rule(vertical=False))
        rows.addWidget(self.vitals)
        scrolled = QScrollArea()  # for large type on a small screen
        scrolled.setWidget(page)
        scrolled.setWidgetResizable(True)
        scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scrolled.setAccessibleName(self.tr("Window"))
        return scrolled

    def _tell(self, event: Event) -> None:
        """Tell the panels what happened, but for what is heard to check a microphone."""
        self._heartbeat.take(event, time.monotonic())
        if isinstance(event, events.SourceOpened):
            self._checking = event.kind == events.CHECK
            self.show_live()
        if self._checking and isinstance(event, events.SourceOpened | events.AudioHeard):
            return
        for panel in (*self._talking, self.ladder, self.vitals, self.presenter):
            panel.take(event)

    def _take(self, event: Event) -> None:
        match event:
            case events.EngineReady(details=details) if "decoder" in details:
                self.certificate.describe(details["decoder"])
            case events.Problem(message=message):
                self.banner.tell(message, retry=isinstance(event, events.EngineFailed))
            case events.SourceRecovered(name=name):
                back = self.tr("{name} is back.")
                self.banner.tell(back.format(name=name), retry=False)
            case events.SourceOpened():
                self.banner.source_opened()
            case events.SourceEnded(reason=reason) if reason not in ("finished", "closed"):
                if not (self.sound.check.isVisible() or self.first_run.check.isVisible()):
                    self.banner.tell(reason, retry=False, of_source=True)
            case events.WorkerDied(name=name, reason=reason):
                sentence = self.tr(
                    "The {name} stopped ({reason}): close the window and start again."
                ).format(name=name, reason=reason)
                self.banner.tell(sentence, retry=False)

    def _save_view(self) -> None:
        out = exporting.ask(self, self.tr("view"), "png")
        if out is not None:
            self.save_view_to(out)

    def save_view_to(self, out: Path) -> None:
        """Write what is seen of the conversation, live or past, as PNG; a problem is told."""
        try:
            picture.save(self.pages.currentWidget() or self, out)
        except ExportFailed as exc:
            self.banner.tell(str(exc), retry=False)

    def show_past(self, recording: Recording) -> None:
        """Show a past session in the place of the live conversation, which goes on."""
        self.show_live()
        self.past = Past(recording)
        self.past.left.connect(self.show_live)
        self.past.export.connect(self.history.show)
        self.pages.setCurrentIndex(self.pages.addWidget(self.past))
        self.past.profiler.setFocus()

    def show_live(self) -> None:
        """Show the live conversation again."""
        past, self.past = self.past, None
        if past is not None:
            past.stop()
            self.pages.removeWidget(past)
            past.deleteLater()

    def present(self) -> None:
        """Hand the screen the window is on to presenter mode until it is left."""
        self.presenter.enter(self.screen())
        self.first_run.hide()
        self.hide()

    def _frame(self) -> None:
        self.vitals.watch()
        stopped = not self._heartbeat.alive(time.monotonic())
        for panel in (self.headline, self.profiler, self.conversation, self.ladder):
            grey(panel, stopped)
        if self.presenter.isVisible():
            self.presenter.redraw()
        elif self.isVisible() and not self.isMinimized():
            self.controls.redraw()
            (self.past or self.profiler).redraw()
            self.ladder.redraw()
            self.sound.redraw()
            self.first_run.redraw()
            self.settings.redraw()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Ask what becomes of jobs; stop delivering before the engine stops."""
        if self.asks and not closing.may_close(self):
            event.ignore()
            return
        if self.jobs is not None:
            self.jobs.close()
        self.bridge.stop()
        self.presenter.hide()
        self.rehearsal.stop()
        self.compare.stop()
        self.first_run.close()
        self.model_work.stop()
        self.history.close()
        self.show_live()
        self.closed.emit()
        super().closeEvent(event)
