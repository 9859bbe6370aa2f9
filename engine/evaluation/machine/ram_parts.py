"""The parts of PADS Live, each brought up and used once, and the memory it then takes.

Proportional set size throughout: a page shared with another process is divided between them, so
that parts may be added up. Libraries that both the window and a model bring in are counted twice,
so the sum is rather too large than too small.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack

import numpy as np

from engine import paths, settings
from engine.clock import SAMPLE_RATE_HZ
from engine.errors import JobFailed
from engine.evaluation.measurement import harness
from engine.events import Evidence
from engine.records.evidence import Figure
from engine.speculation.client import DecoderProcess, Died, Done, Failed, Message, Ready
from engine.store.fetching import locate
from engine.telemetry.processes import proportional_mb
from engine.telemetry.readings import Unreadable

_WINDOW_S = 120.0
_DECODER_S = 180.0
_POLL_S = 0.05
_HEARD_S = 8.0  # the longest stretch the models look at
_TALK = "Tell me a long story about a ship that was lost at sea."

Parts = dict[str, Figure]


def measure(evidence: Evidence, see: Callable[[str], None]) -> Parts:
    """Every part's memory in MB; `see` hears which is being measured. Raises `JobFailed`."""
    see("window")
    found = {"window": _figure(window_mb(), evidence)}
    with ExitStack() as stack:
        for name, bring_up in _LISTENING.items():
            see(name)
            before_mb = _own_mb()
            bring_up(stack)
            found[name] = _figure(max(_own_mb() - before_mb, 0.0), evidence)
    see("decoder")
    found["decoder"] = _figure(decoder_mb(), evidence)
    return found


def window_mb() -> float:
    """The window's process with the engine's libraries and without any model.

    It is opened as `pads --smoke` does, in an empty home where no model is found; without a
    display it is drawn in memory.
    """
    command = [sys.executable, "--smoke"]
    if not getattr(sys, "frozen", False):
        command = [sys.executable, "-m", "app", "--smoke"]
    with tempfile.TemporaryDirectory(prefix="pads-window-") as home:
        given = {
            "PADS_HOME": home,
            "PADS_MODELS": home,
            "PYTHONPATH": os.pathsep.join(
                word for word in (str(paths.shipped()), os.environ.get("PYTHONPATH")) if word
            ),
        }
        if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            given["QT_QPA_PLATFORM"] = "offscreen"
        return harness.run(command, timeout_s=_WINDOW_S, environment=given).peak_mb


def _speech_detection(stack: ExitStack) -> None:
    from engine.turntaking import head
    from engine.turntaking.predictor import TurnTakingPredictor
    from engine.turntaking.vad import SpeechDetector

    predictor = TurnTakingPredictor(
        locate("smart-turn-v3.2"),
        SpeechDetector(locate("silero-vad")),
        settings.SpeechSettings(),
        head.load(paths.weights("turn_end")),
        None,
    )
    for chunk in np.split(_noise(), len(_noise()) // 512):
        predictor.update(chunk)
    predictor.at_pause()
    stack.callback(predictor.reset)  # keeps it in memory until all parts are measured


def _recogniser(stack: ExitStack) -> None:
    from engine.transcription.whisper import Transcriber

    transcriber = Transcriber(locate("whisper-tiny-en").parent)
    stack.callback(transcriber.close)
    transcriber.transcribe(_noise())


def _dialogue_act(stack: ExitStack) -> None:
    from engine.dialogue_act.classifier import DialogueActClassifier

    classifier = DialogueActClassifier.load(paths.weights("dialogue_act"))
    stack.callback(classifier.judge, _TALK)
    classifier.judge(_TALK)


_LISTENING: dict[str, Callable[[ExitStack], None]] = {
    "turn end and speech detection": _speech_detection,
    "recogniser": _recogniser,
    "dialogue act": _dialogue_act,
}


def _noise() -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    count = int(_HEARD_S * SAMPLE_RATE_HZ) // 512 * 512
    return np.random.default_rng(1).normal(0, 0.05, count).astype(np.float32)


def decoder_mb() -> float:
    """The most that the decoder process takes while it loads and answers."""
    chosen = settings.load(paths.settings_file()).decoder
    process = DecoderProcess(chosen, locate(chosen.model), paths.cache() / "halves")
    process.start()
    peak_mb, asked, reason = 0.0, False, "it was not ready in time"
    deadline_s = time.monotonic() + _DECODER_S
    try:
        while time.monotonic() < deadline_s:
            for report in process.poll():
                match report:
                    case Ready() if not asked:
                        asked = True
                        process.decode(1, [Message("user", _TALK)], chosen.reply_tokens)
                    case Done() if peak_mb:
                        return max(peak_mb, _of(process))
                    case Died(reason=why) | Failed(message=why):
                        raise _unmeasured(why)
            try:
                peak_mb = max(peak_mb, _of(process))
            except Unreadable as exc:
                reason = str(exc)
            threading.Event().wait(_POLL_S)
    finally:
        process.close()
    raise _unmeasured(reason)


def _of(process: DecoderProcess) -> float:
    if process.pid is None:
        raise Unreadable("the decoder process has not started yet")
    return proportional_mb(process.pid)


def _unmeasured(reason: str) -> JobFailed:
    return JobFailed(
        f"The decoder's memory was not measured ({reason})", remedy="run `pads doctor`"
    )


def _own_mb() -> float:
    gc.collect()
    try:
        return proportional_mb(children=False)
    except Unreadable as exc:
        raise JobFailed(
            f"Memory cannot be measured ({exc})", remedy="run this job on Linux"
        ) from exc


def _figure(mb: float, evidence: Evidence) -> Figure:
    return Figure(value=round(mb, 1), unit="MB", evidence=evidence)
