"""The conversation in words, with what happened to each turn."""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from app import theme
from app.engine_words import act
from engine import events
from engine.events import Event

_KEPT = 60  # bubbles
_FIXED = 2  # the hint above and the stretch below them


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

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """What is not heard yet is grey, in the grey of the palette in force."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self._spoken:
            self._show()

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
        self.setAccessibleName(self.tr("Conversation"))
        self.hint = QLabel(
            self.tr(
                "Choose a demo and press Start: the engine hears it as it would hear you.\n\n"
                "Or choose the microphone and speak. Nothing leaves this machine."
            )
        )
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
                deep = self.tr("{act} · deep {p:.2f}")
                shallow = self.tr("{act} · shallow {p:.2f}")
                words = deep if event.p_deep >= 0.5 else shallow
                self._verdict = words.format(act=act(event.act), p=event.p_deep)
                self._note()
            case events.BranchDiscarded():
                self._discards += 1
                self._note()
            case events.TurnDropped(reason=reason) if self._person is not None:
                if self._person.words == "…":
                    self._person.say(self.tr("(no words)"))
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
            if self._discards == 1:
                parts.append(self.tr("one start thrown away"))
            else:
                parts.append(self.tr("{n} starts thrown away").format(n=self._discards))
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
        first = self.tr("first word after {ms:.0f} ms (measured)")
        notes = [first.format(ms=event.post_confirmation_ttft_ms)]
        if event.hidden_ms > 0:
            hidden = self.tr("{ms:.0f} ms of deep work hidden in your pause")
            notes.append(hidden.format(ms=event.hidden_ms))
        else:
            notes.append(self.tr("started when the turn was over"))
        self._reply.tell(" · ".join(notes))

    def _voiced(self, reply: _Bubble, stopped: events.VoiceStopped) -> None:
        reply.mark(len(stopped.spoken.lstrip()))
        notes = [reply.note.text()]
        if stopped.reason == "interrupted":
            heard = len(stopped.spoken.split())
            cut = self.tr("you interrupted it after {n} words (derived)")
            notes.append(cut.format(n=heard))
        if stopped.late_blocks:
            late = self.tr("{n} blocks of its sound came late (measured)")
            notes.append(late.format(n=stopped.late_blocks))
        reply.tell(" · ".join(note for note in notes if note))
