"""What is heard, kept in the session's folder: only while the user asks for it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

from engine.clock import SAMPLE_RATE_HZ
from engine.events import Event, Problem, SoundRecorded
from engine.records.writing import check_there


class SoundKeeper:
    """Writes WAV files (16 kHz, 16 bits) that their owner alone may read, one a stretch of sound.

    `post` takes `SoundRecorded` when a file begins and ends, so that a lamp shows what is really
    written. Without a `folder` there is nowhere to keep sound, which is said.
    """

    def __init__(self, folder: Path | None, post: Callable[[Event], None]) -> None:
        self._folder, self._post = folder, post
        self._wanted = False
        self._file: soundfile.SoundFile | None = None
        self._handle = -1  # the file's, which closes it
        self._name, self._heard_s = "", 0.0

    def switch(self, on: bool) -> None:
        """Keep what is heard from now on, or no more."""
        self._wanted = on
        if not on:
            self.end()

    def hear(self, chunk: NDArray[np.float32], heard_s: float) -> None:
        """Take the next samples, which end at `heard_s` of the conversation."""
        self._heard_s = heard_s
        if not self._wanted:
            return
        try:
            if self._file is None:
                self._begin(heard_s - len(chunk) / SAMPLE_RATE_HZ)
            if self._file is not None:
                self._file.write(chunk)
                check_there(self._handle, Path(self._name))
        except (OSError, soundfile.LibsndfileError) as exc:
            self._give_up(str(exc))

    def end(self) -> None:
        """The conversation is over: what is heard next goes to another file."""
        file, self._file = self._file, None
        if file is None:
            return
        try:
            file.close()
        except soundfile.LibsndfileError as exc:
            self._give_up(str(exc))
        self._post(SoundRecorded(heard_s=self._heard_s, file=self._name, on=False))

    def _begin(self, heard_s: float) -> None:
        if self._folder is None or not self._folder.is_dir():
            self._give_up("the session has no folder")
            return
        number = 1 + len(list(self._folder.glob("sound-*.wav")))
        self._name = f"sound-{number}.wav"
        self._handle = os.open(
            self._folder / self._name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600
        )
        # A file that was not closed is read all the same: libsndfile mends its length.
        self._file = soundfile.SoundFile(
            self._handle, "w", SAMPLE_RATE_HZ, 1, "PCM_16", format="WAV", closefd=True
        )
        self._post(SoundRecorded(heard_s=heard_s, file=self._name, on=True))

    def _give_up(self, why: str) -> None:
        self._wanted = False
        message = (
            f"The sound is not recorded ({why}): see that the session's folder is there and has "
            "room, then switch it on"
        )
        self._post(Problem(heard_s=self._heard_s, message=message))
        if self._file is not None:
            self.end()
        self._post(SoundRecorded(heard_s=self._heard_s, file="", on=False))
