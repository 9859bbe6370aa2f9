"""The level meter and the say-something test, on tones and on real speech."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile
import soxr
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.audio.levels import ADVICE, FLOOR_DBFS, LevelMeter, Loudness, SaySomething, dbfs
from engine.turntaking.vad import CHUNK, SpeechDetector

RATE = 16_000
SILENCE = np.zeros(CHUNK, np.float32)
CHUNKS_PER_S = RATE / CHUNK


def tone(amplitude: float, n: int = CHUNK) -> NDArray[np.float32]:
    return (amplitude * np.sin(2 * np.pi * 500 * np.arange(n) / RATE)).astype(np.float32)


@given(amplitude=st.floats(1e-4, 0.99))
def test_a_tone_reads_its_level(amplitude: float) -> None:
    level = LevelMeter().update(tone(amplitude))
    assert level.peak_dbfs == pytest.approx(20 * np.log10(amplitude), abs=0.1)
    assert level.rms_dbfs == pytest.approx(level.peak_dbfs - 3.01, abs=0.1)
    assert not level.clipping


def test_silence_reads_the_floor() -> None:
    level = LevelMeter().update(SILENCE)
    assert level.rms_dbfs == level.peak_dbfs == level.held_dbfs == FLOOR_DBFS
    assert dbfs(0.0) == FLOOR_DBFS
    assert dbfs(1.0) == 0.0


def test_a_peak_is_held_and_then_falls() -> None:
    meter = LevelMeter()
    peak = meter.update(tone(0.5)).held_dbfs
    held = [meter.update(SILENCE).held_dbfs for _ in range(round(4 * CHUNKS_PER_S))]
    after = {s: held[round(s * CHUNKS_PER_S) - 1] for s in (1.4, 2.5, 3.5)}
    assert after[1.4] == peak
    assert after[2.5] == pytest.approx(peak - 20.0, abs=0.7)
    assert after[3.5] == pytest.approx(peak - 40.0, abs=0.7)
    assert meter.update(tone(0.1)).held_dbfs == pytest.approx(-20.0, abs=0.1)


@given(cut=st.integers(1, 5))
def test_a_run_of_full_scale_samples_lights_the_lamp_across_blocks(cut: int) -> None:
    signal = np.zeros(6, np.float32)
    signal[2:5] = -1.0
    meter = LevelMeter()
    first = meter.update(signal[:cut]).clipping
    assert meter.update(signal[cut:]).clipping
    assert first is (cut >= 5)
    for _ in range(round(1.9 * CHUNKS_PER_S)):
        assert meter.update(SILENCE).clipping
    for _ in range(round(0.2 * CHUNKS_PER_S)):
        last = meter.update(SILENCE)
    assert not last.clipping


def test_lone_peaks_that_just_fit_do_not_clip() -> None:
    meter, block = LevelMeter(), SILENCE.copy()
    block[::3] = block[1::3] = 1.0
    assert not meter.update(block).clipping


@pytest.fixture(scope="module")
def speech(data: Path) -> NDArray[np.float32]:
    samples, rate = soundfile.read(data / "audio" / "livekit_weather_question.wav", dtype="float32")
    at_rate = np.asarray(soxr.resample(samples, rate, RATE), np.float32)
    return np.pad(at_rate, (0, 4 * RATE))


def blocks(audio: NDArray[np.float32]) -> Iterator[NDArray[np.float32]]:
    return (audio[end - CHUNK : end] for end in range(CHUNK, len(audio), CHUNK))


def after_listening(models: Path, audio: NDArray[np.float32]) -> SaySomething:
    test, detector = SaySomething(), SpeechDetector(models / "silero_vad.onnx")
    for block in blocks(audio):
        if test.done:
            break
        test.update(block, detector.update(block) > 0.5)
    assert test.done
    return test


@pytest.mark.parametrize(
    ("gain_db", "verdict"),
    [(0, Loudness.FINE), (-12, Loudness.FINE), (-30, Loudness.TOO_QUIET), (30, Loudness.TOO_LOUD)],
)
def test_it_says_whether_speech_is_loud_enough(
    models: Path, speech: NDArray[np.float32], gain_db: float, verdict: Loudness
) -> None:
    louder = np.clip(speech * np.float32(10 ** (gain_db / 20)), -1.0, 1.0)
    assert after_listening(models, louder).verdict is verdict


def test_it_says_when_nothing_arrives_and_when_nobody_speaks(models: Path) -> None:
    assert after_listening(models, np.zeros(4 * RATE, np.float32)).verdict is Loudness.SILENT
    noise = np.random.default_rng(1).normal(size=4 * RATE).astype(np.float32)
    assert after_listening(models, noise * np.float32(1e-4)).verdict is Loudness.SILENT
    heard = after_listening(models, noise * np.float32(0.03))
    assert heard.verdict is Loudness.NO_SPEECH
    assert heard.speech_dbfs is None


@pytest.mark.parametrize(
    ("dbfs", "spike", "speech_s", "verdict"),
    [
        (-26.0, False, 2.0, Loudness.FINE),
        (-26.0, True, 2.0, Loudness.TOO_LOUD),
        (-6.0, False, 2.0, Loudness.TOO_LOUD),
        (-26.0, False, 0.2, Loudness.NO_SPEECH),
    ],
)
def test_clipping_loudness_and_too_little_speech_count_each_alone(
    dbfs: float, spike: bool, speech_s: float, verdict: Loudness
) -> None:
    tone = np.sin(2 * np.pi * 440 * np.arange(4 * RATE) / RATE).astype(np.float32)
    audio = tone * np.float32(10 ** (dbfs / 20) * 2**0.5)
    if spike:
        audio[RATE : RATE + 3] = 1.0
    test = SaySomething()
    for number, block in enumerate(blocks(audio)):
        test.update(block, number * CHUNK < speech_s * RATE)
    assert test.done
    assert test.verdict is verdict


def test_every_verdict_has_advice() -> None:
    assert set(ADVICE) == set(Loudness)
