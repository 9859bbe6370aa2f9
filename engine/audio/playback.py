"""The loudspeaker: one open output stream of PortAudio, fed from a bounded ring."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import soxr
from numpy.typing import NDArray

from engine.audio.devices import look_again, open_streams, portaudio_lock, system
from engine.audio.ring import Ring
from engine.clock import SAMPLE_RATE_HZ
from engine.errors import AudioUnavailable

# What is on its way to the device when a reply is to stop still sounds: little, but enough for
# a callback that waits for the interpreter.
_LATENCY_S = 0.06
_BACKLOG_S = 30.0
_STUCK_S = 3.0


class Playback:
    """Mono sound to the system's default output, at that device's own rate.

    While `held`, silence is played and nothing is lost. Raises `AudioUnavailable` when there is
    no output or it cannot be opened; opening takes a second with some sound servers.
    """

    def __init__(self) -> None:
        portaudio = system()
        self.held = False
        self._more = False
        self._underruns = 0
        self._last_call_s = self._sounded_s = float("-inf")
        with portaudio_lock:
            try:
                look_again(portaudio)
                device = portaudio.query_devices(kind="output")
                self.rate_hz: int = round(device["default_samplerate"])
                self._ring = Ring(_BACKLOG_S * self.rate_hz / SAMPLE_RATE_HZ)
                self._stream = portaudio.OutputStream(
                    samplerate=self.rate_hz,
                    channels=1,
                    dtype="float32",
                    latency=_LATENCY_S,
                    callback=self._on_block,
                )
                self._stream.start()
            except (portaudio.PortAudioError, ValueError) as exc:
                raise AudioUnavailable(
                    f"The loudspeaker cannot be opened ({exc})",
                    remedy="check the output in the system's sound settings; until then replies "
                    "stay written",
                ) from exc
            open_streams.add(self)
        self._last_call_s = time.monotonic()

    def _on_block(self, block: NDArray[np.float32], frames: int, _time: Any, status: Any) -> None:
        self._last_call_s = time.monotonic()
        block.fill(0)
        n = 0 if self.held else min(frames, self._ring.unread)
        if n and (samples := self._ring.read(n)) is not None:
            block[:n, 0] = samples
            self._sounded_s = self._last_call_s
            self._underruns += bool(status.output_underflow)
        self._underruns += self._more and not self.held and n < frames

    @property
    def played_samples(self) -> int:
        """Samples ever taken by the device, or cleared."""
        return self._ring.read_samples

    @property
    def written_samples(self) -> int:
        """Samples ever written."""
        return self._ring.written

    @property
    def sounded_s(self) -> float:
        """`time.monotonic()` when the device last took sound."""
        return self._sounded_s

    @property
    def underruns(self) -> int:
        """Blocks that came too late for the device, within what was written in one go."""
        return self._underruns

    @property
    def stuck(self) -> bool:
        """Whether the device has stopped asking for sound."""
        return time.monotonic() - self._last_call_s > _STUCK_S

    def at_own_rate(self, samples: NDArray[np.float32], rate_hz: int) -> NDArray[np.float32]:
        """`samples` of shape [n] at `rate_hz`, resampled to the device's rate."""
        return np.asarray(soxr.resample(samples, rate_hz, self.rate_hz), np.float32)

    def write(self, samples: NDArray[np.float32]) -> int:
        """Append what there is room for, at the device's rate; how many samples that was.

        When it was not all of them, more are expected before these have been played.
        """
        room = round(_BACKLOG_S * self.rate_hz) - self._ring.unread
        self._ring.write(samples[: max(room, 0)])
        self._more = room < len(samples)
        return max(0, min(room, len(samples)))

    def clear(self) -> None:
        """Drop what was not played yet."""
        self._more = False
        while unread := self._ring.unread:
            self._ring.read(unread)

    def close(self) -> None:
        """Close the stream; harmless when repeated."""
        with portaudio_lock:
            self._stream.close(ignore_errors=True)
            open_streams.discard(self)
