"""The judgement at a pause: is the turn over, what was said, and does it need depth?

While someone speaks the same models work ahead, one piece of work at a time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine import paths
from engine.clock import SAMPLE_RATE_HZ
from engine.dialogue_act.classifier import DialogueActClassifier, Verdict
from engine.settings import SpeechSettings
from engine.store import manifest
from engine.store.fetching import whole
from engine.telemetry.heat import HeatWatch
from engine.transcription.whisper import Transcriber
from engine.trigger.partials import Budget, Partial
from engine.turntaking import head, trial
from engine.turntaking.predictor import TurnTakingPredictor
from engine.turntaking.vad import SpeechDetector


def listening() -> list[str]:
    """Names of what native code reads in this process: two ONNX, and all of Whisper's files."""
    whisper = [model.name for model in manifest.read() if model.role == "speech-to-text"]
    return ["smart-turn-v3.2", "silero-vad", *whisper]


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """Where the listening models lie."""

    smart_turn: Path
    silero: Path
    whisper: Path
    dialogue_act: Path
    turn_end: Path

    @classmethod
    def installed(cls) -> ModelFiles:
        """The fetched and the shipped ones, compared byte by byte. Raises `ModelUnavailable`."""
        files = {name: whole(name) for name in listening()}
        return cls(
            smart_turn=files["smart-turn-v3.2"],
            silero=files["silero-vad"],
            whisper=files["whisper-tiny-en"].parent,
            dialogue_act=paths.weights("dialogue_act"),
            turn_end=paths.weights("turn_end"),
        )


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
        vap = None
        if settings.vap_model:
            step = "Trying the voice activity projection"
            vap = trial.opened(Path(settings.vap_model), lambda _: progress(step, 0.1))
        self.predictor = TurnTakingPredictor(
            files.smart_turn,
            SpeechDetector(files.silero),
            settings,
            head.load(files.turn_end),
            vap,
        )
        progress("Loading speech recognition", 0.3)
        self._transcriber = Transcriber(files.whisper)
        progress("Loading dialogue acts", 0.5)
        self._classifier = DialogueActClassifier.load(files.dialogue_act)
        # Turn end and transcription leave the interpreter's lock, so side by side they cost
        # the pause the longer of the two instead of their sum.
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="turn-end")
        self._refresh: Future[float] | None = None
        self._partial: Future[Partial | None] | None = None
        self._budget = Budget()
        self.heat = HeatWatch()
        """Whoever judges looks at it now and then."""
        self._transcribing = threading.Lock()  # the model does one thing at a time
        progress("Trying the listening models", 0.6)
        self._try_out()

    def _try_out(self) -> None:
        """Judge noise once: memory may be short when someone speaks.

        The helper's thread, the models' buffers and what Python loads only where it is needed are
        there then. Some libraries end the process where they get none, and a thread that cannot
        begin is waited for without end.
        """
        noise = np.random.default_rng(7).uniform(-0.1, 0.1, 2 * SAMPLE_RATE_HZ)
        self.judge(noise.astype(np.float32))
        self._classifier.judge("Hello.")
        self.predictor.reset()

    def keep_up(self) -> None:
        """Have the turn end judged anew if someone has spoken for a while; returns at once.

        Never more than one piece of such work is under way, so a pause waits for one at most.
        """
        if self._refresh is not None and self._refresh.done():
            self._refresh.result()  # an error in it is told as one in this thread
            self._refresh = None
        if self.predictor.refresh_due and not self._busy:
            self._refresh = self._pool.submit(self.predictor.refresh)

    def listen_ahead(
        self, turn: int, audio: Iterable[NDArray[np.float32]], late_s: float = 0.0
    ) -> None:
        """Have the turn's `audio` so far transcribed if the budget allows; returns at once.

        The audio's end was spoken `late_s` ago.

        Work starts only while a voice is heard: the pause that may follow is noticed 96 ms
        later, when most of it is done.
        """
        if not self.predictor.speech or self._busy:
            return
        if self._budget.due(time.monotonic(), late_s):
            self._partial = self._pool.submit(self._so_far, turn, np.concatenate(list(audio)))

    def partial(self) -> Partial | None:
        """What `listen_ahead` has found since the last call."""
        if self._partial is None or not self._partial.done():
            return None
        done, self._partial = self._partial, None
        return done.result()

    @property
    def _busy(self) -> bool:
        return any(work is not None and not work.done() for work in (self._refresh, self._partial))

    def _so_far(self, turn: int, speech: NDArray[np.float32]) -> Partial | None:
        began_s = time.monotonic()
        text = None
        if not self.heat.hot:
            with self._transcribing:
                text = self._transcriber.transcribe(speech)
        ended_s = time.monotonic()
        self._budget.spent(began_s, ended_s)
        if not text:
            return None
        return Partial(turn=turn, text=text, elapsed_ms=(ended_s - began_s) * 1000)

    def judge(self, speech: NDArray[np.float32]) -> Judgement:
        """Judge a pause after `speech` (mono, 16 kHz), which the predictor has heard too."""
        p_end = self._pool.submit(self.predictor.at_pause)
        with self._transcribing:
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
