"""The conversation in words, with what happened to each turn."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from app import theme
from engine import events
from engine.events import Event

_KEPT = 60  # bubbles
_FIXED = 2  # the hint above and the stretch below them
_HINT = (
    "Choose a demo and press Start: the engine hears it as it would hear you.\n\n"
    "Or choose the microphone and speak. Nothing leaves this machine."
)


class _Bubble(QFrame):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.text, self.note = QLabel(), QLabel()
        self.note.setObjectName("muted")
        self.note.setFont(theme.font(11))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 10, 8)
        layout.setSpacing(3)
        for label in (self.text, self.note):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            layout.addWidget(label)
        self.note.hide()
        self.words, self._spoken = "", 0

    def mark(self, spoken: int) -> None:
        """Show that the first `spoken` characters have been heard."""
        self._spoken = spoken
        self._show()

    def _show(self) -> None:
        if not self._spoken:
            self.text.setTextFormat(Qt.TextFormat.PlainText)
            self.text.setText(self.words)
            return
        heard, left = (
            html.escape(part).replace("\n", "<br>")
            for part in (self.words[: self._spoken], self.words[self._spoken :])
        )
        self.text.setTextFormat(Qt.TextFormat.RichText)
        self.text.setText(f"{heard}<span style='color:{theme.MUTED.name()}'>{left}</span>")
        self.text.setAccessibleName(self.words)

    def say(self, text: str, *, sure: bool = True) -> None:
        self.words = text
        self._show()
        name = "" if sure else "muted"
        if self.text.objectName() != name:  # the style sheet goes by it
            self.text.setObjectName(name)
            self.text.style().unpolish(self.text)
            self.text.style().polish(self.text)

    def tell(self, note: str) -> None:
        self.note.setText(note)
        self.note.setVisible(bool(note))


class Conversation(QScrollArea):
    """Bubbles, oldest at the top, always scrolled to the newest."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Conversation")
        self.hint = QLabel(_HINT)
        self.hint.setObjectName("muted")
        self.hint.setWordWrap(True)
        inside = QWidget()
        self._layout = QVBoxLayout(inside)
        self._layout.setContentsMargins(0, 0, 6, 0)
        self._layout.setSpacing(8)
        self._layout.addWidget(self.hint)
        self._layout.addStretch(1)
        self.setWidget(inside)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(lambda _, most: bar.setValue(most))
        self._clear()
        self.hint.show()

    def _clear(self) -> None:
        self.hint.hide()
        while self._layout.count() > _FIXED:
            self._remove()
        self._person: _Bubble | None = None
        self._reply: _Bubble | None = None
        self._verdict, self._discards = "", 0

    def take(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case events.SourceOpened():
                self._clear()
            case events.StateChanged(state=events.TurnState.SPEAKING) if self._person is None:
                self._person = self._add("bubble")
                self._person.say("…")
                self._verdict, self._discards = "", 0
            case events.Transcribed(text=text) if self._person is not None and text:
                self._person.say(text + " …", sure=event.final)
            case events.DialogueActJudged():
                kind = "deep" if event.p_deep >= 0.5 else "shallow"
                self._verdict = f"{event.act} · {kind} {event.p_deep:.2f}"
                self._note()
            case events.BranchDiscarded():
                self._discards += 1
                self._note()
            case events.TurnDropped(reason=reason) if self._person is not None:
                if self._person.words == "…":
                    self._person.say("(no words)")
                self._person.tell(reason)
                self._person = None
            case events.TurnCommitted():
                self._committed(event)
            case events.ReplyServed():
                self._say(event.text)
            case events.TurnAccounted():
                self._account(event)
            case events.VoiceSpoke(spoken=spoken) if self._reply is not None:
                self._reply.mark(len(spoken.lstrip()))
            case events.VoiceStopped() if self._reply is not None:
                self._voiced(self._reply, event)
            case events.ReplyFinished(reason=reason) if reason in ("timeout", "interrupted"):
                self._say(" …")

    def _add(self, name: str) -> _Bubble:
        bubble = _Bubble(name)
        self._layout.insertWidget(self._layout.count() - 1, bubble)
        if self._layout.count() > _KEPT + _FIXED:
            self._remove()
        return bubble

    def _remove(self) -> None:
        """Take the oldest bubble away."""
        oldest = self._layout.takeAt(1)
        widget = oldest.widget() if oldest is not None else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()

    def _note(self) -> None:
        if self._person is None:
            return
        parts = [self._verdict]
        if self._discards:
            times = "one start" if self._discards == 1 else f"{self._discards} starts"
            parts.append(f"{times} thrown away")
        self._person.tell(" · ".join(part for part in parts if part))

    def _committed(self, event: events.TurnCommitted) -> None:
        person = self._person or self._add("bubble")
        person.say(event.text)
        self._person = None
        self._reply = self._add("reply")
        self._reply.say("…")
        self._started = False

    def _say(self, text: str) -> None:
        if self._reply is None:
            return
        before = self._reply.words if self._started else ""
        self._started = True
        self._reply.say((before + text).lstrip())

    def _account(self, event: events.TurnAccounted) -> None:
        if self._reply is None:
            return
        note = f"first word after {event.post_confirmation_ttft_ms:.0f} ms (measured)"
        if event.hidden_ms > 0:
            note += f" · {event.hidden_ms:.0f} ms of deep work hidden in your pause"
        else:
            note += " · started when the turn was over"
        self._reply.tell(note)

    def _voiced(self, reply: _Bubble, stopped: events.VoiceStopped) -> None:
        reply.mark(len(stopped.spoken.lstrip()))
        notes = [reply.note.text()]
        if stopped.reason == "interrupted":
            heard = len(stopped.spoken.split())
            notes.append(f"you interrupted it after {heard} words (derived)")
        if stopped.late_blocks:
            notes.append(f"{stopped.late_blocks} blocks of its sound came late (measured)")
        reply.tell(" · ".join(note for note in notes if note))
