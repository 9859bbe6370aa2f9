"""Recordings decoded by a process of its own: what happens to that process is only told."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import soundfile

from engine import children
from engine.audio import decoding
from engine.audio.decoding import Decoding
from engine.audio.replay import Replay
from engine.audio.ring import Ring
from engine.clock import SampleClock
from engine.errors import AudioUnavailable
from tests.virtual_microphone import until


@pytest.fixture
def file(tmp_path: Path) -> Path:
    noise = np.random.default_rng(1).uniform(-0.9, 0.9, 20_000).astype(np.float32)
    soundfile.write(tmp_path / "a.wav", noise, 22_050, subtype="FLOAT")
    return tmp_path / "a.wav"


def instead(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let a process run other code than the decoder's."""
    monkeypatch.setattr(children, "command", lambda *_: [sys.executable, "-c", code])


def test_the_samples_are_those_of_the_file(file: Path) -> None:
    with closing(Decoding(file)) as sound:
        assert (sound.rate_hz, sound.frames) == (22_050, 20_000)
        heard = np.concatenate([sound.read(7), *sound.blocks()])
        assert not len(sound.read(1))
    assert np.array_equal(heard, soundfile.read(file, dtype="float32")[0])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to die of")
@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import os; os.kill(os.getpid(), 11)", "status -11"),
        ("raise MemoryError('no room')", "no room"),
        ("print('[1]')", "status 0"),
    ],
)
def test_a_decoder_that_does_not_begin_is_a_refusal(
    monkeypatch: pytest.MonkeyPatch, file: Path, code: str, said: str
) -> None:
    instead(monkeypatch, code)
    with pytest.raises(AudioUnavailable, match=said):
        Decoding(file)


def test_a_decoder_that_says_nothing_is_given_up(
    monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    monkeypatch.setattr(decoding, "_HEADER_S", 0.2)
    instead(monkeypatch, "import time; time.sleep(60)")
    with pytest.raises(AudioUnavailable):
        Decoding(file)


def test_one_that_dies_on_the_way_ends_the_replay_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    header = json.dumps({"rate_hz": 16_000, "frames": 16_000})
    instead(
        monkeypatch,
        f"import os, sys; os.write(1, {header!r}.encode() + b'\\n' + bytes(4000)); os.abort()",
    )
    ring = Ring()
    replay = Replay(file, ring, SampleClock(), pace=1000.0)
    replay.start()
    until(lambda: replay.ended, "the replay did not end")
    replay.close()
    assert replay.problem is not None
    assert "a.wav cannot be played (it broke off" in replay.problem


def test_numbers_that_are_none_do_not_come_through(
    monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    header = json.dumps({"rate_hz": 16_000, "frames": 2})
    bad = np.array([np.nan, 9.0], np.float32).tobytes()
    instead(monkeypatch, f"import os; os.write(1, {header!r}.encode() + b'\\n' + {bad!r})")
    with closing(Decoding(file)) as sound:
        assert sound.read(2).tolist() == [0.0, 1.0]


def test_a_file_that_cannot_be_read_on_broke_off(file: Path) -> None:
    opened = decoding.opened(file)
    opened.close()
    with pytest.raises(AudioUnavailable, match=r"a\.wav cannot be played \(it broke off"):
        next(decoding.samples(opened))
