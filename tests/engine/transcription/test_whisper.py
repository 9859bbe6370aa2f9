"""Transcription with the real model: words of real speech, nothing from silence."""

import re
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
import soundfile
import soxr
from numpy.typing import NDArray

from engine.errors import ModelUnavailable
from engine.transcription import whisper
from engine.transcription.whisper import Transcriber

RATE = 16_000
JFK = (
    "and so my fellow americans ask not what your country can do for you "
    "ask what you can do for your country"
)


@pytest.fixture(scope="module")
def transcriber(models: Path) -> Iterator[Transcriber]:
    made = Transcriber(models / "whisper-tiny-en")
    yield made
    made.close()


@pytest.fixture(scope="module")
def recording(data: Path) -> Callable[[str], NDArray[np.float32]]:
    def read(name: str) -> NDArray[np.float32]:
        samples, rate = soundfile.read(data / "audio" / name, dtype="float32", always_2d=True)
        return np.asarray(soxr.resample(samples.mean(axis=1), rate, RATE), np.float32)

    return read


def word_error_rate(reference: str, heard: str) -> float:
    """Edit distance in words over the reference's length, without case and punctuation."""
    wanted, got = (re.findall(r"[\w']+", text.lower()) for text in (reference, heard))
    row: Sequence[int] = range(len(got) + 1)
    for i, word in enumerate(wanted, 1):
        next_row = [i]
        for j, other in enumerate(got, 1):
            swapped = row[j - 1] + (word != other)
            next_row.append(min(swapped, row[j] + 1, next_row[-1] + 1))
        row = next_row
    return row[-1] / len(wanted)


@pytest.mark.parametrize(
    ("name", "reference", "bound"),
    [
        ("whisper_jfk.flac", JFK, 0.05),
        ("livekit_weather_question.wav", "what is the weather in paris", 0.0),
        ("livekit_hello_world.wav", "hello world", 0.0),
    ],
)
def test_words_of_real_speech(
    transcriber: Transcriber,
    recording: Callable[[str], NDArray[np.float32]],
    name: str,
    reference: str,
    bound: float,
) -> None:
    assert word_error_rate(reference, transcriber.transcribe(recording(name))) <= bound


def test_faint_speech_reads_the_same(
    transcriber: Transcriber, recording: Callable[[str], NDArray[np.float32]]
) -> None:
    faint = transcriber.transcribe(0.01 * recording("whisper_jfk.flac"))
    assert word_error_rate(JFK, faint) <= 0.05


@pytest.mark.parametrize("seconds", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("kind", ["silence", "noise", "hum"])
def test_where_nothing_is_said_nothing_is_read(
    transcriber: Transcriber, kind: str, seconds: float
) -> None:
    t = np.arange(round(seconds * RATE)) / RATE
    sounds = {
        "silence": np.zeros(len(t)),
        "noise": np.random.default_rng(1).normal(size=len(t)) * 0.01,
        "hum": 0.1 * np.sin(2 * np.pi * 50 * t),
    }
    assert transcriber.transcribe(sounds[kind].astype(np.float32)) == ""


def test_marks_alone_are_no_words(
    transcriber: Transcriber,
    recording: Callable[[str], NDArray[np.float32]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = recording("livekit_hello_world.wav")
    for text, words in ((" ... -", ""), (" Hi.", "Hi.")):
        monkeypatch.setattr(transcriber, "_text", lambda tokens, text=text: text)
        assert transcriber.transcribe(said) == words


def test_nothing_at_all_reads_as_nothing(transcriber: Transcriber) -> None:
    assert transcriber.transcribe(np.zeros(0, np.float32)) == ""


def test_the_same_audio_gives_the_same_words_in_any_thread(
    models: Path, transcriber: Transcriber, recording: Callable[[str], NDArray[np.float32]]
) -> None:
    speech = recording("ami_EN2005a_first30s.wav")[: 9 * RATE]
    alone = transcriber.transcribe(speech)
    assert alone
    others: list[str] = []
    two = Transcriber(models / "whisper-tiny-en", threads=2)
    thread = threading.Thread(target=lambda: others.append(two.transcribe(speech)))
    thread.start()
    again = transcriber.transcribe(speech)
    thread.join()
    two.close()
    assert again == alone
    assert others == [alone]


def test_long_speech_is_read_whole_and_its_pieces_once(
    models: Path,
    recording: Callable[[str], NDArray[np.float32]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    long = np.concatenate([recording("whisper_jfk.flac")] * 6)  # 66 s
    transcriber = Transcriber(models / "whisper-tiny-en", threads=2)
    whole = transcriber.transcribe(long)
    assert word_error_rate(" ".join([JFK] * 6), whole) <= 0.1

    read: list[float] = []
    words = Transcriber._words

    def counted(self: Transcriber, audio: NDArray[np.float32]) -> str:
        read.append(len(audio) / RATE)
        return words(self, audio)

    monkeypatch.setattr(Transcriber, "_words", counted)
    more = np.concatenate((long, recording("livekit_hello_world.wav")))
    assert transcriber.transcribe(more).lower().rstrip(".").endswith("hello world")
    assert len(read) == 1
    transcriber.close()


@pytest.mark.parametrize("seconds", [0.0, 1.0, 29.5, 29.6, 61.0, 95.0])
def test_pieces_are_the_whole_and_none_is_too_long(seconds: float) -> None:
    audio = np.random.default_rng(2).normal(size=round(seconds * RATE)).astype(np.float32)
    pieces = whisper._pieces(audio)
    assert np.array_equal(np.concatenate(pieces), audio)
    assert max(map(len, pieces)) <= 29.5 * RATE
    longer = whisper._pieces(np.concatenate((audio, np.zeros(RATE, np.float32))))
    assert [len(piece) for piece in longer[: len(pieces) - 1]] == [len(p) for p in pieces[:-1]]


def test_speech_is_cut_where_it_is_quiet() -> None:
    audio = np.random.default_rng(3).normal(size=40 * RATE).astype(np.float32)
    audio[24 * RATE : round(24.4 * RATE)] *= 0.01
    first, _ = whisper._pieces(audio)
    assert 24.0 < len(first) / RATE < 24.4


@pytest.mark.parametrize("broken", ["model.bin", "vocabulary.txt", "all"])
def test_a_broken_model_is_named_with_its_remedy(models: Path, tmp_path: Path, broken: str) -> None:
    folder = tmp_path / "whisper"
    folder.mkdir()
    for file in () if broken == "all" else (models / "whisper-tiny-en").iterdir():
        if file.name == broken:
            shutil.copyfile(file, folder / file.name)
            with open(folder / file.name, "r+b") as copy:
                copy.truncate(1000)
        else:
            (folder / file.name).symlink_to(file.resolve())
    with pytest.raises(ModelUnavailable, match=r"speech recognition.*pads models fetch"):
        Transcriber(folder)
