"""A microphone that may be unplugged and plugged in again."""

from __future__ import annotations

import logging
import threading
import time

import numpy as np

from engine.audio.microphone import Microphone
from engine.audio.ring import Ring
from engine.clock import SAMPLE_RATE_HZ, SampleClock
from engine.errors import AudioUnavailable

log = logging.getLogger(__name__)

_BLOCK = 512
_BLOCK_S = _BLOCK / SAMPLE_RATE_HZ
_RETRY_S = 1.0


class ReturningMicrophone:
    """A `Microphone` that is opened anew when it was lost; silence is heard meanwhile.

    Turns end, meters move and time goes on while it is away; `warning` says that it is. It ends
    by `close`, or by an error that nobody expected, with a `problem`. Raises `AudioUnavailable`
    when there is no such device to begin with.
    """

    kind = "microphone"
    seconds: float | None = None

    def __init__(self, name: str | None, ring: Ring, clock: SampleClock) -> None:
        self._wanted, self._ring, self._clock = name, ring, clock
        self._microphone = Microphone(name, ring, clock)
        self.name = self._microphone.name
        self.problem: str | None = None
        self._past_overflows = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="returning", daemon=True)

    def start(self) -> None:
        """Open the device; raises `AudioUnavailable`."""
        self._microphone.start()
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()
        self._microphone.close()

    @property
    def ended(self) -> bool:
        """Whether it has been closed."""
        return self._thread.ident is not None and not self._thread.is_alive()

    @property
    def overflows(self) -> int:
        """Blocks lost before they reached the ring."""
        return self._past_overflows + self._microphone.overflows

    @property
    def warning(self) -> str | None:
        """One sentence while the microphone is away, muted or of poor quality."""
        return self._microphone.problem or self._microphone.warning

    def _run(self) -> None:
        try:
            while not self._stop.wait(_BLOCK_S):
                if self._microphone.ended:
                    self._microphone.close()
                    self._be_silent_until_it_returns()
        except Exception as exc:  # a thread's root: the session tells the reason
            log.exception("the watch over the microphone stopped")
            self.problem = f"The microphone {self.name} was lost ({exc}): open it again"

    def _be_silent_until_it_returns(self) -> None:
        next_block_s = time.monotonic()
        retry_s = next_block_s + _RETRY_S
        while not self._stop.wait(max(0.0, next_block_s - time.monotonic())):
            next_block_s += _BLOCK_S
            self._clock.mark((self._ring.written + _BLOCK) / SAMPLE_RATE_HZ)
            self._ring.write(np.zeros(_BLOCK, np.float32))
            if time.monotonic() >= retry_s:
                if self._returned():
                    return
                retry_s = time.monotonic() + _RETRY_S

    def _returned(self) -> bool:
        try:
            microphone = Microphone(self._wanted, self._ring, self._clock)
            microphone.start()
        except AudioUnavailable:
            return False
        self._past_overflows += self._microphone.overflows
        self._microphone, self.name = microphone, microphone.name
        return True
