"""A user's Voice Activity Projection: what is accepted, what is refused, and what it changes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomlkit

from engine.errors import ModelUnavailable
from engine.turntaking.head import logit
from engine.turntaking.predictor import TurnTakingPredictor
from engine.turntaking.vad import CHUNK, SpeechDetector
from engine.turntaking.vap import VoiceActivityProjection
from tests.engine.turntaking import onnx_file
from tests.engine.turntaking.conftest import Recording

RATE = 16_000
GOOD = {
    "channels": "stereo",
    "sample_rate_hz": RATE,
    "frame_rate_hz": 50,
    "context_s": 2.0,
    "p_now": "p_now",
    "p_future": "p_future",
}


def supplied(
    folder: Path,
    changes: dict[str, Any] | None = None,
    *,
    channels: int = 2,
    rate: int = RATE,
    seconds: float = 2.0,
    frame_rate: int = 50,
    now: float = 100.0,
    future: float = -100.0,
    squash: bool = True,
    unused: str = "",
) -> Path:
    """A model and its manifest, `changes` made to the latter; None takes a key out."""
    model = onnx_file.write(
        folder / "vap.onnx",
        channels=channels,
        samples=round(seconds * rate),
        stride=rate // frame_rate,
        now=now,
        future=future,
        squash=squash,
        unused=unused,
    )
    manifest = {k: v for k, v in {**GOOD, **(changes or {})}.items() if v is not None}
    (folder / "vap.toml").write_text(tomlkit.dumps(manifest), "utf-8")
    return model


def noise(seconds: float, level: float = 0.1) -> np.ndarray:
    return np.full(round(seconds * RATE), level, np.float32)


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def test_the_last_frame_answers_for_the_newest_sound(tmp_path: Path) -> None:
    vap = VoiceActivityProjection(supplied(tmp_path))
    quiet = vap.project(noise(5, 0.0))
    assert (quiet.p_now, quiet.p_future) == (0.5, 0.5)
    loud = vap.project(np.concatenate((noise(5, 0.0), noise(0.02))))
    # Of two channels one is the user's, so the mean loudness is half of 0.1.
    assert loud.p_now == pytest.approx(sigmoid(5), abs=1e-5)
    assert loud.p_future == pytest.approx(sigmoid(-5), abs=1e-5)
    assert vap.project(np.concatenate((noise(5), noise(0.02, 0.0)))) == quiet
    assert vap.project(noise(0.02)) == loud  # less than the context is preceded by silence


def test_mono_at_another_rate_hears_the_same_moment(tmp_path: Path) -> None:
    changes = {"channels": "mono", "sample_rate_hz": 8000, "frame_rate_hz": 20, "context_s": 3}
    model = supplied(tmp_path, changes, channels=1, rate=8000, seconds=3, frame_rate=20)
    vap = VoiceActivityProjection(model)
    assert vap.project(noise(4)).p_now == pytest.approx(sigmoid(10), abs=1e-3)


def test_evidence_of_a_turn_end_needs_both_windows(tmp_path: Path) -> None:
    ends = {}
    for name, (now, future) in {
        "speaks": (100, 100),
        "ends": (-100, -100),
        "breathes": (-100, 100),
    }.items():
        vap = VoiceActivityProjection(supplied(tmp_path, now=now, future=future))
        ends[name] = vap.project(noise(2)).p_end
    assert ends["speaks"] < 0.01
    assert ends["breathes"] == pytest.approx(0.5)
    assert ends["ends"] > 0.99


@pytest.mark.parametrize(
    ("changes", "built", "why"),
    [
        ({"p_now": "vad"}, {}, "no output vad, only p_future, p_now"),
        ({"channels": "mono"}, {}, r"takes tensor\(float\) \[1, 2, 32000\]"),
        ({"channels": "both"}, {}, "neither mono nor stereo"),
        ({"context_s": 4.0}, {}, r"not tensor\(float\) \[1, 2, 64000\]"),
        ({"frame_rate_hz": 25}, {}, r"p_now has the shape \[1, 100\], not \[1, 50\]"),
        ({"frame_rate_hz": None}, {}, "lacks frame_rate_hz"),
        ({"sample_rate_hz": "16 kHz"}, {}, "sample_rate_hz = '16 kHz'"),
        ({"sample_rate_hz": 192_000}, {}, "192000 in vap.toml is not within 8000 to 48000"),
        ({"context_s": True}, {}, "context_s = True"),
        ({}, {"unused": "state"}, "2 inputs instead of one"),
    ],
)
def test_what_does_not_fit_is_refused_with_one_sentence(
    tmp_path: Path, changes: dict[str, Any], built: dict[str, Any], why: str
) -> None:
    with pytest.raises(ModelUnavailable, match=why) as refused:
        VoiceActivityProjection(supplied(tmp_path, changes, **built))
    sentence = str(refused.value)
    assert sentence.startswith("The voice activity projection vap.onnx cannot be used")
    assert "speech.vap_model" in sentence
    assert "\n" not in sentence


def test_outputs_that_are_no_probabilities_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"p_now gives \d.*, which is no probability"):
        VoiceActivityProjection(supplied(tmp_path, squash=False))


@pytest.mark.parametrize("missing", ["vap.toml", "vap.onnx"])
def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    model = supplied(tmp_path)
    (tmp_path / missing).unlink()
    with pytest.raises(ModelUnavailable, match=missing):
        VoiceActivityProjection(model)


def test_its_evidence_is_pooled_with_smart_turn(
    tmp_path: Path, models: Path, recording: Recording
) -> None:
    speech = recording("livekit_weather_question.wav")[: round(1.87 * RATE)]
    p_end = {}
    for name, weight in {"alone": None, "speaks": 1000.0, "ends": -1000.0, "unsure": 0.0}.items():
        vap = None
        if weight is not None:
            changes = {"context_s": 12.0}
            model = supplied(tmp_path, changes, seconds=12.0, now=weight, future=weight)
            vap = VoiceActivityProjection(model)
        predictor = TurnTakingPredictor(
            models / "smart-turn-v3.2-cpu.onnx",
            SpeechDetector(models / "silero_vad.onnx"),
            vap=vap,
        )
        for end in range(CHUNK, len(speech) + 1, CHUNK):
            predictor.update(speech[end - CHUNK : end])
        p_end[name] = predictor.at_pause()
    assert p_end["speaks"] < p_end["unsure"] < p_end["alone"] < 1
    assert logit(p_end["unsure"]) == pytest.approx(logit(p_end["alone"]) / 2)
    assert p_end["ends"] > p_end["unsure"]


def test_a_manifest_that_is_no_manifest_by_its_size_is_refused_unread(tmp_path: Path) -> None:
    model = supplied(tmp_path)
    with (tmp_path / "vap.toml").open("a", encoding="utf-8") as manifest:
        manifest.write("# more\n" * 2000)
    with pytest.raises(ModelUnavailable, match=r"vap\.toml cannot be read"):
        VoiceActivityProjection(model)
