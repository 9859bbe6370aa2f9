"""A microphone whose sound server dies and is started again while someone listens."""

from pathlib import Path

import numpy as np
import pytest

from engine.audio.returning import ReturningMicrophone
from engine.audio.ring import Ring
from engine.clock import SampleClock
from engine.errors import AudioUnavailable
from tests.virtual_microphone import VirtualMicrophone, until, virtual_microphone

__all__ = ["virtual_microphone"]


def test_it_is_silent_while_away_and_heard_again_afterwards(
    virtual_microphone: VirtualMicrophone, data: Path
) -> None:
    ring, clock = Ring(120.0), SampleClock()
    microphone = ReturningMicrophone(None, ring, clock)
    microphone.start()
    try:
        assert ring.wait(512, 20.0)
        assert microphone.warning is None
        virtual_microphone.stop()
        until(lambda: microphone.warning is not None, "the loss went unnoticed")
        assert "stopped delivering" in str(microphone.warning)
        written = ring.written
        until(lambda: ring.written > written + 40_000, "time stands still")
        assert not microphone.ended
        assert clock.heard_s(clock.wall_s(1.0)) == pytest.approx(1.0)

        virtual_microphone.start()
        until(lambda: microphone.warning is None, "its return went unnoticed")
        ring.read(ring.unread)
        heard: list[float] = []
        for _ in range(3):  # a stream takes up to two seconds to begin
            virtual_microphone.play(data / "audio" / "livekit_hello_world.wav").wait(60)
            block = ring.read(ring.unread)
            assert block is not None
            heard.append(float(np.abs(block).max()))
        assert heard[-1] > 0.05
        assert microphone.problem is None
    finally:
        microphone.close()
    microphone.close()
    assert microphone.ended
    assert ring.dropped_blocks == 0


def test_what_was_never_there_is_refused(virtual_microphone: VirtualMicrophone) -> None:
    with pytest.raises(AudioUnavailable, match="Elsewhere was not found"):
        ReturningMicrophone("Elsewhere", Ring(), SampleClock())
    unstarted = ReturningMicrophone(None, Ring(), SampleClock())
    unstarted.close()
