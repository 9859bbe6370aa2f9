"""Job pipeline: the gate on injected signals, and a real recording heard."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from engine import paths
from engine.evaluation.conversations import pipeline
from engine.evaluation.conversations.pipeline import after_pause_ms
from engine.evaluation.turns.work import Work
from engine.events import Evidence
from engine.records.runs import ActiveRun
from engine.settings import Settings
from engine.trigger.gate import Decision

QUESTION, STATEMENT = "How do I get to the station?", "I had a sandwich for lunch today."
WORKS = [
    Work(
        shallow_ms=100.0 + n,
        deep_ms=200.0,
        step_ms=20.0,
        branch_ms=1000.0,
        prompt_tokens=30,
        tokens=20,
    )
    for n in (-10, 0, 10)
]


@pytest.mark.parametrize(
    ("text", "p_end", "triggered", "why"),
    [
        (QUESTION, 0.9, True, "probably deep"),
        (QUESTION, 0.1, False, "not over"),
        (STATEMENT, 0.9, False, "shallow answer"),
        (" ", 0.9, False, "no words"),
    ],
)
def test_the_real_classifier_and_the_real_gate_decide(
    text: str, p_end: float, triggered: bool, why: str
) -> None:
    _, decision = pipeline.judged(text, p_end, Settings())
    assert decision.triggered is triggered
    assert why in decision.reason


def figures(pause_s: float, p_end: float = 0.9) -> dict[str, Any]:
    verdict, decision = pipeline.judged(QUESTION, p_end, Settings())
    return pipeline.scripted(verdict, decision, p_end, pause_s, WORKS, Evidence.MEASURED)


def test_what_follows_from_injected_signals_is_tagged_scripted() -> None:
    found = figures(0.25)
    tags = {name: figure.evidence for name, figure in found.items()}
    injected = {"p_end", "pause", "ttft", "hidden"}
    assert {name for name, tag in tags.items() if tag is Evidence.SCRIPTED} == injected
    assert found["ttft_without_pads"].value == 300.0
    assert found["ttft"].value == 50.0
    assert found["hidden"].value == 250.0
    assert "normal approximation; rough at n = 3" in found["deep_pass"].interval.method


def test_a_long_pause_hides_everything_and_a_shut_gate_nothing() -> None:
    assert figures(0.8)["ttft"].value == 0.0
    assert figures(5.0)["hidden"].value == 1000.0
    shut = figures(0.8, p_end=0.1)
    assert (shut["ttft"].value, shut["hidden"].value) == (300.0, 0.0)


def test_work_that_fits_is_never_less_than_nothing() -> None:
    open_gate = Decision(True, "")
    assert after_pause_ms(100.0, 0.0, open_gate) == 100.0
    assert after_pause_ms(100.0, 0.3, open_gate) == 0.0
    assert after_pause_ms(100.0, 0.3, Decision(False, "")) == 100.0


@pytest.mark.usefixtures("models")
def test_both_parts_with_real_models_and_real_speech(tmp_path: Path, data: Path) -> None:
    job = ActiveRun(tmp_path, evidence=Evidence.MEASURED, stream=io.StringIO())
    recording = data / "audio" / "livekit_weather_question.wav"
    result = pipeline.run(
        job,
        text=QUESTION,
        p_end=0.9,
        pause_s=0.8,
        trials=2,
        recording=recording,
        strict=False,
    )
    json.dumps(result, allow_nan=False)
    mechanism, speech = result["scripted"], result["real_speech"]
    assert mechanism["decision"] == "trigger_deep"
    assert mechanism["shallow_pass"]["value"] > 0 < mechanism["deep_pass"]["value"]
    assert mechanism["whole_branch"]["value"] > mechanism["deep_pass"]["value"]
    assert not mechanism["branch_discarded"]
    assert speech["turns"]["value"] == 1
    assert speech["ttft"]["value"] is not None
    kept = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert sum(line["kept"] for line in kept) == 2 < len(kept)
    assert (tmp_path / "events.jsonl").stat().st_size > 1000


@pytest.mark.heavy
@pytest.mark.usefixtures("models")
def test_a_start_in_real_speech_is_thrown_away(tmp_path: Path) -> None:
    job = ActiveRun(tmp_path, evidence=Evidence.MEASURED, stream=io.StringIO())
    result = pipeline.run(
        job,
        text=QUESTION,
        p_end=0.9,
        pause_s=0.8,
        trials=2,
        recording=paths.demos() / "mountain-hike.flac",
        strict=False,
    )
    assert result["real_speech"]["branch_discarded"]
    assert result["real_speech"]["discarded"]["value"] >= 1
