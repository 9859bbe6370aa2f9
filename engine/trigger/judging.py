"""The judgement at a pause: is the turn over, what was said, and does it need depth?"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.dialogue_act.classifier import DialogueActClassifier, Verdict
from engine.settings import SpeechSettings
from engine.transcription.whisper import Transcriber
from engine.turntaking import head
from engine.turntaking.predictor import TurnTakingPredictor
from engine.turntaking.vad import SpeechDetector


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """Where the listening models lie."""

    smart_turn: Path
    silero: Path
    whisper: Path
    dialogue_act: Path
    turn_end: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Everything the gate needs about a pause; `verdict` is None when nothing was understood."""

    p_end: float
    text: str
    transcription_ms: float
    verdict: Verdict | None


class Judge:
    """The listening models together. `close` ends its helper thread."""

    def __init__(
        self,
        files: ModelFiles,
        settings: SpeechSettings,
        progress: Callable[[str, float], None],
    ) -> None:
        progress("Loading speech detection and turn end", 0.1)
        self.predictor = TurnTakingPredictor(
            files.smart_turn, SpeechDetector(files.silero), settings, head.load(files.turn_end)
        )
        progress("Loading speech recognition", 0.3)
        self._transcriber = Transcriber(files.whisper)
        progress("Loading dialogue acts", 0.5)
        self._classifier = DialogueActClassifier.load(files.dialogue_act)
        # Turn end and transcription leave the interpreter's lock, so side by side they cost
        # the pause the longer of the two instead of their sum.
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="turn-end")
        self._refresh: Future[float] | None = None

    def keep_up(self) -> None:
        """Have the turn end judged anew if someone has spoken for a while; returns at once.

        Never more than one such judgement is under way, so a pause waits for one at most.
        """
        if self.predictor.refresh_due and (self._refresh is None or self._refresh.done()):
            self._refresh = self._pool.submit(self.predictor.refresh)

    def judge(self, speech: NDArray[np.float32]) -> Judgement:
        """Judge a pause after `speech` (mono, 16 kHz), which the predictor has heard too."""
        p_end = self._pool.submit(self.predictor.at_pause)
        began_s = time.monotonic()
        text = self._transcriber.transcribe(speech)
        elapsed_ms = (time.monotonic() - began_s) * 1000
        return Judgement(
            p_end=p_end.result(),
            text=text,
            transcription_ms=elapsed_ms,
            verdict=self._classifier.judge(text) if text else None,
        )

    def close(self) -> None:
        """End the helper thread and free the models."""
        self._pool.shutdown()
        self._transcriber.close()
