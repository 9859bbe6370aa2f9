"""A microphone as a source of the engine."""

from __future__ import annotations

import threading
import time

import numpy as np
from numpy.typing import NDArray

from engine.audio.capture import Capture
from engine.audio.devices import InputDevice, find, input_devices
from engine.audio.ring import Ring
from engine.audio.sources import rate_warning
from engine.clock import SAMPLE_RATE_HZ, SampleClock
from engine.errors import AudioUnavailable, MicrophoneLost

__all__ = ["InputDevice", "Microphone", "input_devices"]

_TRAILING_S = 1.5  # silence after a lost microphone, so that its last turn can be committed
_WAIT_S = 0.1

_MUTE_S = 3.0
_PROBE_S = 4.0
_LONGEST_BETWEEN_PROBES_S = 30.0
_BETWEEN_LOOKS_S = 1.0


class Microphone:
    """An input device as a `Source`; `name` None follows the system's default.

    Raises `AudioUnavailable` when there is no such device. A microphone that stops delivering
    ends with a `problem`, after 1.5 s of silence in which its last turn can be committed.

    A muted microphone, and under some sound servers a stream whose device was pulled, deliver
    zeros for ever. Such a stream stays open with a `warning`; meanwhile a second one looks now
    and then whether sound can be had anew, and takes over when it can.
    """

    kind = "microphone"
    seconds: float | None = None

    def __init__(self, name: str | None, ring: Ring, clock: SampleClock) -> None:
        self._device = find(name, input_devices())
        self.name = self._device.name
        self.problem: str | None = None
        self._ring, self._clock = ring, clock
        self._capture: Capture | None = None
        self._probe = _Probe(name)
        self._past_overflows = 0
        self._mute_s = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="microphone", daemon=True)

    def start(self) -> None:
        """Open the device; it may take two seconds until it delivers."""
        self._capture = Capture(self._device)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()

    @property
    def ended(self) -> bool:
        """Whether the device has been closed or has gone."""
        return self._thread.ident is not None and not self._thread.is_alive()

    @property
    def overflows(self) -> int:
        """Blocks lost before they reached the ring."""
        return self._past_overflows + (self._capture.overflows if self._capture else 0)

    @property
    def warning(self) -> str | None:
        """Said while the device delivers only zeros, or only telephone quality."""
        if self._mute_s >= _MUTE_S:
            return f"The microphone {self.name} {self._probe.finding}"
        return rate_warning(f"The microphone {self.name}", self._device.rate_hz)

    def _run(self) -> None:
        try:
            while not self._stop.is_set() and self.problem is None:
                self._step()
        except Exception as exc:  # noqa: BLE001 - a thread's root: the session tells the reason
            self.problem = str(self._lost(str(exc)))
        finally:
            self._probe.close()
            if self._capture is not None:
                self._capture.close()
            if self.problem is not None:
                self._deliver(np.zeros(round(_TRAILING_S * SAMPLE_RATE_HZ), np.float32))

    def _step(self) -> None:
        assert self._capture is not None
        self._capture.wait(_WAIT_S)
        heard = self._capture.take()
        self._deliver(heard)
        if not self._capture.delivering:
            self.problem = str(self._lost("its stream ended"))
        if heard.any():
            if self._mute_s:
                self._mute_s = 0.0
                self._probe.close()
            return
        self._mute_s += len(heard) / SAMPLE_RATE_HZ
        if self._mute_s >= _MUTE_S and (other := self._probe.sounding()) is not None:
            self._past_overflows += self._capture.overflows
            self._capture.close()
            self._capture, self._mute_s = other, 0.0

    def _deliver(self, heard: NDArray[np.float32]) -> None:
        if len(heard):
            self._clock.mark((self._ring.written + len(heard)) / SAMPLE_RATE_HZ)
            self._ring.write(heard)

    def _lost(self, why: str) -> MicrophoneLost:
        return MicrophoneLost(
            f"The microphone {self.name} stopped delivering sound ({why})",
            remedy="connect it again, or choose another input",
        )


class _Probe:
    """Asks now and then after an input that delivers only zeros, and looks for its sound."""

    def __init__(self, name: str | None) -> None:
        self._name = name
        self._capture: Capture | None = None
        self._begin_again()

    def _begin_again(self) -> None:
        self._gone = False
        self._pause_s = 0.0
        self._due_s = time.monotonic()
        self.finding = "delivers no sound at all: check that it is connected and not muted"

    def close(self) -> None:
        """Close the second stream, if it is open; the next look comes without delay."""
        self._drop()
        self._begin_again()

    def sounding(self) -> Capture | None:
        """A second stream, now the caller's: once it has sound, or its input has returned."""
        if time.monotonic() >= self._due_s:
            if self._capture is not None:
                self._drop()
                self._rest()
            else:
                self._look()
        if self._capture is None or not (self._gone or self._capture.take().any()):
            return None
        capture, self._capture = self._capture, None
        self._begin_again()
        return capture

    def _look(self) -> None:
        try:
            device = find(self._name, input_devices())
        except AudioUnavailable:
            self._gone = True
            self.finding = "is gone: connect it again, or choose another input"
            self._due_s = time.monotonic() + _BETWEEN_LOOKS_S
            return
        if device.muted:
            self.finding = "is muted: turn it on in the system's sound settings"
        try:
            self._capture = Capture(device)
        except AudioUnavailable:
            self._rest()  # some devices can be opened only once
        else:
            self._due_s = time.monotonic() + _PROBE_S

    def _rest(self) -> None:
        self._pause_s = min(_LONGEST_BETWEEN_PROBES_S, 2 * self._pause_s + 1.0)
        self._due_s = time.monotonic() + self._pause_s

    def _drop(self) -> None:
        if self._capture is not None:
            self._capture.close()
            self._capture = None
