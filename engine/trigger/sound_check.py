"""Listening without conversing: the level meter's and the say-something test's hearing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.audio.levels import ADVICE, SaySomething
from engine.clock import SAMPLE_RATE_HZ
from engine.events import AudioHeard, Event, SoundTested
from engine.turntaking.predictor import TurnTakingPredictor


class SoundCheck:
    """Hears chunks in place of `Turns`. Lives in the engine's worker thread."""

    def __init__(self, predictor: TurnTakingPredictor, post: Callable[[Event], None]) -> None:
        self._predictor, self._post = predictor, post
        self._test: SaySomething | None = None
        predictor.reset()

    @property
    def testing(self) -> bool:
        """Whether the say-something test is under way."""
        return self._test is not None

    def begin_test(self) -> None:
        """Judge the next three seconds; `SoundTested` follows."""
        self._test = SaySomething()

    def hear(self, chunk: NDArray[np.float32], heard_samples: int) -> None:
        """Take the next 512 samples, the last of `heard_samples`."""
        self._predictor.update(chunk)
        heard_s, speech = heard_samples / SAMPLE_RATE_HZ, self._predictor.speech
        self._post(
            AudioHeard(
                heard_s=heard_s,
                low=float(chunk.min()),
                high=float(chunk.max()),
                p_speech=self._predictor.p_speech,
                speech=speech,
            )
        )
        if self._test is None:
            return
        self._test.update(chunk, speech)
        if self._test.done:
            verdict, speech_dbfs = self._test.verdict, self._test.speech_dbfs
            self._test = None
            self._post(
                SoundTested(
                    heard_s=heard_s,
                    verdict=verdict.value,
                    advice=ADVICE[verdict],
                    speech_dbfs=speech_dbfs,
                )
            )
