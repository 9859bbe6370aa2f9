"""The judge keeps P(turn end) and the words alive while someone speaks, one work at a time."""

import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import soundfile

from engine import paths
from engine.settings import SpeechSettings
from engine.telemetry.heat import HeatWatch
from engine.trigger.judging import Judge, ModelFiles
from engine.trigger.partials import Budget, Partial, stable_prefix
from engine.turntaking.vad import CHUNK
from tests.engine.telemetry import kernel

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
    assert judge._refresh is None  # its result was taken, and nothing new is due


def speech_of(data: Path) -> list[np.ndarray]:
    speech, _ = soundfile.read(data / "audio" / "livekit_weather_question.wav", dtype="float32")
    return [speech[end - CHUNK : end] for end in range(CHUNK, len(speech) + 1, CHUNK)]


def made_ahead(judge: Judge, chunks: list[np.ndarray]) -> tuple[list[Partial], int]:
    """Partials of a turn heard chunk by chunk, each awaited, and how many were begun in silence."""
    found, in_silence = [], 0
    for heard, chunk in enumerate(chunks, 1):
        judge.predictor.update(chunk)
        judge.listen_ahead(7, chunks[:heard])
        if judge._partial is not None:
            in_silence += not judge.predictor.speech
            judge._partial.result(60)
            if (partial := judge.partial()) is not None:
                found.append(partial)
    return found, in_silence


@pytest.fixture
def unlimited(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> Judge:
    """With a clock-free budget: a partial may follow another at once."""
    monkeypatch.setattr(judge, "_budget", Unlimited())
    judge.predictor.reset()
    return judge


class Unlimited(Budget):
    def due(self, now_s: float, late_s: float) -> bool:
        return True


def test_partials_grow_into_what_was_said_and_begin_in_speech_only(
    unlimited: Judge, data: Path
) -> None:
    chunks = speech_of(data)
    partials, in_silence = made_ahead(unlimited, chunks)
    final = unlimited.judge(np.concatenate(chunks)).text
    assert in_silence == 0
    assert {partial.turn for partial in partials} == {7}
    sure = [stable_prefix(a.text, b.text) for a, b in pairwise(partials)]
    kept = [words for words in sure if final.lower().startswith(words.lower())]
    assert len(max(kept, key=len).split()) >= 3


def test_partials_change_nothing_of_the_judgement(unlimited: Judge, data: Path) -> None:
    chunks = speech_of(data)
    for chunk in chunks:
        unlimited.predictor.update(chunk)
    before = unlimited.judge(np.concatenate(chunks))
    unlimited.predictor.reset()
    partials, _ = made_ahead(unlimited, chunks)
    after = unlimited.judge(np.concatenate(chunks))
    assert partials
    assert (after.p_end, after.text, after.verdict) == (before.p_end, before.text, before.verdict)


def test_a_hot_machine_makes_no_partials(
    unlimited: Judge, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel.write(
        tmp_path,
        {
            "class/hwmon/hwmon0/name": "coretemp",
            "class/hwmon/hwmon0/temp1_label": "Package id 0",
            "class/hwmon/hwmon0/temp1_input": 95_000,
        },
    )
    monkeypatch.setattr(unlimited, "heat", HeatWatch(tmp_path))
    assert unlimited.heat.look()
    assert made_ahead(unlimited, speech_of(data)) == ([], 0)


def test_no_partial_is_queued_behind_other_work(unlimited: Judge, data: Path) -> None:
    chunks = speech_of(data)
    heard = 0
    while not unlimited.predictor.refresh_due:
        unlimited.predictor.update(chunks[heard])
        heard += 1
    busy = threading.Event()
    blocker = unlimited._pool.submit(busy.wait, 10)
    unlimited.keep_up()
    unlimited.listen_ahead(1, chunks[:heard])
    assert unlimited._partial is None
    busy.set()
    assert blocker.result(10)
    assert unlimited._refresh is not None
    unlimited._refresh.result(10)
    unlimited.listen_ahead(1, chunks[:heard])
    assert unlimited._partial is not None
    unlimited._partial.result(60)
    unlimited.partial()
