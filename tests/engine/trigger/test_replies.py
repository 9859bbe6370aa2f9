"""What of the decoder's reports becomes an event."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.clock import SampleClock
from engine.events import DecoderWorked, Event
from engine.settings import DecoderSettings, GateSettings
from engine.speculation.client import DecoderProcess, Worked
from engine.trigger.replies import Replies
from engine.voice.voice import Voice


class Unsteady(SampleClock):
    """A clock that a late block moves by a quarter of a second whenever it has been read."""

    def heard_s(self, wall_s: float) -> float:
        found = super().heard_s(wall_s)
        self.mark(found, wall_s + 0.25)
        return found


def test_a_step_takes_as_long_as_the_decoder_says_while_the_clock_is_moved(tmp_path: Path) -> None:
    seen: list[Event] = []
    decoder = DecoderProcess(DecoderSettings(), tmp_path / "model", tmp_path)  # not started
    voice = Voice(seen.append, lambda: 0.0)
    replies = Replies(decoder, Unsteady(), seen.append, DecoderSettings(), GateSettings(), voice)
    replies.prefill(1, "How")
    step = Worked(1, "shallow", start_s=10.0, end_s=10.5, head_ms=500.0, tail_ms=0.0, tokens=3)
    decoder._post(step)
    replies.poll()
    (worked,) = seen
    assert isinstance(worked, DecoderWorked)
    assert worked.heard_s - worked.start_s == pytest.approx(0.5)
