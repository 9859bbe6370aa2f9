"""One open input stream of PortAudio."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import soxr
from numpy.typing import NDArray

from engine.audio.devices import InputDevice, open_streams, portaudio_lock, system
from engine.audio.ring import Ring
from engine.audio.sound_server import opening
from engine.audio.sources import mono
from engine.clock import SAMPLE_RATE_HZ
from engine.errors import AudioUnavailable

# A tenth of a second of buffer: blocks of 25 ms, and none lost while another thread holds the
# interpreter for long. The "low" latency would call back 470 times a second.
_LATENCY_S = 0.1
_BACKLOG_S = 5.0
_FIRST_BLOCK_S = 5.0  # a stream may take two seconds until it delivers
_NEXT_BLOCK_S = 2.5  # nor does moving it to another default take less


class Capture:
    """A stream from `device`; its callback counts, copies and returns.

    Asks for 16 kHz; where the device refuses, takes the device's own rate and resamples, off
    the callback. Raises `AudioUnavailable` when the device cannot be opened.
    """

    def __init__(self, device: InputDevice) -> None:
        self._channels = min(2, device.channels)
        self._input_overflows = 0
        portaudio = system()
        with portaudio_lock, opening(device.source):
            try:
                self._open(portaudio, device, SAMPLE_RATE_HZ)
            except portaudio.PortAudioError:
                try:
                    self._open(portaudio, device, device.rate_hz)
                except portaudio.PortAudioError as exc:
                    raise AudioUnavailable(
                        f"The microphone {device.name} cannot be opened ({exc})",
                        remedy="close other programs that use it, or choose another input",
                    ) from exc

    def _open(self, portaudio: Any, device: InputDevice, rate_hz: int) -> None:
        self._resample = (
            soxr.ResampleStream(rate_hz, SAMPLE_RATE_HZ, 1, dtype="float32")
            if rate_hz != SAMPLE_RATE_HZ
            else None
        )
        # A whole number of frames, so that what the ring drops are whole frames too.
        frames = round(_BACKLOG_S * rate_hz)
        self._raw = Ring(frames * self._channels / SAMPLE_RATE_HZ)
        self._last_block_s = time.monotonic() + _FIRST_BLOCK_S
        self._stream = portaudio.InputStream(
            samplerate=rate_hz,
            device=device.index,
            channels=self._channels,
            dtype="float32",
            latency=_LATENCY_S,
            callback=self._on_block,
        )
        try:
            self._stream.start()
        except portaudio.PortAudioError:
            self._stream.close(ignore_errors=True)
            raise
        open_streams.add(self)

    def _on_block(self, block: NDArray[np.float32], _frames: int, _time: Any, status: Any) -> None:
        self._input_overflows += bool(status.input_overflow)
        self._last_block_s = time.monotonic()
        self._raw.write(block.reshape(-1))

    @property
    def overflows(self) -> int:
        """Blocks lost before they could be taken."""
        return self._input_overflows + self._raw.dropped_blocks

    @property
    def delivering(self) -> bool:
        """Whether the device calls back; a new stream has 5 s to begin, then 2.5 s a block."""
        return bool(self._stream.active) and time.monotonic() - self._last_block_s < _NEXT_BLOCK_S

    def wait(self, timeout_s: float) -> bool:
        """Wait for a block; False if none came in time."""
        return self._raw.wait(self._channels, timeout_s)

    def take(self) -> NDArray[np.float32]:
        """All that has arrived, mono 16 kHz, shape [n]."""
        samples = self._raw.read(self._raw.unread // self._channels * self._channels)
        if samples is None:
            return np.zeros(0, np.float32)
        heard = mono(samples.reshape(-1, self._channels))
        if self._resample is None:
            return heard
        resampled: NDArray[np.float32] = self._resample.resample_chunk(heard)
        return resampled

    def close(self) -> None:
        """Close the stream; harmless when repeated."""
        with portaudio_lock:
            self._stream.close(ignore_errors=True)
            open_streams.discard(self)
