"""The engine speaks into a room: interruptions, murmurs, and its own voice in the microphone."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

from engine import commands, events, paths
from engine.events import Event, TurnState
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import Settings, VoiceSettings
from tests.conftest import lasting_home
from tests.engine.sounds import RATE, Sound, cough, levelled, load, segment, silence
from tests.virtual_room import TAPE_HZ, VirtualRoom, virtual_room

__all__ = ["virtual_room"]

_PATIENCE_S = 150.0
_LOUD = 0.003

pytestmark = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="espeak-ng is not installed"
)


class Talk:
    """A conversation in the room: what the engine has told so far, and waiting for more."""

    def __init__(self, room: VirtualRoom, session: Session, outbox: Outbox) -> None:
        self.room, self.session, self.outbox = room, session, outbox
        self.seen: list[Event] = []

    def until(self, true: Callable[[], bool]) -> None:
        deadline = time.monotonic() + _PATIENCE_S
        while not true():
            assert time.monotonic() < deadline, Counter(type(e).__name__ for e in self.seen)
            self.outbox.wait(0.05)
            self.seen += self.outbox.drain()[0]

    def of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.seen if isinstance(event, kind)]

    def listen(self, listening: str) -> None:
        """Begin a conversation by microphone, its voice on."""
        self.session.send(commands.SwitchVoice(on=True, listening=listening))
        self.session.send(commands.OpenMicrophone())
        self.until(lambda: len(self.of(events.AudioHeard)) > 20)

    def hear_about(self, words: int) -> None:
        """Wait until so many words of the newest reply have been spoken."""
        told = len(self.of(events.VoiceStopped))
        self.until(
            lambda: (
                any(len(e.spoken.split()) >= words for e in self.of(events.VoiceSpoke))
                or len(self.of(events.VoiceStopped)) > told
            )
        )
        assert len(self.of(events.VoiceStopped)) == told, "the reply was too short to interrupt"

    def end(self) -> None:
        self.session.send(commands.CloseSource())
        self.until(lambda: bool(self.of(events.SourceEnded)))


@pytest.fixture(scope="module")
def running(
    virtual_room: VirtualRoom, models: Path, halves: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Session, Outbox]]:
    with lasting_home(tmp_path_factory.mktemp("home"), models, halves):
        outbox = Outbox()
        session = Session(Settings(voice=VoiceSettings(engine="espeak")), outbox, log_folder=None)
        session.start()
        try:
            talk = Talk(virtual_room, session, outbox)
            talk.until(lambda: bool(talk.of(events.EngineReady)))
            # From the first pause and the first reply on the engine has its threads.
            session.send(commands.SwitchVoice(on=True, listening="headphones"))
            demo = paths.demos() / "mountain-hike.flac"
            session.send(commands.OpenFile(path=str(demo)))
            talk.until(lambda: bool(talk.of(events.VoiceStarted)))
            talk.end()
            yield session, outbox
        finally:
            assert session.stop(10)


@pytest.fixture
def talk(virtual_room: VirtualRoom, running: tuple[Session, Outbox]) -> Talk:
    return Talk(virtual_room, *running)


@pytest.fixture
def recording(tmp_path: Path) -> Callable[..., Path]:
    """Writes sounds one after the other into a file to be said."""

    def write(*sounds: Sound) -> Path:
        file = tmp_path / f"said-{len(list(tmp_path.iterdir()))}.wav"
        soundfile.write(file, np.concatenate(sounds), RATE)
        return file

    return write


@pytest.fixture(scope="module")
def question() -> Sound:
    return levelled(segment(paths.demos() / "mountain-hike.flac", "How do I take care"))


@pytest.fixture(scope="module")
def addition() -> Sound:
    return levelled(segment(paths.demos() / "balcony-garden.flac", "How often should"))


def silent_after_ms(person: NDArray[np.float32], loudspeaker: NDArray[np.float32]) -> float:
    """From the beginning of the person's second utterance to the loudspeaker's falling silent."""
    loud = np.flatnonzero(np.abs(person) > _LOUD)
    onset = loud[1:][np.diff(loud) > TAPE_HZ][0]
    after = np.flatnonzero(np.abs(loudspeaker[onset:]) > _LOUD)
    gaps = np.flatnonzero(np.diff(after) > TAPE_HZ // 5)
    return 1000.0 * float(after[gaps[0] if len(gaps) else -1]) / TAPE_HZ


def test_speech_stops_the_reply_and_what_was_heard_of_it_is_what_was_said(
    talk: Talk,
    question: Sound,
    addition: Sound,
    recording: Callable[..., Path],
    record_property: Callable[[str, object], None],
) -> None:
    with talk.room.tape() as tape:
        talk.listen("headphones")
        talk.room.say(recording(question))
        talk.hear_about(4)
        talk.room.say(recording(addition))
        talk.until(lambda: len(talk.of(events.VoiceStarted)) == 2)
        talk.end()
    stopped, again = talk.of(events.VoiceStopped)
    first, second = talk.of(events.TurnCommitted)
    reply, _ = talk.of(events.ReplyFinished)
    assert (stopped.turn, again.turn) == (first.turn, second.turn)
    assert stopped.reason == "interrupted"
    assert len(stopped.spoken.split()) >= 4
    assert reply.text.lstrip().startswith(stopped.spoken.strip())
    assert len(stopped.spoken) < len(reply.text)
    silent_ms = silent_after_ms(*tape)
    record_property("silent_ms", silent_ms)
    print(f"the loudspeaker was silent {silent_ms:.0f} ms after speech began (measured)")
    assert silent_ms < 1000.0 * len(addition) / RATE, "it spoke on over the person"


def test_a_cough_makes_it_wait_and_a_murmur_does_not_end_it(
    talk: Talk, question: Sound, recording: Callable[..., Path], data: Path
) -> None:
    murmur = load(data / "audio" / "ami_EN2005a_first30s.wav", 5.82, 6.29)
    talk.listen("headphones")
    talk.room.say(recording(question))
    talk.hear_about(3)
    talk.room.say(recording(cough(2), silence(0.5), levelled(murmur)))
    talk.until(lambda: bool(talk.of(events.VoiceStopped)))
    talk.end()
    (stopped,), (reply,) = talk.of(events.VoiceStopped), talk.of(events.ReplyFinished)
    assert stopped.reason == "finished"
    assert stopped.spoken.strip() == reply.text.strip()
    assert len(talk.of(events.TurnCommitted)) == 1
    assert talk.of(events.TurnDropped), "the murmur was not heard at all"


@pytest.mark.parametrize("listening", ["speaker", "headphones"])
def test_beside_a_loudspeaker_it_does_not_answer_itself(
    talk: Talk, question: Sound, recording: Callable[..., Path], listening: str
) -> None:
    talk.room.unplug()
    talk.room.overhear(True)
    try:
        talk.listen(listening)
        talk.room.say(recording(question))
        if listening == "speaker":
            talk.until(lambda: bool(talk.of(events.VoiceStopped)))
            ends_s = talk.of(events.VoiceStopped)[0].heard_s + 2.0
        else:  # the same room with the wrong setting: it hears itself
            talk.until(lambda: len(speaking(talk)) > 1)
            ends_s = 0.0
        talk.until(lambda: talk.of(events.AudioHeard)[-1].heard_s > ends_s)
        talk.end()
    finally:
        talk.room.unplug()
        talk.room.overhear(False)
    if listening == "speaker":
        assert [e.reason for e in talk.of(events.VoiceStopped)] == ["finished"]
        assert len(talk.of(events.TurnCommitted)) == len(speaking(talk)) == 1
        spoke_s = talk.of(events.VoiceStarted)[0].heard_s + 0.5
        heard = [e for e in talk.of(events.AudioHeard) if spoke_s < e.heard_s < spoke_s + 1.0]
        assert max(e.high for e in heard) > 0.01, "the microphone did not hear the loudspeaker"
        assert not any(e.speech for e in heard)


def speaking(talk: Talk) -> set[int]:
    return {e.turn for e in talk.of(events.StateChanged) if e.state is TurnState.SPEAKING}
