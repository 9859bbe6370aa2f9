"""A session on a hot machine whose sound is recorded: one real conversation, two things to see."""

from __future__ import annotations

import stat
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
import soundfile

from engine import commands, events, paths
from engine.events import Event
from engine.history import recording
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import Settings
from engine.telemetry.heat import HeatWatch
from tests.conftest import lasting_home
from tests.engine.telemetry import kernel


@dataclass
class Held:
    """What a conversation left."""

    seen: list[Event] = field(default_factory=list)
    folder: Path = Path()
    file: Path = Path()

    def of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.seen if isinstance(event, kind)]


@pytest.fixture(scope="module")
def held(
    models: Path, halves: Path, tmp_path_factory: pytest.TempPathFactory, temporary_folder: Path
) -> Held:
    home, held = tmp_path_factory.mktemp("hot"), Held()
    sound, rate = soundfile.read(paths.demos() / "balcony-garden.flac", frames=96_000)
    held.file = home / "question.wav"
    soundfile.write(held.file, sound, rate)
    root = kernel.write(
        home / "sys",
        {
            "class/hwmon/hwmon0/name": "coretemp",
            "class/hwmon/hwmon0/temp1_label": "Package id 0",
            "class/hwmon/hwmon0/temp1_input": 97_000,
        },
    )
    with lasting_home(home, models, halves) as patch:
        patch.setattr(HeatWatch.__init__, "__defaults__", (root,))
        converse(held, home / "sessions")
    return held


def converse(held: Held, folder: Path) -> None:
    """Hear the file with its sound recorded, until the source has ended."""
    outbox = Outbox()
    session = Session(Settings(), outbox, log_folder=folder)
    session.start()
    deadline = time.monotonic() + 180
    try:
        while not held.of(events.SourceEnded):
            assert time.monotonic() < deadline, [type(event).__name__ for event in held.seen]
            outbox.wait(0.1)
            fresh, _ = outbox.drain()
            held.seen += fresh
            if any(isinstance(event, events.EngineReady) for event in fresh):
                session.send(commands.RecordSound(on=True))
                session.send(commands.OpenFile(path=str(held.file)))
    finally:
        assert session.stop(20)
    (held.folder,) = folder.iterdir()


def test_pads_rests_on_a_hot_machine_and_answers_all_the_same(held: Held) -> None:
    (rested,) = held.of(events.SpeculationRested)
    assert isinstance(rested, events.SpeculationRested)
    assert (rested.resting, rested.reason) == (True, "97 °C")
    decisions = [e for e in held.seen if isinstance(e, events.GateDecided)]
    assert decisions
    assert not any(decision.triggered for decision in decisions)
    assert any(decision.reason.startswith("PADS rests") for decision in decisions)
    branches = [e for e in held.seen if isinstance(e, events.BranchStarted)]
    assert branches
    assert not any(branch.speculative for branch in branches)
    accounts = [e for e in held.seen if isinstance(e, events.TurnAccounted)]
    assert [account.hidden_ms for account in accounts] == [0.0]


def test_recorded_sound_is_what_was_heard_and_the_session_points_to_it(held: Held) -> None:
    (one,) = recording.read(held.folder).conversations
    (sound,) = one.sounds
    file = held.folder / sound.file
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(held.folder.stat().st_mode) == 0o700
    kept, rate = soundfile.read(file, dtype="float32")
    heard, _ = soundfile.read(held.file, dtype="float32")
    at = round(sound.start_s * rate)
    both = min(len(kept), len(heard) - at)
    assert both > 5 * rate
    assert np.abs(kept[:both] - heard[at : at + both]).max() < 1e-3
