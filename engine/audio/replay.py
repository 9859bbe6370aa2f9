"""Replay of an audio file through the path a microphone takes, at real-time pace."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from engine.audio.ring import Ring
from engine.clock import SAMPLE_RATE_HZ, SampleClock
from engine.errors import AudioUnavailable

_BLOCK_S = 0.032
_TRAILING_S = 1.5  # silence after the file, so that its last turn can be committed


class Replay:
    """A WAV, FLAC or OGG file of any rate and channel count as a `Source`.

    `pace` 2.0 plays twice as fast as real time. Raises `AudioUnavailable` when the file cannot
    be read.
    """

    kind = "file"

    def __init__(self, path: Path, ring: Ring, clock: SampleClock, *, pace: float = 1.0) -> None:
        self.name, self.overflows = path.name, 0
        self._path, self._ring, self._clock, self._pace = path, ring, clock, pace
        self._file = _open(path)
        if self._file.frames == 0:
            self._file.close()
            raise _unreadable(path, "it holds no sound")
        self.seconds: float | None = self._file.frames / self._file.samplerate
        self._stop = threading.Event()
        self._problem: str | None = None
        self._thread = threading.Thread(target=self._run, name="replay", daemon=True)

    def start(self) -> None:
        """Begin playing."""
        self._thread.start()

    def close(self) -> None:
        """Stop playing and close the file."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()
        self._file.close()

    @property
    def ended(self) -> bool:
        """Whether the file, and the silence after it, has been played."""
        return self._thread.ident is not None and not self._thread.is_alive()

    @property
    def problem(self) -> str | None:
        """Why the file broke off, if it did."""
        return self._problem

    def _run(self) -> None:
        try:
            self._play()
        except (soundfile.SoundFileError, OSError) as exc:
            self._problem = str(_unreadable(self._path, f"it broke off: {exc}"))

    def _play(self) -> None:
        began_s = time.monotonic()
        heard_s = 0.0
        rate = self._file.samplerate
        resample = soxr.ResampleStream(rate, SAMPLE_RATE_HZ, 1, dtype="float32")
        block = round(rate * _BLOCK_S)
        silence = round(rate * _TRAILING_S)
        while not self._stop.is_set():
            samples = self._file.read(block, dtype="float32", always_2d=True)
            if not len(samples) and silence > 0:
                samples = np.zeros((min(block, silence), 1), np.float32)
                silence -= len(samples)
            last = not len(samples)
            mono = _clean(samples.mean(axis=1) if not last else np.zeros(0, np.float32))
            heard = mono if rate == SAMPLE_RATE_HZ else resample.resample_chunk(mono, last=last)
            heard_s += len(heard) / SAMPLE_RATE_HZ
            due_s = began_s + heard_s / self._pace
            if self._stop.wait(max(0.0, due_s - time.monotonic())):
                return
            self._clock.mark(heard_s)
            self._ring.write(heard)
            if last:
                return


def _open(path: Path) -> soundfile.SoundFile:
    if not path.is_file():
        raise _unreadable(path, "there is no such file")
    if path.stat().st_size == 0:
        raise _unreadable(path, "the file is empty")
    try:
        return soundfile.SoundFile(path)
    except (soundfile.SoundFileError, OSError) as exc:
        raise _unreadable(path, "its format is not known") from exc


def _unreadable(path: Path, why: str) -> AudioUnavailable:
    return AudioUnavailable(
        f"The recording {path} cannot be played ({why})",
        remedy="choose a WAV, FLAC or OGG file with sound in it",
    )


def _clean(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Finite and within -1..1, whatever a damaged file holds."""
    return np.clip(np.nan_to_num(samples, posinf=1.0, neginf=-1.0), -1.0, 1.0)
