"""A recorded sound through the loudspeaker of a virtual room."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile

from engine.audio.playing import Player
from tests.virtual_microphone import until
from tests.virtual_room import TAPE_HZ, VirtualRoom, virtual_room

__all__ = ["virtual_room"]


def tone(file: Path, seconds: float) -> Path:
    at = np.arange(round(seconds * 16_000)) / 16_000
    soundfile.write(file, 0.5 * np.sin(2 * np.pi * 440 * at), 16_000)
    return file


def test_it_sounds_from_the_given_moment_to_the_end(
    virtual_room: VirtualRoom, tmp_path: Path
) -> None:
    with virtual_room.tape() as reel:
        player = Player(tone(tmp_path / "tone.wav", 3.0), from_s=1.5)
        until(lambda: player.ended, "it plays on and on")
    _, loudspeaker = reel
    # How much sounds, whatever holes a crowded machine tears: of a sine 87 % is above a fifth.
    sounding_s = np.count_nonzero(np.abs(loudspeaker) > 0.1) / 0.872 / TAPE_HZ
    assert 1.3 < sounding_s < 1.7
    assert player.problem == ""
    assert player.at_s > 2.5


def test_stopping_it_is_silence(virtual_room: VirtualRoom, tmp_path: Path) -> None:
    player = Player(tone(tmp_path / "tone.wav", 25.0))
    until(lambda: player.at_s > 0.2, "nothing sounds")
    player.stop()
    assert player.ended
    assert player.at_s < 20


def test_a_file_that_is_gone_is_named(virtual_room: VirtualRoom, tmp_path: Path) -> None:
    player = Player(tmp_path / "sound-1.wav")
    until(lambda: player.ended, "it plays on and on")
    assert "sound-1.wav cannot be played" in player.problem
