"""A past session where the live conversation is otherwise: the same panels, plainly marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.panels.conversation import Conversation
from app.panels.headline import Headline
from app.panels.ladder import Ladder
from app.panels.profiler import Profiler
from app.widgets.columns import Columns, Side
from app.widgets.flow import Flow
from engine.history import recording
from engine.history.recording import Recording

if TYPE_CHECKING:
    from engine.audio.playing import Player

_POLL_MS = 100


class Past(QWidget):
    """Shows one conversation of a session; `left` asks for the live view, `export` for files."""

    left = Signal()
    export = Signal()

    def __init__(self, session: Recording) -> None:
        super().__init__()
        self.recording = session
        self._sounds: list[recording.Sound] = []
        self._sound: recording.Sound | None = None
        self._player: Player | None = None
        self.words, self.damage = QLabel(), QLabel(session.damage)
        self.choice = QComboBox()
        self.play, self.save = QPushButton(), QPushButton(self.tr("Export …"))
        self.back = QPushButton(self.tr("Back to live"))
        self._timer = QTimer(self, interval=_POLL_MS)
        self._timer.timeout.connect(self._listen)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._strip())
        self._body: QWidget | None = None
        most = max(session.conversations, key=lambda one: len(one.accounts), default=None)
        self.choice.setCurrentIndex(-1 if most is None else most.number - 1)
        self.choice.currentIndexChanged.connect(self._show)
        self._show(self.choice.currentIndex())

    def _strip(self) -> QFrame:
        strip = QFrame()
        strip.setObjectName("notice")
        self.words.setFont(theme.font(14, bold=True))
        for label in (self.words, self.damage):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.damage.setVisible(bool(self.recording.damage))
        self.choice.setAccessibleName(self.tr("Conversation of this session"))
        for one in self.recording.conversations:
            self.choice.addItem(f"{one.number}. {one.source}")
        self.choice.setVisible(self.choice.count() > 1)
        self.save.setAccessibleName(self.tr("Export this session"))
        self.back.setAccessibleName(self.tr("Back to the live conversation"))
        self.back.clicked.connect(self.left)
        self.save.clicked.connect(self.export)
        self.play.clicked.connect(self._toggle)
        self.buttons = QWidget()
        row = Flow(spacing=10)
        row.setContentsMargins(0, 0, 0, 0)
        row.add(self.choice, self.play, self.save, self.back)
        self.buttons.setLayout(row)
        grid = QGridLayout(strip)
        grid.setContentsMargins(14, 6, 14, 6)
        grid.addWidget(self.words, 0, 0)
        grid.addWidget(self.buttons, 0, 1)
        grid.addWidget(self.damage, 1, 0, 1, 2)
        grid.setColumnStretch(0, 1)
        return strip

    def _show(self, index: int) -> None:
        """Build the panels for one conversation and let them take all that happened."""
        self.stop()
        if self._body is not None:
            self._column.removeWidget(self._body)
            self._body.deleteLater()
        found = self.recording.conversations
        one = found[index] if 0 <= index < len(found) else recording.Conversation(0, "", {})
        self._sounds = one.sounds
        self.headline, self.conversation = Headline(), Conversation()
        self.ladder, self.profiler = Ladder(), Profiler(one.timeline)
        if self.recording.ready is not None:
            self.ladder.take(self.recording.ready)
        for event in one.events:
            for panel in (self.headline, self.conversation, self.ladder):
                panel.take(event)
        # There is no newest moment to follow.
        for button in (self.profiler.inspector.freeze, self.profiler.inspector.live):
            button.hide()
        self._describe(one)
        self._lay()
        self.redraw()
        self.profiler.view.fit(0.0, one.timeline.now_s)

    def _describe(self, one: recording.Conversation) -> None:
        when = moment(self.recording.started)
        heard = one.source or self.tr("nothing was heard")
        words = self.tr("Past session of {when} · {heard}").format(when=when, heard=heard)
        self.words.setText(words)
        self.setAccessibleName(words)
        self.play.setVisible(bool(self._sounds))

    def _lay(self) -> None:
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(14, 4, 8, 0)
        column.addWidget(self.headline)
        column.addWidget(self.profiler, 1)
        heading = QLabel(self.tr("CONVERSATION"))
        heading.setObjectName("heading")
        left, right = Side([heading, self.conversation], 276), Side([self.ladder], 214)
        self._body = Columns(left, middle, right)
        self._column.addWidget(self._body, 1)

    def redraw(self) -> None:
        """Draw again what has changed."""
        self.profiler.redraw()
        self.ladder.redraw()

    # The sound, if it was recorded ----------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Does the sound play, or begin to?"""
        return self._player is not None

    def _toggle(self) -> None:
        if self._player is not None:
            self.stop()
        elif self._sounds:
            from engine.audio.playing import Player  # the libraries for sound take a while

            # The last one that had begun at the left edge of the view, else the first.
            from_s = self.profiler.view.from_s
            begun = [sound for sound in self._sounds if sound.start_s <= from_s]
            self._sound = begun[-1] if begun else self._sounds[0]
            from_s = max(from_s - self._sound.start_s, 0.0)
            self._player = Player(self.recording.folder / self._sound.file, from_s)
            self._timer.start()
            self._listen()

    def _listen(self) -> None:
        player, sound = self._player, self._sound
        if player is None or sound is None or player.ended:
            problem = "" if player is None else player.problem
            self.stop()
            if problem:
                self.damage.setText(problem)
                self.damage.show()
            return
        at_s = sound.start_s + player.at_s
        self.play.setText(self.tr("■ Stop ({at:.0f} s)").format(at=at_s))

    def stop(self) -> None:
        """End the sound."""
        self._timer.stop()
        player, self._player = self._player, None
        if player is not None:
            player.stop()
        self.play.setText(self.tr("▶ Play the sound"))
        self.play.setToolTip(self.tr("From the left edge of the view"))


def moment(started: str) -> str:
    """A record's time in UTC as the user reads times."""
    when = QDateTime.fromString(started, Qt.DateFormat.ISODate)
    if not when.isValid():
        return started
    return QLocale().toString(when.toLocalTime(), QLocale.FormatType.ShortFormat)
