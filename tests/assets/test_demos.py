"""The bundled demos: well-formed, true to their ground truth, and heard as intended."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import soundfile

from engine import paths
from engine.settings import Settings
from engine.trigger.commit import RULES
from engine.trigger.endpointing import Boundary, Endpointer
from engine.trigger.judging import Judge, Judgement, ModelFiles
from engine.trigger.turn_audio import CHUNK

NAMES = sorted(path.stem for path in paths.demos().glob("*.flac"))
RATE = 16_000
SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Heard:
    """A pause as the engine hears it, and the segment it follows."""

    segment: dict[str, Any]
    judgement: Judgement


def truth(name: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((paths.demos() / f"{name}.json").read_text("utf-8"))
    return record


def said_until(segments: list[dict[str, Any]], segment: dict[str, Any]) -> str:
    """What was said in the segment's turn up to its end."""
    turn = [item for item in segments if item["turn"] == segment["turn"]]
    return " ".join(item["text"] for item in turn[: turn.index(segment) + 1])


def words(text: str) -> list[str]:
    return re.findall(r"[a-z']+", text.lower())


@pytest.fixture(scope="module")
def judge(models: Path, monkeypatch_module: pytest.MonkeyPatch) -> Iterator[Judge]:
    monkeypatch_module.setenv("PADS_MODELS", str(models))
    judge = Judge(ModelFiles.installed(), SETTINGS.speech, lambda step, fraction: None)
    judge.judge(np.zeros(RATE, np.float32))  # its thread starts here, for all tests of the module
    yield judge
    judge.close()


@pytest.fixture(scope="module")
def monkeypatch_module() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


def test_there_are_enough() -> None:
    assert len(NAMES) >= 4


@pytest.mark.parametrize("name", NAMES)
def test_sound_is_made_from_the_recipe_beside_it(name: str, make_demos: ModuleType) -> None:
    recipes = make_demos.read_recipes(paths.demos() / "recipes.toml")
    recipe = next(recipe for recipe in recipes if recipe.name == name)
    assert make_demos.is_made(recipe, paths.demos())


@pytest.mark.parametrize("name", NAMES)
def test_sound_is_what_the_engine_and_a_download_want(name: str) -> None:
    path = paths.demos() / f"{name}.flac"
    audio, rate = soundfile.read(path, dtype="float32")
    assert (rate, audio.ndim) == (RATE, 1)
    assert path.stat().st_size <= 1_000_000
    assert 25 <= len(audio) / rate <= 45
    assert 20 * np.log10(np.abs(audio).max()) == pytest.approx(-3, abs=0.3)
    for start in range(0, len(audio) - RATE, RATE):
        assert np.any(audio[start : start + RATE])  # a room, not digital silence


@pytest.mark.parametrize("name", NAMES)
def test_ground_truth_is_complete(name: str) -> None:
    record = truth(name)
    segments = record["segments"]
    assert {"question", "directive", "inform", "commissive"} >= {s["act"] for s in segments}
    assert {"commissive", "question"} <= {s["act"] for s in segments}
    assert segments[0]["start_s"] >= 0.7
    ends = [(s["boundary"], s["end_s"]) for s in segments]
    starts = [s["start_s"] for s in segments[1:]] + [record["seconds"]]
    for (boundary, end_s), next_s in zip(ends, starts, strict=True):
        low, high = (0.35, 0.53) if boundary == "hold" else (3.0, 4.5)
        assert low <= next_s - end_s <= high
    for before, after in pairwise(segments):
        assert after["turn"] - before["turn"] == (before["boundary"] == "shift")


@pytest.mark.parametrize("name", NAMES)
def test_engine_hears_the_conversation_that_was_meant(name: str, judge: Judge) -> None:
    segments = truth(name)["segments"]
    pauses = hear(name, segments, judge)
    assert [pause.segment for pause in pauses] == segments  # each pause once, none else
    theta_end, theta_deep = SETTINGS.gate.theta_end, SETTINGS.gate.theta_deep
    fooled = 0
    for pause in pauses:
        verdict = pause.judgement.verdict
        assert verdict is not None
        opens = pause.judgement.p_end >= theta_end and verdict.p_deep >= theta_deep
        turn = {item["act"] for item in segments if item["turn"] == pause.segment["turn"]}
        if pause.segment["boundary"] == "hold":
            fooled += opens
        elif turn & {"question", "directive"}:
            assert opens, pause
        else:
            assert verdict.p_deep < theta_deep, pause  # statements and promises
    assert fooled >= 1


def hear(name: str, segments: list[dict[str, Any]], judge: Judge) -> list[Heard]:
    """Pauses of the demo, judged by the real models; words are checked at each turn's end."""
    audio, _ = soundfile.read(paths.demos() / f"{name}.flac", dtype="float32")
    judge.predictor.reset()
    endpointer = Endpointer(SETTINGS.speech, RULES[SETTINGS.gate.patience].longest_ms)
    heard: list[Heard] = []
    for end in range(CHUNK, len(audio), CHUNK):
        judge.predictor.update(audio[end - CHUNK : end])
        at_s = (end - CHUNK) / RATE, end / RATE
        if endpointer.update(*at_s, judge.predictor.speech) is not Boundary.PAUSE_STARTED:
            continue
        onset_s = endpointer.onset_s
        segment = min(segments, key=lambda item: abs(item["end_s"] - onset_s))
        first = next(item for item in segments if item["turn"] == segment["turn"])
        speech = audio[round((first["start_s"] - 0.3) * RATE) : round((onset_s + 0.064) * RATE)]
        judgement = judge.judge(speech)
        rule = RULES[SETTINGS.gate.patience]
        endpointer.commit_ms = rule.commit_ms(judge.predictor.p_end_after)
        heard.append(Heard(segment, judgement))
        if segment["boundary"] == "shift":
            expected = words(said_until(segments, segment))
            match = SequenceMatcher(None, expected, words(judgement.text)).ratio()
            assert match > 0.9, judgement.text
    return heard
