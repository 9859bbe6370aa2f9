"""Turn-end prediction with the real model on real speech."""

import threading
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.errors import ModelUnavailable
from engine.settings import SpeechSettings
from engine.turntaking.predictor import TurnTakingPredictor
from engine.turntaking.vad import CHUNK, SpeechDetector
from tests.engine.turntaking.conftest import Recording

RATE = 16_000
SILENCE = np.zeros(4 * RATE, np.float32)


@pytest.fixture(scope="module")
def predictor(models: Path) -> TurnTakingPredictor:
    detector = SpeechDetector(models / "silero_vad.onnx")
    return TurnTakingPredictor(models / "smart-turn-v3.2-cpu.onnx", detector, SpeechSettings())


def hear(predictor: TurnTakingPredictor, audio: NDArray[np.float32]) -> list[float]:
    ends = range(CHUNK, len(audio) + 1, CHUNK)
    return [predictor.update(audio[end - CHUNK : end]) for end in ends]


def until_pause(
    predictor: TurnTakingPredictor, audio: NDArray[np.float32], silent_chunks: int = 3
) -> None:
    """Hear `audio`, then as much silence as makes a pause."""
    predictor.reset()
    hear(predictor, audio)
    silent = 0
    for _ in range(60):
        if silent == silent_chunks:
            return
        predictor.update(np.zeros(CHUNK, np.float32))
        silent = 0 if predictor.speech else silent + 1
    pytest.fail("the silence was not noticed")


@pytest.mark.parametrize(
    ("name", "ends_s", "complete"),
    [
        ("whisper_jfk.flac", 10.6, True),
        ("whisper_jfk.flac", 7.85, False),  # "... ask what you can"
        ("whisper_jfk.flac", 1.5, False),  # "and so"
        ("livekit_weather_question.wav", 1.87, True),
        ("livekit_weather_question.wav", 1.1, False),  # "what is the weather in"
    ],
)
def test_a_finished_sentence_and_one_cut_off(
    predictor: TurnTakingPredictor, recording: Recording, name: str, ends_s: float, complete: bool
) -> None:
    until_pause(predictor, recording(name)[: round(ends_s * RATE)])
    p_complete = predictor.at_pause()
    assert 0.0 <= p_complete <= 1.0
    assert (p_complete > 0.5) is complete


def test_how_long_the_silence_has_lasted_does_not_matter(
    predictor: TurnTakingPredictor, recording: Recording
) -> None:
    speech = recording("whisper_jfk.flac")[: round(10.5 * RATE)]
    judged = []
    for silent_chunks in (3, 10, 40):
        until_pause(predictor, speech, silent_chunks)
        judged.append(predictor.at_pause())
    assert judged == pytest.approx([judged[0]] * 3, abs=1e-3)


def test_whoever_speaks_does_not_end_the_turn_within_this_chunk(
    predictor: TurnTakingPredictor, recording: Recording
) -> None:
    speech = recording("whisper_jfk.flac")
    until_pause(predictor, speech[: round(10.5 * RATE)])
    p_complete = predictor.at_pause()
    assert predictor.p_end == pytest.approx(p_complete * (1 - predictor.p_speech))
    waiting = hear(predictor, SILENCE[:RATE])
    assert min(waiting) > 0.9 * p_complete
    again = hear(predictor, speech[:RATE])
    assert predictor.speech
    assert again[-1] < 0.2 * p_complete
    # What was judged before this speech says nothing about it.
    hear(predictor, speech[RATE : 4 * RATE])
    assert predictor.p_end == 0.0


def test_a_refresh_judges_only_when_it_is_due(
    predictor: TurnTakingPredictor, recording: Recording
) -> None:
    speech = recording("whisper_jfk.flac")
    predictor.reset()
    assert predictor.refresh() == 0.0
    judged = []
    for end in range(CHUNK, round(2 * RATE), CHUNK):
        predictor.update(speech[end - CHUNK : end])
        before = predictor.cues
        predictor.refresh()
        judged.append(predictor.cues is not before)
    times = np.flatnonzero(judged)
    assert len(times) >= 2
    assert np.diff(times).min() >= 16


def test_the_speech_flag_has_hysteresis(
    predictor: TurnTakingPredictor, recording: Recording
) -> None:
    predictor.reset()
    flag = False
    speech = recording("ami_EN2004a_first30s.wav")
    disagreements = 0
    for end in range(CHUNK, len(speech), CHUNK):
        predictor.update(speech[end - CHUNK : end])
        flag = predictor.p_speech >= (0.35 if flag else 0.5)
        assert predictor.speech is flag
        disagreements += flag != (predictor.p_speech >= 0.5)
    assert disagreements > 0


def test_thresholds_are_replaced_whole(models: Path, recording: Recording) -> None:
    detector = SpeechDetector(models / "silero_vad.onnx")
    deaf = TurnTakingPredictor(models / "smart-turn-v3.2-cpu.onnx", detector)
    speech = recording("whisper_jfk.flac")[: 2 * RATE]
    deaf.settings = SpeechSettings(enter=1.1)
    hear(deaf, speech)
    assert not deaf.speech
    deaf.settings = SpeechSettings()
    hear(deaf, speech)
    assert deaf.speech


def test_it_may_judge_in_another_thread_while_it_hears(
    predictor: TurnTakingPredictor, recording: Recording
) -> None:
    speech = recording("whisper_jfk.flac")[: round(10.5 * RATE)]
    until_pause(predictor, speech)
    alone = predictor.at_pause()
    until_pause(predictor, speech)
    judged: list[float] = []
    judging = threading.Thread(target=lambda: judged.append(predictor.at_pause()))
    judging.start()
    while judging.is_alive():
        predictor.update(np.zeros(CHUNK, np.float32))
    judging.join()
    # Trimming follows the silence, so what is heard meanwhile changes nothing.
    assert judged == [pytest.approx(alone, abs=1e-3)]


def test_the_same_audio_gives_the_same_estimates(
    predictor: TurnTakingPredictor, recording: Recording
) -> None:
    speech = recording("livekit_weather_question.wav")
    runs = []
    for _ in range(2):
        predictor.reset()
        heard = hear(predictor, speech)
        runs.append((heard, predictor.at_pause(), predictor.p_end))
    assert runs[0] == runs[1]


def test_a_missing_model_is_named(models: Path, tmp_path: Path) -> None:
    detector = SpeechDetector(models / "silero_vad.onnx")
    with pytest.raises(ModelUnavailable, match="smart-turn"):
        TurnTakingPredictor(tmp_path / "smart-turn.onnx", detector)
