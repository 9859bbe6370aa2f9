"""Replay of an audio file through the path a microphone takes, at real-time pace."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import takewhile
from pathlib import Path

import numpy as np
import soxr
from numpy.typing import NDArray

from engine.audio.decoding import Decoding, unplayable
from engine.audio.playback import Playback
from engine.audio.ring import Ring
from engine.audio.sources import rate_warning
from engine.clock import SAMPLE_RATE_HZ, SampleClock
from engine.errors import AudioUnavailable

log = logging.getLogger(__name__)

_BLOCK_S = 0.032
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
        self._file = Decoding(path)
        self._rate = self._file.rate_hz
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
        self._file.stop()  # the thread may wait for it
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
        except AudioUnavailable as exc:
            if not self._stop.is_set():
                self._break_off(exc)
        except Exception as exc:  # a thread's root: the session tells the reason
            log.exception("the replay stopped")
            self._break_off(unplayable(self._path, f"it broke off: {exc}"))

    def _break_off(self, why: AudioUnavailable) -> None:
        """Silence follows what was heard, so that its last turn can be committed."""
        self.problem = str(why)
        silence = np.zeros(round(_TRAILING_S * SAMPLE_RATE_HZ), np.float32)
        self._clock.mark((self._ring.written + len(silence)) / SAMPLE_RATE_HZ)
        self._ring.write(silence)

    def _sound(self, stack: ExitStack) -> None:
        """Start the loudspeaker on the whole file, as far as its backlog holds it."""
        try:
            loudspeaker = Playback()
        except AudioUnavailable as exc:
            log.info("the recording is not heard aloud: %s", exc)
            return
        stack.callback(loudspeaker.close)
        with closing(Decoding(self._path)) as sound:
            blocks = list(takewhile(lambda _: not self._stop.is_set(), sound.blocks()))
            loudspeaker.write(loudspeaker.at_own_rate(np.concatenate(blocks), sound.rate_hz))

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
            yield from self._frames()
            return
        stream = soxr.ResampleStream(self._rate, SAMPLE_RATE_HZ, 1, dtype="float32")
        for frames in self._frames():
            yield stream.resample_chunk(frames)
        yield stream.resample_chunk(np.zeros(0, np.float32), last=True)

    def _frames(self) -> Iterator[NDArray[np.float32]]:
        """The file, then silence, at the file's rate: mono blocks."""
        size = max(1, round(self._rate * _BLOCK_S))
        left = self._file.frames
        while left > 0:
            frames = self._file.read(min(size, left))
            if not len(frames):
                break  # shorter than its header says
            left -= len(frames)
            yield frames
        left = round(self._rate * _TRAILING_S)
        while left > 0:
            yield np.zeros(min(size, left), np.float32)
            left -= size
