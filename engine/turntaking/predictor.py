"""Turn-end prediction from audio (the seed's §7 interface)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.audio.mel import log_mel
from engine.clock import SAMPLE_RATE_HZ
from engine.settings import SpeechSettings
from engine.turntaking.vad import CHUNK, SpeechDetector, open_model

_CONTEXT = 8 * SAMPLE_RATE_HZ
_TRAILING_CHUNKS = 2  # 64 ms of silence; more costs the model accuracy


class TurnTakingPredictor:
    """P(the turn ends within about 300 ms), chunk by chunk.

    smart-turn judges from the last 8 s whether an utterance sounds complete. That judgement
    is taken at a silence's onset (`at_pause`) and now and then while someone speaks
    (`refresh`). Between judgements the estimate is the last one times P(no speech now): who
    is audibly speaking does not end the turn within this chunk.
    """

    def __init__(self, smart_turn: Path, detector: SpeechDetector, settings: SpeechSettings):
        self._model = open_model(smart_turn)
        self._detector, self._settings = detector, settings
        self._audio = np.zeros(_CONTEXT, np.float32)
        self.reset()

    def reset(self) -> None:
        """Forget what was heard."""
        self._detector.reset()
        self._audio[:] = 0.0
        self._silent_chunks = 0
        self._complete = 0.0
        self.p_speech = 0.0
        """P(speech) of the newest chunk."""
        self.speech = False
        """The same as a flag with hysteresis."""

    def update(self, audio_chunk: NDArray[np.float32]) -> float:
        """P(the turn ends within ~300 ms) after this chunk, shape [512], mono 16 kHz."""
        self._audio[:-CHUNK] = self._audio[CHUNK:]
        self._audio[-CHUNK:] = audio_chunk
        self.p_speech = self._detector.update(audio_chunk)
        threshold = self._settings.leave if self.speech else self._settings.enter
        self.speech = self.p_speech >= threshold
        self._silent_chunks = 0 if self.speech else self._silent_chunks + 1
        return self._complete * (1.0 - self.p_speech)

    def at_pause(self) -> float:
        """P(the utterance is complete), trailing silence trimmed to 64 ms; 40-odd ms of work.

        May run in another thread while `update` is not called.
        """
        surplus = max(0, self._silent_chunks - _TRAILING_CHUNKS) * CHUNK
        heard = self._audio[: _CONTEXT - surplus]
        window = np.concatenate((np.zeros(surplus, np.float32), heard))
        window = (window - window.mean()) / np.sqrt(window.var() + 1e-7)
        features = log_mel(window)[None]
        (probability,) = self._model.run(None, {"input_features": features})
        self._complete = float(probability.reshape(-1)[0])
        return self._complete

    refresh = at_pause
