"""Piper's process dies, hangs, dies again: who speaks, and what is told.

A program that is asked as Piper is, and speaks by espeak-ng, stands in for it; where Piper itself
is (`PADS_PIPER`), it is killed, too.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from engine.errors import VoiceUnavailable
from engine.faults.case import running
from engine.faults.voices import kill_reading, like_piper
from engine.settings import VoiceSettings
from engine.voice import piper as pipers
from engine.voice.piper import TRIES
from engine.voice.speaker import Speaker
from engine.voice.utterance import Utterance
from tests.virtual_microphone import until

_TEXT = "You can water the garden."
_REAL = os.environ.get("PADS_PIPER") or shutil.which("piper")

pytestmark = [
    pytest.mark.usefixtures("models"),
    pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed"),
    pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell's script"),
]


@pytest.fixture
def piper(tmp_path: Path) -> Iterator[Path]:
    """The stand-in's program."""
    with like_piper(tmp_path / "voice") as program:
        yield program


@pytest.fixture
def told() -> list[str]:
    """What a speaker tells."""
    return []


Children = Callable[[], list[psutil.Process]]


@pytest.fixture
def children() -> Children:
    """Finds the processes that the test has started; the display is one of all tests together."""
    before = psutil.Process().children()
    return lambda: [one for one in psutil.Process().children() if one not in before]


@pytest.fixture
def speaker(piper: Path, children: Children, told: list[str], engine: str) -> Iterator[Speaker]:
    """A speaker of the stand-in."""
    speaking = Speaker(VoiceSettings(enabled=True, engine=engine, piper=str(piper)), told.append)
    yield speaking
    speaking.close()


def seconds(speaking: Speaker, reply: Utterance) -> float:
    """How long what it speaks lasts."""
    samples, rate_hz = speaking.speak(reply, _TEXT)
    assert abs(samples).max() > 0.1
    return len(samples) / rate_hz


def killed(children: Children) -> psutil.Process:
    """The one process, dead: until it is, it would be asked."""
    (process,) = children()
    process.kill()
    until(lambda: not running(process), "it lives")
    return process


def killed_while_it_speaks(speaking: Speaker, piper: Path, reply: Utterance) -> None:
    """A sentence of `reply` during which the process is killed; raises what `speak` raises."""
    Path(f"{piper}.kill").touch()
    killer = threading.Thread(target=kill_reading, args=(piper,))
    killer.start()
    try:
        seconds(speaking, reply)
    finally:
        killer.join()


@pytest.mark.parametrize("engine", ["piper"])
def test_one_killed_between_replies_is_started_again_and_speaks(
    speaker: Speaker, children: Children, told: list[str]
) -> None:
    assert seconds(speaker, Utterance(1)) > 0.5
    first = killed(children)
    assert seconds(speaker, Utterance(2)) > 0.5
    (second,) = children()
    assert second.pid != first.pid
    assert not told


@pytest.mark.parametrize("engine", ["piper"])
def test_one_killed_in_a_sentence_is_told_and_speaks_the_next_reply(
    speaker: Speaker, piper: Path
) -> None:
    with pytest.raises(VoiceUnavailable, match=r"status -9.*stays written.*next is spoken") as said:
        killed_while_it_speaks(speaker, piper, Utterance(1))
    assert "install Piper again" in said.value.remedy
    assert not speaker.mute
    assert seconds(speaker, Utterance(2)) > 0.5


@pytest.mark.parametrize("engine", ["auto"])
def test_espeak_speaks_the_reply_in_which_it_died_and_no_other(
    speaker: Speaker, piper: Path, told: list[str]
) -> None:
    first, second = Utterance(1), Utterance(2)
    killed_while_it_speaks(speaker, piper, first)
    (sentence,) = told
    assert "espeak-ng speaks this reply" in sentence
    assert (speaker.name(first), speaker.name(second)) == ("espeak-ng", "Piper")
    assert seconds(speaker, first) > 0.5
    assert seconds(speaker, second) > 0.5
    assert len(told) == 1


@pytest.mark.parametrize("engine", ["piper", "auto"])
def test_one_that_dies_again_and_again_is_given_up(
    speaker: Speaker, children: Children, piper: Path, told: list[str], engine: str
) -> None:
    sentences = told
    for turn in range(TRIES):
        try:
            killed_while_it_speaks(speaker, piper, Utterance(turn))
        except VoiceUnavailable as exc:
            sentences.append(str(exc))
    assert f"{TRIES} times in a row" in sentences[-1]
    assert not any("in a row" in sentence for sentence in sentences[:-1])
    assert not children()
    if engine == "piper":
        assert speaker.mute
        assert "replies stay written" in sentences[-1]
        assert "switch the voice off and on" in sentences[-1]
    else:
        assert not speaker.mute
        assert speaker.name(Utterance(9)) == "espeak-ng"
        assert seconds(speaker, Utterance(9)) > 0.5
        assert len(sentences) == TRIES


@pytest.mark.parametrize("engine", ["piper"])
def test_a_sentence_that_was_spoken_makes_the_failures_before_it_forgotten(
    speaker: Speaker, piper: Path
) -> None:
    for turn in range(2 * TRIES):
        with pytest.raises(VoiceUnavailable):
            killed_while_it_speaks(speaker, piper, Utterance(turn))
        assert seconds(speaker, Utterance(turn)) > 0.5
    assert not speaker.mute


@pytest.mark.parametrize("engine", ["piper"])
def test_one_that_hangs_is_killed_and_started_again(
    speaker: Speaker, children: Children, piper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipers, "_LONGEST_S", 0.2)
    (hanging,) = children()
    Path(f"{piper}.kill").touch()
    with pytest.raises(VoiceUnavailable, match="does not answer"):
        speaker.speak(Utterance(1), _TEXT)
    assert not running(hanging)
    Path(f"{piper}.kill").unlink()
    monkeypatch.setattr(pipers, "_LONGEST_S", 30.0)
    assert seconds(speaker, Utterance(2)) > 0.5


@pytest.mark.parametrize("engine", ["auto", "piper"])
def test_one_that_is_stopped_is_not_started_again(
    speaker: Speaker, children: Children, piper: Path, told: list[str]
) -> None:
    Path(f"{piper}.kill").touch()
    failed: list[VoiceUnavailable] = []

    def speak() -> None:
        try:
            speaker.speak(Utterance(1), _TEXT)
        except VoiceUnavailable as exc:
            failed.append(exc)

    speaking = threading.Thread(target=speak)
    speaking.start()
    until(Path(f"{piper}.reading").exists, "it never had the sentence")
    speaker.stop()
    speaking.join()
    assert len(failed) == 1
    assert not told
    assert not children()


@pytest.mark.parametrize("engine", ["piper"])
def test_a_script_around_it_that_dies_is_noticed_though_the_pipe_stays_open(
    speaker: Speaker, children: Children, piper: Path
) -> None:
    end = Path(f"{piper}.end")
    left = Path(f"{piper}.left")
    loop = f"(until [ -e {end} ]; do sleep 0.01; done; echo left >> {left}) &"
    killed(children)  # before its script is another, which it may not have read yet
    piper.write_text(f"#!/bin/sh\n{loop}\nread -r _\nkill -9 $$")
    with pytest.raises(VoiceUnavailable, match="status -9"):
        speaker.speak(Utterance(1), _TEXT)
    speaker.stop()  # the next one, too
    end.touch()
    until(left.exists, "nothing held the pipe")


@pytest.mark.parametrize("engine", ["piper"])
def test_a_script_around_it_is_stopped_with_what_it_started(
    speaker: Speaker, children: Children, piper: Path
) -> None:
    # The test fails at its end if the sleeper is left.
    killed(children)
    piper.write_text('#!/bin/sh\nread -r _\n: > "$0.reading"\nsleep 60\n')
    stopper = threading.Thread(
        target=lambda: (until(Path(f"{piper}.reading").exists, "unasked"), speaker.stop())
    )
    stopper.start()
    with pytest.raises(VoiceUnavailable):
        speaker.speak(Utterance(1), _TEXT)
    stopper.join()


@pytest.mark.skipif(_REAL is None, reason="Piper is not installed: name it in PADS_PIPER")
def test_piper_itself_killed_in_a_sentence_speaks_the_next_reply(
    models: Path, children: Children
) -> None:
    if not (models / "piper-joe").is_dir():
        pytest.skip("the Piper voice is not fetched: `pads models fetch piper-joe`")
    speaking = Speaker(VoiceSettings(enabled=True, engine="piper", piper=_REAL), print)
    try:
        assert seconds(speaking, Utterance(1)) > 0.5
        (process,) = children()
        process.send_signal(signal.SIGSTOP)
        killer = threading.Timer(0.5, process.kill)
        killer.start()
        with pytest.raises(VoiceUnavailable, match="status -9"):
            speaking.speak(Utterance(2), _TEXT)
        killer.join()
        assert seconds(speaking, Utterance(3)) > 0.5
    finally:
        speaking.close()
