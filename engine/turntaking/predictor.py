"""Turn-end prediction from audio (the seed's §7 interface)."""

from __future__ import annotations

import math
import threading
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.clock import SAMPLE_RATE_HZ
from engine.settings import SpeechSettings
from engine.turntaking.features import CONTEXT, turn_features
from engine.turntaking.head import Cues, Head, logit
from engine.turntaking.prosody import NAMES, prosody
from engine.turntaking.vad import CHUNK, SpeechDetector, open_model
from engine.turntaking.vap import VoiceActivityProjection

_TRAILING_CHUNKS = 2  # 64 ms of silence; more costs the model accuracy
_SPARE = 2 * SAMPLE_RATE_HZ  # full context stays when the trailing silence is cut off
_REFRESH_CHUNKS = 16  # half a second
_STALE_CHUNKS = 32  # a second
_UTTERANCE_CHUNKS = 32  # a silence this long ends the utterance whose length is a cue
_NOTHING = Cues(p_complete=0.0, spoken_s=0.0, prosody=(0.0,) * len(NAMES))


class TurnTakingPredictor:
    """P(the turn ends within about 300 ms), chunk by chunk.

    smart-turn judges from the last 8 s whether an utterance sounds complete. That judgement
    is taken at a silence's onset (`at_pause`) and now and then while someone speaks
    (`refresh`). With a `head` the judgement is one cue beside the silence's length and how the
    speech sounded; without one it is the estimate. While someone speaks the estimate is that
    of a silence that has just begun, times P(no speech now): who is audibly speaking does not
    end the turn within this chunk. A judgement lasts as long as the silence it was made in,
    and no more than a second of speech. With a `vap`, what smart-turn says is pooled with that
    model's evidence for a turn end.

    One thread calls `update`; `at_pause` and `refresh` may run in another at the same time.
    """

    def __init__(
        self,
        smart_turn: Path,
        detector: SpeechDetector,
        settings: SpeechSettings | None = None,
        head: Head | None = None,
        vap: VoiceActivityProjection | None = None,
    ) -> None:
        """Load the turn-end model; `settings` holds the hysteresis thresholds.

        Raises `ModelUnavailable`.
        """
        self._model = open_model(smart_turn)
        self._detector = detector
        self._head = head
        self._vap = vap
        self.settings = settings or SpeechSettings()
        """Replace it whole to use other thresholds from the next chunk on."""
        self._lock = threading.Lock()
        context = CONTEXT
        if vap is not None:
            context = max(context, math.ceil(vap.manifest.context_s * SAMPLE_RATE_HZ))
        self._audio = np.zeros(context + _SPARE, np.float32)
        self._conversation = 0
        self.reset()

    def reset(self) -> None:
        """Forget what was heard."""
        with self._lock:
            self._detector.reset()
            self._audio[:] = 0.0
            self._conversation += 1
            self._silent_chunks = 0
            self._spoken_chunks = 0
            self._utterance_chunks = 0
            self._judged = False
            self.cues = _NOTHING
            """What the newest judgement rests on."""
        self.p_speech = 0.0
        """P(speech) of the newest chunk."""
        self.speech = False
        """The same as a flag with hysteresis."""

    @property
    def p_end(self) -> float:
        """The newest estimate of P(the turn ends within ~300 ms)."""
        if not self._judged or self._spoken_chunks > _STALE_CHUNKS:
            return 0.0
        return self.p_end_after(self._silent_chunks * CHUNK / SAMPLE_RATE_HZ) * (1 - self.p_speech)

    def p_end_after(self, silence_s: float) -> float:
        """P(turn end) by the newest judgement once the silence has lasted `silence_s`."""
        return self._estimate(self.cues, silence_s)

    def _estimate(self, cues: Cues, silence_s: float) -> float:
        return cues.p_complete if self._head is None else self._head.p_end(cues, silence_s)

    @property
    def refresh_due(self) -> bool:
        """Whether someone has spoken for half a second since the last judgement."""
        return self.speech and self._spoken_chunks >= _REFRESH_CHUNKS

    def update(self, audio_chunk: NDArray[np.float32]) -> float:
        """P(the turn ends within ~300 ms) after this chunk, shape [512], mono 16 kHz."""
        self.p_speech = self._detector.update(audio_chunk)
        threshold = self.settings.leave if self.speech else self.settings.enter
        self.speech = self.p_speech >= threshold
        with self._lock:
            self._audio[:-CHUNK] = self._audio[CHUNK:]
            self._audio[-CHUNK:] = audio_chunk
            if self.speech and self._silent_chunks >= _UTTERANCE_CHUNKS:
                self._utterance_chunks = 0
            self._silent_chunks = 0 if self.speech else self._silent_chunks + 1
            self._spoken_chunks += self.speech
            self._utterance_chunks += self.speech
        return self.p_end

    def at_pause(self) -> float:
        """P(turn end) judged anew, as of a silence's onset; 40-odd ms of work.

        Trailing silence is trimmed, so how much of it has passed does not matter.
        """
        with self._lock:
            conversation = self._conversation
            kept = len(self._audio)
            spoken = kept - min(self._silent_chunks * CHUNK, kept - CHUNK)
            heard = self._audio[: min(spoken + _TRAILING_CHUNKS * CHUNK, kept)].copy()
            spoken_s = self._utterance_chunks * CHUNK / SAMPLE_RATE_HZ
        cues = Cues(
            p_complete=self._completeness(heard),
            spoken_s=spoken_s,
            prosody=tuple(prosody(heard[:spoken]).tolist()),
        )
        with self._lock:
            if conversation == self._conversation:
                self.cues, self._judged, self._spoken_chunks = cues, True, 0
        return self._estimate(cues, 0.0)

    def _completeness(self, heard: NDArray[np.float32]) -> float:
        (probability,) = self._model.run(None, {"input_features": turn_features(heard)})
        p_complete = float(probability.reshape(-1)[0])
        if self._vap is None:
            return p_complete
        # A logarithmic opinion pool of equal weights: nobody has measured which knows better.
        evidence = logit(p_complete) + logit(self._vap.project(heard).p_end)
        return 1 / (1 + math.exp(-evidence / 2))

    def refresh(self) -> float:
        """Judge anew if it is due, which costs nothing otherwise.

        Returns the newest estimate, as `update` does.
        """
        if self.refresh_due:
            self.at_pause()
        return self.p_end
