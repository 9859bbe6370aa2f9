"""Turn-end prediction from audio (the seed's §7 interface)."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.clock import SAMPLE_RATE_HZ
from engine.settings import SpeechSettings
from engine.turntaking.features import CONTEXT, turn_features
from engine.turntaking.vad import CHUNK, SpeechDetector, open_model

_TRAILING_CHUNKS = 2  # 64 ms of silence; more costs the model accuracy
_KEPT = CONTEXT + 2 * SAMPLE_RATE_HZ  # full context stays when the trailing silence is cut off
_REFRESH_CHUNKS = 16  # half a second
_STALE_CHUNKS = 32  # a second


class TurnTakingPredictor:
    """P(the turn ends within about 300 ms), chunk by chunk.

    smart-turn judges from the last 8 s whether an utterance sounds complete. That judgement
    is taken at a silence's onset (`at_pause`) and now and then while someone speaks
    (`refresh`). Between judgements the estimate is the last one times P(no speech now): who
    is audibly speaking does not end the turn within this chunk. A judgement lasts as long as
    the silence it was made in, and no more than a second of speech.

    One thread calls `update`; `at_pause` and `refresh` may run in another at the same time.
    """

    def __init__(
        self, smart_turn: Path, detector: SpeechDetector, settings: SpeechSettings | None = None
    ) -> None:
        """Load the turn-end model; `settings` holds the hysteresis thresholds.

        Raises `ModelUnavailable`.
        """
        self._model = open_model(smart_turn)
        self._detector = detector
        self.settings = settings or SpeechSettings()
        """Replace it whole to use other thresholds from the next chunk on."""
        self._lock = threading.Lock()
        self._audio = np.zeros(_KEPT, np.float32)
        self.reset()

    def reset(self) -> None:
        """Forget what was heard."""
        with self._lock:
            self._detector.reset()
            self._audio[:] = 0.0
            self._silent_chunks = 0
            self._spoken_chunks = 0
            self._complete = 0.0
        self.p_speech = 0.0
        """P(speech) of the newest chunk."""
        self.speech = False
        """The same as a flag with hysteresis."""

    @property
    def p_end(self) -> float:
        """The newest estimate of P(the turn ends within ~300 ms)."""
        fresh = self._spoken_chunks <= _STALE_CHUNKS
        return self._complete * (1.0 - self.p_speech) if fresh else 0.0

    def update(self, audio_chunk: NDArray[np.float32]) -> float:
        """P(the turn ends within ~300 ms) after this chunk, shape [512], mono 16 kHz."""
        self.p_speech = self._detector.update(audio_chunk)
        threshold = self.settings.leave if self.speech else self.settings.enter
        self.speech = self.p_speech >= threshold
        with self._lock:
            self._audio[:-CHUNK] = self._audio[CHUNK:]
            self._audio[-CHUNK:] = audio_chunk
            self._silent_chunks = 0 if self.speech else self._silent_chunks + 1
            self._spoken_chunks += self.speech
        return self.p_end

    def at_pause(self) -> float:
        """P(the utterance is complete), trailing silence trimmed to 64 ms; 40-odd ms of work."""
        with self._lock:
            surplus = max(0, self._silent_chunks - _TRAILING_CHUNKS) * CHUNK
            heard = self._audio[: max(CHUNK, _KEPT - surplus)].copy()
        (probability,) = self._model.run(None, {"input_features": turn_features(heard)})
        with self._lock:
            self._complete = float(probability.reshape(-1)[0])
            self._spoken_chunks = 0
            return self._complete

    def refresh(self) -> float:
        """Judge anew if someone has spoken for half a second since the last judgement.

        Costs nothing otherwise. Returns the newest estimate, as `update` does.
        """
        if self.speech and self._spoken_chunks >= _REFRESH_CHUNKS:
            self.at_pause()
        return self.p_end
