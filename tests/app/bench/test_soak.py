"""`pads bench soak`: no block is lost, each turn is answered once; what is not kept is told."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.bench import soak
from app.bench.soak_figures import Sample, Turn, flat, judged, slower, tenth
from engine import paths
from engine.events import Evidence
from engine.records import runs
from tests.app.conftest import question

_SAMPLE_S = 0.5


@pytest.mark.usefixtures("models", "qapp", "themed")
@pytest.mark.parametrize(
    "minutes",
    [
        pytest.param(0.1, id="short"),
        pytest.param(10.0, id="long", marks=[pytest.mark.soak, pytest.mark.timeout(900)]),
    ],
)
def test_nothing_is_lost_while_the_window_draws(
    recorded: Path,
    tmp_path: Path,
    minutes: float,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(soak, "_SAMPLE_S", _SAMPLE_S)
    sound = str(question(recorded, tmp_path))
    soak.run(argparse.Namespace(recording=sound, minutes=minutes, json=True))
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["kept"]["every_turn_answered_once"]
    assert told["kept"]["no_block_lost"]
    (run,) = runs.every(paths.runs())
    result = run.result()
    assert result is not None
    assert {plot["title"] for plot in result["plots"]} >= {"Memory", "From silence to the gate"}
    turns = lines(run.folder / "turns.jsonl")
    samples = lines(run.folder / "samples.jsonl")
    assert told["turns"]["value"] == len(turns) == told["answered_once"]["value"]
    assert {turn["source"] for turn in turns} == set(range(told["sources"]))
    kinds = {"file", "microphone"} if told["microphone"] == "virtual" else {"file"}
    assert {turn["kind"] for turn in turns} == kinds
    assert all(turn["replies"] == 1 and turn["perceived_ms"] > 0 for turn in turns)
    assert len(samples) > 60 * minutes / (4 * _SAMPLE_S)
    assert all(one["memory_mb"] > 100 and one["processes"] >= 2 for one in samples)
    assert max(one["frames_a_second"] for one in samples) > 5


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def a_calm_hour() -> tuple[list[Turn], list[Sample], list[tuple[float, float]]]:
    turns = [
        Turn(6.0 * n, n // 5, "file", n % 5, replies=1, perceived_ms=300.0 + n % 7)
        for n in range(600)
    ]
    samples = [Sample(10.0 * n, 500.0 + n % 3, 40, 60 + n % 2, 3, 1, 30.0) for n in range(360)]
    return turns, samples, [(6.0 * n, 220.0 + n % 9) for n in range(600)]


def test_a_calm_hour_keeps_everything() -> None:
    turns, samples, gates = a_calm_hour()
    found = judged(turns, samples, gates, 0, Evidence.MEASURED)
    assert all(found.kept.values()), found.kept
    assert found.figures["turns"].value == 600
    assert found.figures["gate_longer"].evidence is Evidence.DERIVED


@pytest.mark.parametrize(
    ("fault", "promise"),
    [
        ("twice", "every_turn_answered_once"),
        ("never", "every_turn_answered_once"),
        ("silent", "every_turn_answered_once"),
        ("lost", "no_block_lost"),
        ("memory", "memory_flat"),
        ("threads", "threads_flat"),
        ("descriptors", "descriptors_flat"),
        ("processes", "processes_flat"),
        ("files", "temporary_files_flat"),
        ("gate", "gate_as_in_the_beginning"),
        ("word", "first_word_as_in_the_beginning"),
        ("unseen", "memory_flat"),
    ],
)
def test_each_promise_can_be_broken(fault: str, promise: str) -> None:
    turns, samples, gates = a_calm_hour()
    late = range(320, 360)
    match fault:
        case "twice" | "never":
            turns[300].replies = 2 if fault == "twice" else 0
        case "silent":
            turns.clear()
        case "unseen":
            samples.clear()
        case "memory":
            samples[320:] = [replace(s, memory_mb=1.04 * s.memory_mb) for s in samples[320:]]
        case "threads":
            samples[320:] = [replace(samples[n], threads=41) for n in late]
        case "descriptors":
            samples[320:] = [replace(samples[n], descriptors=61) for n in late]
        case "processes":
            samples[320:] = [replace(samples[n], processes=4) for n in late]
        case "files":
            samples[320:] = [replace(samples[n], temporary_files=2) for n in late]
        case "gate":
            gates[540:] = [(moment, ms + 5) for moment, ms in gates[540:]]
        case "word":
            for turn in turns[540:]:
                turn.perceived_ms = (turn.perceived_ms or 0.0) + 5
    found = judged(turns, samples, gates, int(fault == "lost"), Evidence.MEASURED)
    assert not found.kept[promise]


def test_a_seldom_sample_between_two_sources_is_no_measure() -> None:
    turns, samples, gates = a_calm_hour()
    samples = [replace(s, threads=20 + 2 * (n % 2)) for n, s in enumerate(samples)]
    samples[50] = replace(samples[50], threads=17)
    assert judged(turns, samples, gates, 0, Evidence.MEASURED).kept["threads_flat"]
    leaking = [replace(s, threads=s.threads + n // 180) for n, s in enumerate(samples)]
    assert not judged(turns, leaking, gates, 0, Evidence.MEASURED).kept["threads_flat"]


@pytest.mark.parametrize("name", ["threads", "descriptors", "temporary files"])
def test_two_recorded_hours_held_the_same(name: str) -> None:
    record = json.loads((Path(__file__).parents[3] / "docs/reports/soak/result.json").read_text())
    (series,) = [s for plot in record["plots"] for s in plot["series"] if s["name"] == name]
    held = [(60.0 * minute, value) for minute, value in zip(series["x"], series["y"], strict=True)]
    assert held[-1][0] > 7000
    assert flat(held, held[-1][0], name)
    grown = [(second, value + (second > 3600)) for second, value in held]
    assert not flat(grown, held[-1][0], name)


def test_a_tenth_has_its_beginning_and_the_last_one_the_end() -> None:
    times = [(float(n), float(n)) for n in range(101)]
    assert tenth(times, 0, 100.0) == [float(n) for n in range(10)]
    assert tenth(times, 9, 100.0) == [float(n) for n in range(90, 101)]


def test_two_equal_halves_are_not_told_apart_and_one_value_is_not_compared() -> None:
    same = slower([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    assert same.value == 0
    assert same.interval is not None
    assert same.interval.low <= 0 <= same.interval.high
    assert slower([1.0], [2.0, 3.0]).evidence is Evidence.UNAVAILABLE
