"""The head's arithmetic against scikit-learn's own, its file, and what it says of real pauses."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import paths
from engine.errors import ModelUnavailable
from engine.turntaking import head
from engine.turntaking.head import CUES, Cues, Head
from engine.turntaking.predictor import TurnTakingPredictor
from engine.turntaking.prosody import prosody
from engine.turntaking.vad import CHUNK, SpeechDetector
from tests.engine.turntaking.conftest import Recording

RATE = 16_000
SHIPPED = paths.shipped() / "models" / "turn_end"
SOME = Cues(p_complete=0.5, spoken_s=2.0, prosody=(3.0, 1.0, 0.2, 4.0))


def test_it_computes_what_scikit_learn_does() -> None:
    from sklearn.linear_model import LogisticRegression

    chance = np.random.default_rng(3)
    pauses = [
        (replace(SOME, p_complete=float(p), spoken_s=float(s)), float(silence))
        for p, s, silence in chance.uniform((0, 0, 0.1), (1, 9, 2), (80, 3))
    ]
    table = np.array([[cues.values(s)[name] for name in CUES] for cues, s in pauses])
    model = LogisticRegression(max_iter=5000).fit(table, table[:, 0] + table[:, 1] > 0)
    ours = Head(float(model.intercept_[0]), dict(zip(CUES, model.coef_[0].tolist(), strict=True)))
    expected = model.predict_proba(table)[:, 1]
    assert [ours.p_end(cues, s) for cues, s in pauses] == pytest.approx(expected.tolist())


def test_what_was_saved_is_what_is_loaded(tmp_path: Path) -> None:
    saved = Head(0.1 + 0.2, {"silence": 1 / 3})
    saved.save(tmp_path, {"run": "a"})
    assert head.load(tmp_path) == saved
    assert json.loads((tmp_path / head.FILE).read_text())["run"] == "a"


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: None,
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("pads-turn-end-1", "pads-turn-end-9"),
        lambda text: text.replace("silence", "sllence"),
        lambda text: text.replace('"intercept": 1', '"intercept": NaN, "x": 1'),
        lambda text: text.replace('"coefficients": {', '"coefficients": [], "x": {'),
    ],
)
def test_a_bad_file_is_named_with_its_remedy(
    tmp_path: Path, damage: Callable[[str], str | None]
) -> None:
    text = damage((SHIPPED / head.FILE).read_text("utf-8"))
    if text is not None:
        assert text != (SHIPPED / head.FILE).read_text("utf-8")
        (tmp_path / head.FILE).write_text(text, "utf-8")
    with pytest.raises(ModelUnavailable, match="train-turn-end"):
        head.load(tmp_path)


def test_the_shipped_head_rises_with_completeness_and_silence() -> None:
    shipped = head.load(SHIPPED)
    by_silence = [shipped.p_end(SOME, s) for s in (0.1, 0.3, 0.7, 1.5)]
    by_cue = [shipped.p_end(replace(SOME, p_complete=p), 0.3) for p in (0.01, 0.3, 0.6, 0.99)]
    for rising in (by_silence, by_cue):
        assert rising == sorted(set(rising))
    assert 0 < by_silence[0] < 1


def test_extreme_cues_stay_probabilities() -> None:
    for p in (0.0, 1.0):
        extreme = Cues(p_complete=p, spoken_s=0.0, prosody=(1e9, -1e9, 0.0, 0.0))
        assert 0 <= Head(0.0, dict.fromkeys(CUES, 100.0)).p_end(extreme, 0.0) <= 1


@pytest.fixture(scope="module")
def predictor(models: Path) -> TurnTakingPredictor:
    return TurnTakingPredictor(
        models / "smart-turn-v3.2-cpu.onnx",
        SpeechDetector(models / "silero_vad.onnx"),
        head=head.load(SHIPPED),
    )


def test_the_estimate_grows_while_the_silence_lasts(
    predictor: TurnTakingPredictor, recording: Recording
) -> None:
    speech = recording("whisper_jfk.flac")[: round(10.5 * RATE)]
    predictor.reset()
    for end in range(CHUNK, len(speech) + 1, CHUNK):
        predictor.update(speech[end - CHUNK : end])
    silent: list[float] = []
    while len(silent) < 40:
        estimate = predictor.update(np.zeros(CHUNK, np.float32))
        if predictor.speech:
            continue
        if not silent:
            predictor.at_pause()
        silent.append(estimate)
    assert silent[30] > silent[12] > silent[5] > 0
    assert 4 < predictor.cues.spoken_s < 7  # since the silence of a second at 3.5 s
    assert predictor.p_end_after(1.0) > predictor.p_end_after(0.2)


def test_a_judgement_of_another_conversation_is_dropped(
    predictor: TurnTakingPredictor, recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    speech = recording("whisper_jfk.flac")[: 4 * RATE]
    for end in range(CHUNK, len(speech) + 1, CHUNK):
        predictor.update(speech[end - CHUNK : end])
    run: Callable[..., Any] = predictor._model.run

    class Interrupted:
        """The real model, whose conversation is reset while it works."""

        def run(self, *arguments: Any) -> Any:
            predictor.reset()
            return run(*arguments)

    monkeypatch.setattr(predictor, "_model", Interrupted())
    predictor.at_pause()
    assert predictor.p_end == 0.0
    assert predictor.cues.p_complete == 0.0


def voice(hz: np.ndarray, level: np.ndarray) -> np.ndarray:
    """Harmonics of a gliding pitch."""
    phase = 2 * np.pi * np.cumsum(hz) / RATE
    tone = sum(np.sin(k * phase) / k for k in range(1, 8))
    return np.asarray(0.1 * level * tone, np.float32)


def test_prosody_measures_falls_and_syllables() -> None:
    t = np.arange(RATE) / RATE
    steady = voice(np.full(RATE, 150.0), np.ones(RATE))
    falling = voice(np.where(t < 0.75, 200.0, 100.0), np.where(t < 0.75, 1.0, 0.2))
    syllables = voice(np.full(RATE, 150.0), np.where(np.sin(2 * np.pi * 5 * t) > 0, 1.0, 0.05))
    energy, pitch, run_s, _ = prosody(falling)
    assert pitch == pytest.approx(12, abs=1)
    assert energy == pytest.approx(14, abs=2)
    assert run_s == pytest.approx(1, abs=0.1)
    assert np.abs(prosody(steady)[:2]).max() < 0.5
    assert prosody(syllables)[3] == pytest.approx(5, abs=1.1)
    assert prosody(steady)[3] <= 1.1


@pytest.mark.parametrize("gain", [0.1, 3.0])
def test_loudness_does_not_matter_to_prosody(recording: Recording, gain: float) -> None:
    speech = recording("whisper_jfk.flac")[: 3 * RATE]
    assert prosody(gain * speech) == pytest.approx(prosody(speech), abs=0.6)


@pytest.mark.parametrize("samples", [0, 100, RATE])
def test_silence_and_nothing_have_finite_prosody(samples: int) -> None:
    assert np.isfinite(prosody(np.zeros(samples, np.float32))).all()
