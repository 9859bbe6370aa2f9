"""Replay of an audio file through the path a microphone takes, at real-time pace."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from engine.audio.playback import Playback
from engine.audio.ring import Ring
from engine.audio.sources import mono, rate_warning
from engine.clock import SAMPLE_RATE_HZ, SampleClock
from engine.errors import AudioUnavailable

log = logging.getLogger(__name__)

_BLOCK_S = 0.032
_LOWEST_HZ, _HIGHEST_HZ, _CHANNELS = 1_000, 768_000, 256
_TRAILING_S = 1.5  # silence after the file, so that its last turn can be committed


class Replay:
    """A WAV, FLAC or OGG file of any rate and channel count as a `Source`.

    `pace` 2.0 plays twice as fast as real time. `aloud` lets people hear it too, where there is a
    loudspeaker, some tenths of a second late. Raises `AudioUnavailable` when the file cannot be
    read.
    """

    kind = "file"
    overflows = 0

    def __init__(
        self,
        path: Path,
        ring: Ring,
        clock: SampleClock,
        *,
        pace: float = 1.0,
        aloud: bool = False,
    ) -> None:
        self.name, self._aloud = path.name, aloud
        self._path, self._ring, self._clock, self._pace = path, ring, clock, pace
        self._file = _open(path)
        self._rate = self._file.samplerate
        self.seconds: float | None = self._file.frames / self._rate
        self.warning = rate_warning(f"The recording {path.name}", self._rate)
        self.problem: str | None = None
        self._stop = threading.Event()
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

    def _run(self) -> None:
        try:
            with ExitStack() as stack:
                if self._aloud:
                    self._sound(stack)
                self._play()
        except Exception as exc:  # noqa: BLE001 - a thread's root: the session tells the reason
            self.problem = str(_unplayable(self._path, f"it broke off: {exc}"))

    def _sound(self, stack: ExitStack) -> None:
        """Start the loudspeaker on the whole file, as far as its backlog holds it."""
        try:
            loudspeaker = Playback()
        except AudioUnavailable as exc:
            log.info("the recording is not heard aloud: %s", exc)
            return
        stack.callback(loudspeaker.close)
        samples, rate_hz = soundfile.read(self._path, dtype="float32", always_2d=True)
        loudspeaker.write(loudspeaker.at_own_rate(mono(samples), rate_hz))

    def _play(self) -> None:
        began_s = time.monotonic()
        heard = 0
        for block in self._resampled():
            heard += len(block)
            heard_s = heard / SAMPLE_RATE_HZ
            # Due times are counted from the start, so lateness never adds up to a drift.
            due_s = began_s + heard_s / self._pace
            if self._stop.wait(max(0.0, due_s - time.monotonic())):
                return
            self._clock.mark(heard_s)
            self._ring.write(block)

    def _resampled(self) -> Iterator[NDArray[np.float32]]:
        """All of the file and the trailing silence as blocks of mono 16 kHz audio."""
        if self._rate == SAMPLE_RATE_HZ:
            yield from map(mono, self._frames())
            return
        stream = soxr.ResampleStream(self._rate, SAMPLE_RATE_HZ, 1, dtype="float32")
        for frames in self._frames():
            yield stream.resample_chunk(mono(frames))
        yield stream.resample_chunk(np.zeros(0, np.float32), last=True)

    def _frames(self) -> Iterator[NDArray[np.float32]]:
        """The file, then silence, at the file's rate: blocks of shape [n, channels]."""
        size = max(1, round(self._rate * _BLOCK_S))
        left = self._file.frames
        while left > 0:
            frames = self._file.read(min(size, left), dtype="float32", always_2d=True)
            if not len(frames):
                break  # shorter than its header says
            left -= len(frames)
            yield frames
        left = round(self._rate * _TRAILING_S)
        while left > 0:
            yield np.zeros((min(size, left), 1), np.float32)
            left -= size


def _open(path: Path) -> soundfile.SoundFile:
    try:
        if not path.is_file():
            raise _unplayable(path, "there is no such file")
        if path.stat().st_size == 0:
            raise _unplayable(path, "the file is empty")
        path.open("rb").close()
        file = soundfile.SoundFile(path)
    except OSError as exc:
        raise _unplayable(path, exc.strerror or str(exc)) from exc
    except (soundfile.SoundFileError, TypeError) as exc:  # TypeError: headerless, by its suffix
        raise _unplayable(path, "its format is not known") from exc
    if file.frames <= 0:
        file.close()
        raise _unplayable(path, "it holds no sound")
    if not _LOWEST_HZ <= file.samplerate <= _HIGHEST_HZ or file.channels > _CHANNELS:
        file.close()
        raise _unplayable(path, "its rate or its number of channels is none of a recording")
    return file


def _unplayable(path: Path, why: str) -> AudioUnavailable:
    return AudioUnavailable(
        f"The recording {path} cannot be played ({why})",
        remedy="choose a WAV, FLAC or OGG file with sound in it",
    )
