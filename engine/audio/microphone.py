"""Microphone capture through PortAudio."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import soxr
from numpy.typing import NDArray

from engine.audio.ring import Ring
from engine.clock import SAMPLE_RATE_HZ, SampleClock
from engine.errors import AudioUnavailable, MicrophoneLost

_SILENT_DEVICE_S = 2.0  # a running device delivers a block every few hundredths of a second


@dataclass(frozen=True, slots=True, kw_only=True)
class InputDevice:
    """An input as the system lists it; `rate_hz` is its own default rate."""

    index: int
    name: str
    is_default: bool
    channels: int
    rate_hz: int


def input_devices() -> tuple[InputDevice, ...]:
    """Every input by its real name. Raises `AudioUnavailable` without an audio system."""
    portaudio = _portaudio()
    try:
        devices, default = portaudio.query_devices(), portaudio.default.device[0]
    except portaudio.PortAudioError as exc:
        raise _no_audio(str(exc)) from exc
    return tuple(
        InputDevice(
            index=index,
            name=device["name"],
            is_default=index == default,
            channels=device["max_input_channels"],
            rate_hz=round(device["default_samplerate"]),
        )
        for index, device in enumerate(devices)
        if device["max_input_channels"] > 0
    )


class Microphone:
    """An input device as a `Source`; `name` None follows the system's default.

    The callback only counts, copies and returns; where the device refuses 16 kHz its own rate
    is resampled. Raises `AudioUnavailable` when there is no such device.
    """

    kind = "microphone"
    seconds: float | None = None

    def __init__(self, name: str | None, ring: Ring, clock: SampleClock) -> None:
        self._device = _choose(name, input_devices())
        self.name, self.overflows = self._device.name, 0
        self._ring, self._clock = ring, clock
        self._resample: soxr.ResampleStream | None = None
        self._stream: Any = None
        self._last_block_s = time.monotonic()
        self._closed = threading.Event()

    def start(self) -> None:
        """Open the device; it may take a second until it delivers."""
        portaudio = _portaudio()
        try:
            self._stream = self._opened(portaudio, SAMPLE_RATE_HZ)
        except portaudio.PortAudioError:
            rate = self._device.rate_hz
            self._resample = soxr.ResampleStream(rate, SAMPLE_RATE_HZ, 1, dtype="float32")
            try:
                self._stream = self._opened(portaudio, rate)
            except portaudio.PortAudioError as exc:
                raise AudioUnavailable(
                    f"The microphone {self.name} cannot be opened ({exc})",
                    remedy="close other programs that use it, or choose another input",
                ) from exc
        self._last_block_s = time.monotonic() + _SILENT_DEVICE_S
        self._stream.start()

    def close(self) -> None:
        """Stop listening."""
        self._closed.set()
        if self._stream is not None:
            self._stream.close(ignore_errors=True)

    @property
    def ended(self) -> bool:
        """Whether the device has been closed or has gone."""
        return self._closed.is_set() or self.problem is not None

    @property
    def problem(self) -> str | None:
        """Said when the device has stopped delivering."""
        if self._closed.is_set() or self._stream is None:
            return None
        if self._stream.active and time.monotonic() - self._last_block_s < _SILENT_DEVICE_S:
            return None
        return str(
            MicrophoneLost(
                f"The microphone {self.name} stopped delivering sound",
                remedy="connect it again, or choose another input",
            )
        )

    def _opened(self, portaudio: Any, rate: int) -> Any:
        return portaudio.InputStream(
            samplerate=rate,
            device=self._device.index,
            channels=min(2, self._device.channels),
            dtype="float32",
            blocksize=0,
            latency="low",
            callback=self._on_block,
        )

    def _on_block(self, block: NDArray[np.float32], _frames: int, _time: Any, status: Any) -> None:
        self.overflows += bool(status.input_overflow)
        self._last_block_s = max(self._last_block_s, time.monotonic())
        mono = np.clip(np.nan_to_num(block.mean(axis=1), posinf=1.0, neginf=-1.0), -1.0, 1.0)
        if self._resample is not None:
            mono = self._resample.resample_chunk(mono)
        self._ring.write(mono)
        self._clock.mark(self._ring.written / SAMPLE_RATE_HZ)


def _choose(name: str | None, devices: tuple[InputDevice, ...]) -> InputDevice:
    for device in devices:
        if device.name == name or (name is None and device.is_default):
            return device
    if name is None and devices:
        return devices[0]
    if name is None:
        raise AudioUnavailable("No microphone was found", remedy="connect one, or play a demo")
    known = ", ".join(device.name for device in devices) or "none"
    raise AudioUnavailable(
        f"The microphone {name} was not found (inputs here: {known})",
        remedy="choose another input",
    )


def _portaudio() -> Any:
    """sounddevice, which loads PortAudio on import and fails where that is not installed."""
    try:
        import sounddevice
    except OSError as exc:
        raise _no_audio(str(exc)) from exc
    return sounddevice


def _no_audio(why: str) -> AudioUnavailable:
    return AudioUnavailable(
        f"The sound system cannot be used ({why})",
        remedy="install PortAudio (Debian, Ubuntu: libportaudio2), or play a demo",
    )
