"""What of an interrupted reply the language model reads again."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from engine import events, paths
from engine.clock import SampleClock
from engine.events import Event, TokenOutcome
from engine.settings import DecoderSettings, GateSettings, VoiceSettings
from engine.speculation.client import DecoderProcess, Message, Ready, Token
from engine.trigger.history import History
from engine.trigger.replies import Replies
from engine.voice.voice import Voice
from tests.virtual_microphone import until
from tests.virtual_room import VirtualRoom, virtual_room

__all__ = ["virtual_room"]


def token(index: int, text: str) -> Token:
    return Token(1, index, 100 + index, text, TokenOutcome.DEEP, 30, 30, 0.0)


def test_the_tokens_of_the_words_that_were_heard_stay() -> None:
    history = History()
    pieces = [token(i, text) for i, text in enumerate((" Sure", ",", " wa", "ter", " it", "."))]
    history.add("How?", "Sure, water it.", tuple(piece.token for piece in pieces), pieces)
    assert history.shorten(len(" Sure, water")) == " Sure, water"
    assert history.asking("And?") == [
        Message("user", "How?", None),
        Message("assistant", " Sure, water", (100, 101, 102, 103)),
        Message("user", "And?", None),
    ]
    assert history.shorten(len(" Sure, wat")) == " Sure, wat"
    assert history.asking("And?")[1] == Message("assistant", " Sure, wat", None)
    assert history.shorten(0) == ""
    assert history.asking("And?")[1] == Message("assistant", "", ())
    history.clear()
    assert history.asking("And?") == [Message("user", "And?", None)]


class Listener(DecoderProcess):
    """The real decoder process; what it is asked is kept."""

    asked: Sequence[Message] = ()

    def decode(
        self, job: int, conversation: Sequence[Message], max_tokens: int, p_deep: float = 1.0
    ) -> None:
        self.asked = conversation
        super().decode(job, conversation, max_tokens, p_deep)


@pytest.fixture
def decoder(models: Path) -> Iterator[Listener]:
    settings = DecoderSettings()
    model = models / "SmolLM2-135M-Instruct.Q4_1.gguf"
    decoder = Listener(settings, model, paths.cache() / "halves")
    decoder.start()
    try:
        until(lambda: any(isinstance(r, Ready) for r in decoder.poll()), "no decoder", 150.0)
        yield decoder
    finally:
        decoder.close()


@pytest.mark.usefixtures("virtual_room")
@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_only_what_was_heard_of_a_reply_is_read_again(
    decoder: Listener, virtual_room: VirtualRoom
) -> None:
    seen: list[Event] = []
    voice = Voice(seen.append, time.monotonic)
    voice.apply(VoiceSettings(enabled=True, engine="espeak"))
    replies = Replies(decoder, SampleClock(), seen.append, DecoderSettings(), GateSettings(), voice)

    def of(kind: type[Event]) -> list[Event]:
        replies.poll()
        return [event for event in seen if isinstance(event, kind)]

    try:
        question = "How do I take care of a blister?"
        replies.commit(1, question, 0.9, onset_s=0.0, heard_s=0.6)
        until(lambda: bool(of(events.ReplyFinished)), "no reply", 60.0)
        until(lambda: len(of(events.VoiceSpoke)) >= 4, "it does not speak", 60.0)
        replies.interrupt()
        (stopped,), (reply,) = of(events.VoiceStopped), of(events.ReplyFinished)
        assert stopped.spoken
        assert len(stopped.spoken) < len(reply.text)
        replies.speculate(2, "And then?", 0.9)
        said, heard, asking = decoder.asked
        assert (said.text, heard.text, asking.text) == (question, stopped.spoken, "And then?")
        assert heard.tokens == reply.tokens[: len(heard.tokens or ())]
        replies.stop()
    finally:
        voice.close()
