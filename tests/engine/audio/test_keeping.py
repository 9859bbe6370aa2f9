"""Sound that is kept: what was heard, for its owner alone, and only while it is asked for."""

from __future__ import annotations

import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

from engine.audio.keeping import SoundKeeper
from engine.events import Event, Problem, SoundRecorded


def noise(chunks: int) -> list[NDArray[np.float32]]:
    rng = np.random.default_rng(3)
    return [rng.uniform(-0.5, 0.5, 512).astype(np.float32) for _ in range(chunks)]


def hear(keeper: SoundKeeper, chunks: list[NDArray[np.float32]], from_s: float = 0.0) -> float:
    for i, chunk in enumerate(chunks, 1):
        keeper.hear(chunk, from_s + i * 0.032)
    return from_s + len(chunks) * 0.032


def test_nothing_is_kept_unless_asked(tmp_path: Path) -> None:
    told: list[Event] = []
    keeper = SoundKeeper(tmp_path, told.append)
    hear(keeper, noise(10))
    keeper.end()
    assert told == []
    assert list(tmp_path.glob("sound*")) == []


def test_what_was_heard_is_kept_for_its_owner(tmp_path: Path) -> None:
    told: list[Event] = []
    keeper = SoundKeeper(tmp_path, told.append)
    chunks = noise(20)
    at_s = hear(keeper, chunks[:5])
    keeper.switch(True)
    hear(keeper, chunks[5:], at_s)
    keeper.switch(False)
    hear(keeper, chunks, 1.0)
    began, ended = told
    assert isinstance(began, SoundRecorded)
    assert began.on
    assert abs(began.heard_s - 0.16) < 1e-9
    assert ended == SoundRecorded(heard_s=0.64, file=began.file, on=False)
    kept, rate = soundfile.read(tmp_path / began.file, dtype="float32")
    assert rate == 16_000
    assert np.abs(kept - np.concatenate(chunks[5:])).max() < 1e-4
    assert stat.S_IMODE((tmp_path / began.file).stat().st_mode) == 0o600


def test_each_stretch_is_a_file_of_its_own(tmp_path: Path) -> None:
    told: list[Event] = []
    keeper = SoundKeeper(tmp_path, told.append)
    keeper.switch(True)
    for _ in range(2):
        hear(keeper, noise(3))
        keeper.end()
    assert sorted(file.name for file in tmp_path.glob("sound*")) == ["sound-1.wav", "sound-2.wav"]


def test_a_process_that_dies_leaves_readable_sound(tmp_path: Path) -> None:
    code = (
        "import os, sys, numpy as np; from pathlib import Path\n"
        "from engine.audio.keeping import SoundKeeper\n"
        "keeper = SoundKeeper(Path(sys.argv[1]), lambda event: None)\n"
        "keeper.switch(True)\n"
        "for i in range(100): keeper.hear(np.full(512, 0.25, np.float32), i * 0.032)\n"
        "os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False, timeout=60)
    kept, _ = soundfile.read(tmp_path / "sound-1.wav", dtype="float32")
    assert len(kept) >= 90 * 512
    assert np.allclose(kept, 0.25, atol=1e-4)


def test_without_a_folder_it_says_so(tmp_path: Path) -> None:
    told: list[Event] = []
    keeper = SoundKeeper(None, told.append)
    keeper.switch(True)
    hear(keeper, noise(3))
    problem, given_up = told
    assert given_up == SoundRecorded(heard_s=0.032, file="", on=False)
    assert isinstance(problem, Problem)
    assert "no folder" in problem.message


def test_a_full_disk_ends_the_recording_with_one_sentence(tmp_path: Path) -> None:
    told: list[Event] = []
    keeper = SoundKeeper(tmp_path, told.append)
    keeper.switch(True)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, before[1]))
    try:
        hear(keeper, noise(100))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    problems = [event for event in told if isinstance(event, Problem)]
    lamps = [event.on for event in told if isinstance(event, SoundRecorded)]
    assert len(problems) == 1
    assert lamps == [True, False, False]
