"""A recording heard aloud: what leaves the loudspeaker is what the engine hears."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.audio import replay as replaying
from engine.audio.microphone import Microphone
from engine.audio.replay import Replay
from engine.audio.ring import Ring
from engine.clock import SAMPLE_RATE_HZ, SampleClock
from engine.errors import AudioUnavailable
from engine.evaluation.conversations.questions import questions
from tests.engine.audio.test_microphone import likeness, original
from tests.virtual_microphone import VirtualMicrophone, until, virtual_microphone

__all__ = ["virtual_microphone"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    question = next(one for one in questions() if one.name == "first-guitar-1")
    return question.cut(tmp_path)


def test_what_is_replayed_is_heard_in_the_room(
    virtual_microphone: VirtualMicrophone, file: Path
) -> None:
    spoken = original(file)[: 3 * SAMPLE_RATE_HZ]
    # A crowded machine tears holes into what it plays, but not each time.
    assert any(likeness(heard_in_the_room(file), spoken) > 0.9 for _ in range(3))


def heard_in_the_room(file: Path) -> NDArray[np.float32]:
    """What a microphone beside the loudspeaker hears of the recording."""
    room = Ring(60.0)
    microphone = Microphone(None, room, SampleClock())
    microphone.start()
    try:
        assert room.wait(512, 20.0), "the microphone delivers nothing"
        replay = Replay(file, Ring(60.0), SampleClock(), aloud=True)
        replay.start()
        until(lambda: replay.ended, "the recording does not end")
        replay.close()
        assert replay.problem is None
        heard = room.read(room.unread)
    finally:
        microphone.close()
    assert heard is not None
    return heard


def test_without_a_loudspeaker_it_is_replayed_all_the_same(
    monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    def none() -> None:
        raise AudioUnavailable("The loudspeaker cannot be opened", remedy="connect one")

    monkeypatch.setattr(replaying, "Playback", none)
    ring = Ring(60.0)
    replay = Replay(file, ring, SampleClock(), pace=20.0, aloud=True)
    replay.start()
    until(lambda: replay.ended, "the recording does not end")
    replay.close()
    assert replay.problem is None
    assert ring.written > 3 * SAMPLE_RATE_HZ
