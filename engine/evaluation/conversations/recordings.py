"""Recordings that a job plays through the engine."""

from __future__ import annotations

from pathlib import Path

from engine import paths
from engine.audio.replay import Replay
from engine.audio.ring import Ring
from engine.clock import SampleClock
from engine.errors import DataUnavailable


def first_demo() -> Path:
    """The first bundled demo; `DataUnavailable` when there is none."""
    demos = paths.demo_recordings()
    if not demos:
        raise DataUnavailable(f"There are no demos in {paths.demos()}", remedy="name a recording")
    return demos[0]


def seconds(file: Path) -> float:
    """Length of a recording that can be played; `AudioUnavailable` otherwise."""
    replay = Replay(file, Ring(1.0), SampleClock())
    replay.close()
    return replay.seconds or 0.0
