"""The voice through a sound server: what it plays is heard back and understood."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import soxr
from numpy.typing import NDArray

from engine import events
from engine.clock import SAMPLE_RATE_HZ
from engine.events import Event
from engine.settings import VoiceSettings
from engine.transcription.whisper import Transcriber
from engine.voice.voice import Voice
from tests.virtual_microphone import until
from tests.virtual_room import TAPE_HZ, VirtualRoom, virtual_room

__all__ = ["virtual_room"]

_REPLY = ("You can water the garden", " twice a week. Let the soil dry", " out in the evening.")
_OTHER = "My sister lives in London with her children."
PIPER = os.environ.get("PADS_PIPER") or shutil.which("piper")

pytestmark = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="espeak-ng is not installed"
)


@pytest.fixture(scope="module")
def understand(models: Path) -> Iterator[Callable[[NDArray[np.float32]], list[str]]]:
    """The words the product's recogniser understands of a tape's side."""
    transcriber = Transcriber(models / "whisper-tiny-en")

    def words(side: NDArray[np.float32]) -> list[str]:
        heard = np.asarray(soxr.resample(side, TAPE_HZ, SAMPLE_RATE_HZ), np.float32)
        loud = np.flatnonzero(np.abs(heard) > 0.01)
        if not len(loud):
            return []
        margin = SAMPLE_RATE_HZ // 5
        text = transcriber.transcribe(heard[max(0, loud[0] - margin) : loud[-1] + margin])
        return re.findall(r"[a-z']+", text.lower())

    yield words
    transcriber.close()


@contextmanager
def voice(seen: list[Event], settings: VoiceSettings) -> Iterator[Voice]:
    speaking = Voice(seen.append, time.monotonic)
    speaking.apply(settings)
    try:
        yield speaking
    finally:
        speaking.close()


def said(speaking: Voice, turn: int = 1) -> None:
    for piece in _REPLY:
        speaking.say(turn, piece)
    speaking.end()


def wait(speaking: Voice, true: Callable[[], bool]) -> None:
    def polled() -> bool:
        speaking.poll()
        return true()

    until(polled, "the voice hangs", 60.0)


def of(kind: type[Event], seen: list[Event]) -> list[Event]:
    return [event for event in seen if isinstance(event, kind)]


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("engine", ["espeak", "piper"])
def test_a_reply_is_heard_as_it_was_written(
    virtual_room: VirtualRoom,
    understand: Callable[[NDArray[np.float32]], list[str]],
    engine: str,
) -> None:
    if engine == "piper" and PIPER is None:
        pytest.skip("Piper is not installed: name its environment in PADS_PIPER")
    seen: list[Event] = []
    settings = VoiceSettings(enabled=True, engine=engine, piper=PIPER)
    with virtual_room.tape() as tape, voice(seen, settings) as speaking:
        said(speaking)
        wait(speaking, lambda: not speaking.speaking)
    (started,), (stopped,) = of(events.VoiceStarted, seen), of(events.VoiceStopped, seen)
    assert started.engine == {"espeak": "espeak-ng", "piper": "Piper"}[engine]
    assert (stopped.spoken, stopped.reason) == ("".join(_REPLY), "finished")
    assert not of(events.Problem, seen)
    person, loudspeaker = tape
    assert not person.any()
    wanted, heard = re.findall(r"[a-z]+", "".join(_REPLY).lower()), understand(loudspeaker)
    # Whisper tiny knows people better than espeak-ng's formants: "walk in" for "water".
    least = {"espeak": 0.5, "piper": 0.8}[engine]
    assert sum(word in heard for word in wanted) >= least * len(wanted), " ".join(heard)


def test_a_cut_reply_stops_and_tells_the_words_that_were_heard(
    virtual_room: VirtualRoom, understand: Callable[[NDArray[np.float32]], list[str]]
) -> None:
    seen: list[Event] = []
    with (
        virtual_room.tape() as tape,
        voice(seen, VoiceSettings(enabled=True, engine="espeak")) as speaking,
    ):
        said(speaking)
        wait(speaking, lambda: any("garden" in e.spoken for e in of(events.VoiceSpoke, seen)))
        heard_characters = speaking.cut()
        assert not speaking.speaking
        speaking.say(2, _OTHER)
        speaking.end()
        wait(speaking, lambda: not speaking.speaking)
    first, second = of(events.VoiceStopped, seen)
    assert first.reason == "interrupted"
    assert first.spoken == "".join(_REPLY)[:heard_characters]
    assert (second.turn, second.spoken, second.reason) == (2, _OTHER, "finished")
    words = understand(tape[1])
    assert "london" in words or "children" in words, " ".join(words)
    # Time is spread over characters, so a word more or less was heard than is told.
    left = re.findall(r"[a-z]+", "".join(_REPLY)[heard_characters:].lower())[2:]
    assert not {"soil", "evening"} & set(left) & set(words), (left, words)
    told = re.findall(r"[a-z]+", first.spoken.lower())
    assert sum(word in words for word in told) >= len(told) - 2, (told, words)


def test_a_held_reply_is_silent_and_goes_on_where_it_was(virtual_room: VirtualRoom) -> None:
    seen: list[Event] = []
    with (
        virtual_room.tape() as tape,
        voice(seen, VoiceSettings(enabled=True, engine="espeak")) as speaking,
    ):
        said(speaking)
        wait(speaking, lambda: any("garden" in e.spoken for e in of(events.VoiceSpoke, seen)))
        speaking.hold(True)
        held_s = time.monotonic()
        wait(speaking, lambda: time.monotonic() > held_s + 1.0)
        speaking.hold(False)
        wait(speaking, lambda: not speaking.speaking)
    loud = np.flatnonzero(np.abs(tape[1]) > 0.001)
    longest = np.diff(loud).max() / TAPE_HZ
    assert longest > 0.6, "no pause on the tape"
    assert of(events.VoiceStopped, seen)[0].reason == "finished"


def test_a_piper_that_is_none_is_named_and_espeak_speaks_instead(
    virtual_room: VirtualRoom, tmp_path: Path, models: Path
) -> None:
    impostor = tmp_path / "piper"
    impostor.write_text("#!/bin/sh\necho unknown option --model >&2\nexit 1\n")
    impostor.chmod(0o755)
    seen: list[Event] = []
    settings = VoiceSettings(enabled=True, piper=str(impostor))
    with voice(seen, settings) as speaking:
        speaking.say(1, "Hello.")
        speaking.end()
        wait(speaking, lambda: not speaking.speaking)
    if not (models / "piper-joe").is_dir():
        pytest.skip("the Piper voice is not fetched: `pads models fetch piper-joe`")
    (problem,) = of(events.Problem, seen)
    assert "unknown option" in problem.message
    assert "espeak-ng" in problem.message
    assert of(events.VoiceStopped, seen)[0].reason == "finished"


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (VoiceSettings(enabled=True), "install espeak-ng"),
        (VoiceSettings(enabled=True, engine="espeak"), "install espeak-ng"),
        (VoiceSettings(enabled=True, engine="piper"), "Piper"),
        (VoiceSettings(enabled=True, engine="piper", piper="/nowhere/piper"), "/nowhere/piper"),
    ],
)
def test_without_an_engine_one_sentence_says_what_to_install_and_replies_stay_written(
    settings: VoiceSettings, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    seen: list[Event] = []
    with voice(seen, settings) as speaking:
        wait(speaking, lambda: bool(seen))
        said(speaking)
        assert not speaking.speaking or speaking.poll() is None
        wait(speaking, lambda: not speaking.speaking)
    (problem,) = of(events.Problem, seen)
    assert named in problem.message


@pytest.mark.skipif(
    any(Path("/proc/asound").glob("card[0-9]")), reason="this machine has a sound card"
)
def test_without_a_loudspeaker_one_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULSE_SERVER", f"unix:{tmp_path / 'none'}")
    seen: list[Event] = []
    with voice(seen, VoiceSettings(enabled=True, engine="espeak")) as speaking:
        said(speaking)
        wait(speaking, lambda: not speaking.speaking)
    assert "loudspeaker" in of(events.Problem, seen)[0].message
    (stopped,) = of(events.VoiceStopped, seen)
    assert (stopped.spoken, stopped.reason) == ("", "failed")


def test_without_being_switched_on_it_is_mute() -> None:
    seen: list[Event] = []
    with voice(seen, VoiceSettings()) as speaking:
        said(speaking)
        assert not speaking.speaking
    assert not seen
