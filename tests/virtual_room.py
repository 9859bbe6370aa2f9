"""A room with a person and a loudspeaker in it, without hardware: both on one tape.

A stereo null sink is the room. What the person says (the sink `air`) is its left channel, what the
loudspeaker plays (the default sink) its right one; the room's monitor is a tape on which the two
are side by side, sample by sample. The microphone hears the person alone, as with headphones, or
both, as beside a loudspeaker.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.virtual_microphone import VirtualMicrophone, until

TAPE_HZ = 48_000


@dataclass
class VirtualRoom(VirtualMicrophone):
    """A virtual microphone whose room has a loudspeaker, this daemon's default output."""

    def furnish(self, *_properties: str) -> None:
        """The room, the person's mouth, the loudspeaker, and a microphone for headphones."""
        stereo = ("channels=2", "channel_map=front-left,front-right", f"rate={TAPE_HZ}")
        self.control("load-module", "module-null-sink", "sink_name=room", *stereo)
        for name, side in (("air", "front-left"), ("loudspeaker", "front-right")):
            remap = ("master=room", "channels=1", "channel_map=mono", f"master_channel_map={side}")
            self.control(
                "load-module", "module-remap-sink", f"sink_name={name}", *remap, "remix=no"
            )
        self.control("set-default-sink", "loudspeaker")
        self.overhear(False)

    def overhear(self, both: bool) -> None:
        """Plug in a microphone that hears the loudspeaker too, or the person alone."""
        remap = ["master=room.monitor", "source_name=microphone", "channels=1", "channel_map=mono"]
        if not both:
            remap += ["master_channel_map=front-left", "remix=no"]
        self.control("load-module", "module-remap-source", *remap)
        self.control("set-default-source", "microphone")

    def say(self, recording: Path) -> subprocess.Popen[bytes]:
        """Begin to say what is recorded in a WAV or FLAC file; `wait()` waits for its end."""
        return self.play(recording, "--device=air")

    @contextmanager
    def tape(self) -> Iterator[list[NDArray[np.float32]]]:
        """Tape what happens within; afterwards the list holds the person and the loudspeaker."""
        reel: list[NDArray[np.float32]] = []
        form = ("--format=s16le", f"--rate={TAPE_HZ}", "--channels=2", "--latency-msec=50")
        with tempfile.TemporaryFile(dir=self.folder) as file:
            machine = subprocess.Popen(
                ["parec", "--device=room.monitor", *form], env=self.all_variables, stdout=file
            )
            try:
                until(lambda: file.seek(0, 2) > 0, "the tape does not run")
                yield reel
                # What was handed over a moment ago still has to sound.
                ends = file.seek(0, 2) + TAPE_HZ * 4 // 2
                until(lambda: file.seek(0, 2) > ends, "the tape stopped")
            finally:
                machine.terminate()
                machine.wait(10)
            file.seek(0)
            raw = np.frombuffer(file.read(), "<i2")
        sides = raw[: len(raw) // 2 * 2].reshape(-1, 2).astype(np.float32) / np.float32(32768)
        reel += [np.ascontiguousarray(sides[:, 0]), np.ascontiguousarray(sides[:, 1])]


@pytest.fixture(scope="module")
def virtual_room(temporary_folder: Path) -> Iterator[VirtualRoom]:
    """A room for all tests of a module, the sound system of this process and its children."""
    with (
        tempfile.TemporaryDirectory(dir=temporary_folder, prefix="room-") as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        room = VirtualRoom(Path(folder))
        try:
            room.start()
            for name, value in room.environment.items():
                patch.setenv(name, value)
            yield room
        finally:
            room.stop()
