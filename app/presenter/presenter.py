"""Presenter mode: the window's panels for a projector, full screen, and the kiosk loop."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QMouseEvent, QScreen
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.panels.headline import Headline
from app.panels.ladder import Ladder
from app.panels.profiler import Profiler
from app.preferences import Preferences
from app.presenter.attract import Attract
from app.presenter.counter import Counter
from app.presenter.kiosk import Kiosk, Phase
from app.presenter.words import Words
from app.wakefulness import Wakefulness
from app.widgets.sound_recording import RecordingLamp
from engine import commands, events, paths
from engine.events import Event
from engine.history.timeline import Timeline

_TEXT_PERCENT = 170  # on a screen 1080 pixels high
_SPAN_S = 6.0
_SECOND_LINE_PX = 14
_RUNGS_PX, _STRIP_PX = 60, 48


class Presenter(QWidget):
    """F11 or Escape leaves, N plays the next demo, M mutes, K starts and stops the loop, R slows
    the tokens. Problems are one quiet line, never a dialog.

    `command` carries commands to the engine; `left` tells that it was closed.
    """

    command = Signal(object)
    left = Signal()

    def __init__(
        self,
        timeline: Timeline,
        preferences: Preferences,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.setWindowTitle(self.tr("PADS Live: presenter mode"))
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Presenter mode"))
        self._preferences, self._clock = preferences, clock
        self.counter, self.headline, self.ladder = Counter(), Headline(), Ladder()
        self.profiler = Profiler(timeline, projected=True)
        self.profiler.view.span_s = _SPAN_S
        self.ladder.slow.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.ladder.rungs.setMinimumHeight(_RUNGS_PX)  # large type leaves little room on a laptop
        self.ladder.strip.setMinimumHeight(_STRIP_PX)
        self.words, self.attract = Words(), Attract()
        self.problem, self.keys = QLabel(), QLabel()
        self.recording = RecordingLamp()
        self.kiosk = Kiosk(paths.demo_recordings(), self.command.emit, self._microphone)
        self._muted = self._by_microphone = False
        self._awake = Wakefulness()
        self._panels = (self.counter, self.headline, self.ladder, self.words, self.recording)
        self._lay()
        self._say("")
        self._tell_keys()

    def _lay(self) -> None:
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.problem.setWordWrap(True)
        self.keys.setObjectName("muted")
        for label in (self.problem, self.keys):
            label.setFont(theme.font(_SECOND_LINE_PX))
        body = QHBoxLayout()
        body.setSpacing(30)
        body.addWidget(self.profiler, 5)
        body.addWidget(self.ladder, 1)
        stage = QWidget()
        column = QVBoxLayout(stage)
        column.setContentsMargins(36, 8, 36, 8)
        column.setSpacing(8)
        column.addWidget(self.counter)
        column.addWidget(self.headline)
        column.addLayout(body, 1)
        column.addWidget(self.words)
        column.addWidget(self.problem)
        column.addWidget(self.keys)
        self._pages = QStackedWidget()
        self._pages.addWidget(stage)
        self._pages.addWidget(self.attract)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)
        whole.addWidget(self.recording, 0, Qt.AlignmentFlag.AlignHCenter)

    # Entering and leaving -------------------------------------------------------------------

    def enter(self, screen: QScreen) -> None:
        """Fill a screen, in high contrast and large type."""
        look = replace(
            self._preferences.settings.appearance,
            colours="high-contrast",
            text_percent=round(_TEXT_PERCENT * screen.size().height() / 1080),
        )
        theme.apply(_application(), look)
        self._awake.keep("PADS Live", self.tr("Presenter mode"))
        self.setCursor(Qt.CursorShape.BlankCursor)
        self.setGeometry(screen.geometry())  # also where no window manager fills the screen
        self.showFullScreen()
        self.activateWindow()
        self.setFocus()

    def leave(self) -> None:
        """End the loop and give the window its own look back."""
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """However it is closed, the window comes back."""
        self._awake.release()
        self.kiosk.stop()
        if self._muted:
            self._mute()
        theme.apply(_application(), self._preferences.settings.appearance)
        super().closeEvent(event)
        self.left.emit()

    # What the engine tells ------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Take the next event of a conversation."""
        for panel in self._panels:
            panel.take(event)

    def watch(self, event: Event) -> None:
        """Take every event, also of a microphone that is only checked."""
        self.kiosk.take(event, self._clock())
        match event:
            case events.SourceOpened(kind=kind):
                self._by_microphone = kind == "microphone"
                self._say("")
            case events.Problem(message=message):
                self._say(message)
            case events.SourceRecovered():
                self._say("")
            case events.SourceEnded(reason=reason) if reason not in ("finished", "closed"):
                # Without a microphone the loop goes on with demos: nobody needs to hear of it.
                if self.kiosk.phase is not Phase.ATTRACT:
                    self._say(reason)
            case events.WorkerDied(name=name, reason=reason):
                self._say(
                    self.tr(
                        "The {name} stopped ({reason}): close the window and start again."
                    ).format(name=name, reason=reason)
                )

    def redraw(self) -> None:
        """Draw what changed; the loop goes on."""
        now_s = self._clock()
        self.kiosk.tick(now_s)
        attracting = self.kiosk.phase is Phase.ATTRACT
        if attracting != (self._pages.currentWidget() is self.attract):
            self._pages.setCurrentIndex(int(attracting))
            self._tell_keys()
        if attracting:
            self.attract.invite(listening=self.kiosk.listening)
            self.attract.redraw(now_s)
        else:
            self.profiler.redraw()
            self.ladder.redraw()

    # What keys and clicks do ----------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """See the class; in the loop every other key calls the visitor's turn."""
        now_s = self._clock()
        match event.key():
            case Qt.Key.Key_F11 | Qt.Key.Key_Escape:
                self.leave()
                return
            case Qt.Key.Key_N:
                if self.kiosk.next_demo(now_s) is None:
                    self._say(self.tr("There are no demos here: install PADS Live again."))
            case Qt.Key.Key_M:
                self._mute()
            case Qt.Key.Key_K:
                if self.kiosk.phase is Phase.OFF:
                    self.kiosk.start(now_s)
                else:
                    self.kiosk.stop()
            case _:
                self.kiosk.interrupt(now_s)
        self._tell_keys()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """A click interrupts the loop, as a key does."""
        self.kiosk.interrupt(self._clock())
        self._tell_keys()

    def _mute(self) -> None:
        """No reply is spoken and no microphone open, until the same key is pressed again."""
        self._muted = self.kiosk.muted = not self._muted
        voice = self._preferences.settings.voice
        on = voice.enabled and not self._muted
        self.command.emit(commands.SwitchVoice(on=on, listening=voice.listening))
        checking = self.kiosk.phase is Phase.ATTRACT
        if self._muted and (self._by_microphone or checking):
            self.command.emit(commands.CloseSource())
        elif not self._muted and (self._reopen or checking):
            self.command.emit(self._microphone_command(checking=checking))
        self._reopen = self._muted and self._by_microphone

    _reopen = False  # the microphone was closed by muting

    def _microphone_command(self, *, checking: bool) -> Any:
        name = self._microphone()
        return (
            commands.CheckMicrophone(name=name) if checking else commands.OpenMicrophone(name=name)
        )

    def _microphone(self) -> str | None:
        return self._preferences.settings.microphone

    def _tell_keys(self) -> None:
        words = [
            self.tr("N next demo"),
            self.tr("M unmute") if self._muted else self.tr("M mute voice and microphone"),
            self.tr("K loop") if self.kiosk.phase is Phase.OFF else self.tr("K end the loop"),
            self.tr("R slow tokens"),
            self.tr("Esc leave"),
        ]
        if self._muted:
            words.insert(0, self.tr("Muted: no reply is spoken, the microphone is closed"))
        if self.kiosk.phase is Phase.VISITOR and not self._muted:
            words.insert(0, self.tr("Ask something: the microphone listens"))
        self.keys.setText("   ·   ".join(words))

    def _say(self, sentence: str) -> None:
        self.problem.setText(sentence)
        self.problem.setAccessibleName(sentence)
        self.problem.setVisible(bool(sentence))


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
