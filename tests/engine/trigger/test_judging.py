"""The judge keeps P(turn end) alive while someone speaks, and never behind its own back."""

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile

from engine import paths
from engine.settings import SpeechSettings
from engine.trigger.judging import Judge, ModelFiles
from engine.turntaking.vad import CHUNK

RATE = 16_000


@pytest.fixture(scope="module")
def judge(models: Path) -> Iterator[Judge]:
    files = ModelFiles(
        smart_turn=models / "smart-turn-v3.2-cpu.onnx",
        silero=models / "silero_vad.onnx",
        whisper=models / "whisper-tiny-en",
        dialogue_act=paths.shipped() / "models" / "dialogue_act",
        turn_end=paths.shipped() / "models" / "turn_end",
    )
    judge = Judge(files, SpeechSettings(), lambda step, fraction: None)
    judge.judge(np.zeros(RATE, np.float32))  # its thread starts here, for all tests of the module
    yield judge
    judge.close()


def hear(judge: Judge, audio: np.ndarray, *, keep_up: bool) -> list[float]:
    """Estimates chunk by chunk; with `keep_up`, each judgement is awaited as real time would."""
    estimates = []
    for end in range(CHUNK, len(audio) + 1, CHUNK):
        judge.predictor.update(audio[end - CHUNK : end])
        if keep_up:
            judge.keep_up()
            if judge._refresh is not None:
                judge._refresh.result(10)
        estimates.append(judge.predictor.p_end)
    return estimates


def test_the_estimate_lives_while_someone_speaks(judge: Judge, data: Path) -> None:
    speech, _ = soundfile.read(data / "audio" / "ami_EN2005a_first30s.wav", dtype="float32")
    speech = speech[: 20 * RATE]
    judge.predictor.reset()
    dead = hear(judge, speech, keep_up=False)
    judge.predictor.reset()
    alive = hear(judge, speech, keep_up=True)
    assert not any(dead)
    assert np.mean(np.array(alive) > 0) > 0.8


def test_a_judgement_under_way_is_not_queued_behind(judge: Judge, data: Path) -> None:
    speech, _ = soundfile.read(data / "audio" / "ami_EN2005a_first30s.wav", dtype="float32")
    judge.predictor.reset()
    ends = iter(range(CHUNK, len(speech) + 1, CHUNK))
    while not judge.predictor.refresh_due:
        end = next(ends)
        judge.predictor.update(speech[end - CHUNK : end])
    busy = threading.Event()
    blocker = judge._pool.submit(busy.wait, 10)  # a pause is being judged
    judge.keep_up()
    waiting = judge._refresh
    assert waiting is not None
    for _ in range(20):
        judge.keep_up()
    assert judge._refresh is waiting
    busy.set()
    assert blocker.result(10)
    waiting.result(10)
    assert not judge.predictor.refresh_due
    judge.keep_up()
    assert judge._refresh is waiting
