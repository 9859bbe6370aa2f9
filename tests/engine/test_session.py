"""The live engine on real recordings with real models."""

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import commands, events, paths
from engine.evaluation.conversations.comparison import read_events
from engine.evaluation.conversations.conversation import Summary, converse, with_pads
from engine.events import Event
from engine.faults.conversation import decoder
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import GateSettings, Settings
from tests.conftest import lasting_home

_LATE_S = 0.1
_ROUNDED_MS = 0.1


def hear(file: Path, *, pads: bool = True) -> tuple[Summary, list[Event]]:
    seen: list[Event] = []
    source = commands.OpenFile(path=str(file))
    return converse(with_pads(Settings(), pads), source, see=seen.append), seen


def of(kind: type[Event], seen: list[Event]) -> list[Event]:
    return [event for event in seen if isinstance(event, kind)]


@pytest.fixture(scope="module")
def question(
    models: Path, halves: Path, data: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Summary, list[Event]]:
    """A question that is answered undisturbed, with PADS on."""
    with lasting_home(tmp_path_factory.mktemp("question"), models, halves):
        return hear(data / "audio" / "livekit_weather_question.wav")


@pytest.mark.heavy
@pytest.mark.usefixtures("models")
def test_a_demo_with_pads_on_serves_what_it_serves_with_pads_off() -> None:
    demo = paths.demos() / "balcony-garden.flac"
    on, seen = hear(demo)
    serves_the_same(on, seen, *hear(demo, pads=False))
    assert on.discards >= 1


def test_three_turns_with_pads_on_serve_what_they_serve_with_pads_off(compared: Path) -> None:
    arms: list[Any] = []
    for arm in ("on", "off"):
        summary, seen = Summary(pads=arm == "on"), list(read_events(compared / f"{arm}.jsonl"))
        for event in seen:
            summary.take(event)
        arms += [summary, seen]
    serves_the_same(*arms)


def serves_the_same(
    on: Summary, seen: list[Event], off: Summary, unspeculated: list[Event]
) -> None:
    assert on.turns >= 2
    assert on.transcripts == off.transcripts
    assert on.verdicts == off.verdicts
    assert on.reply_tokens == off.reply_tokens
    assert all(on.reply_tokens)
    assert len(on.reply_tokens) == on.turns
    assert on.triggers >= 1
    assert (off.triggers, off.discards) == (0, 0)
    assert not of(events.BranchDiscarded, unspeculated)

    account = on.record()
    assert off.record()["hidden_ms"] == 0
    booked = account["hidden_ms"] + account["visible_ms"] + account["wasted_ms"]
    # The account is told in tenths of a millisecond; the events are not rounded.
    assert booked == pytest.approx(worked_ms(seen), abs=2 * _ROUNDED_MS)
    # A block that comes late moves the events' axis against the decoder's clock.
    assert hidden_by_events(seen, -_LATE_S) <= account["hidden_ms"] + _ROUNDED_MS
    assert account["hidden_ms"] <= hidden_by_events(seen, _LATE_S) + _ROUNDED_MS
    assert on.dropped_blocks == off.dropped_blocks == 0


def worked_ms(seen: list[Event]) -> float:
    """Deep work, step by step, that was reported before its turn's account."""
    found, accounted = 0.0, set[int]()
    for event in seen:
        if isinstance(event, events.TurnAccounted):
            accounted.add(event.turn)
        elif isinstance(event, events.DecoderWorked) and event.depth == "deep":
            found += (event.heard_s - event.start_s) * (event.turn not in accounted)
    return 1000 * found


def hidden_by_events(seen: list[Event], later_s: float) -> float:
    """Deep work of branches that were served, before `later_s` after their turns' commits."""
    early = {event.branch for event in of(events.BranchStarted, seen) if event.speculative}
    thrown_away = {event.branch for event in of(events.BranchDiscarded, seen)}
    ends_s = {event.turn: event.heard_s + later_s for event in of(events.TurnCommitted, seen)}
    steps = [e for e in seen if _deep(e) and e.branch in early - thrown_away]
    spans_s = (min(e.heard_s, ends_s[e.turn]) - e.start_s for e in steps)
    return 1000 * sum(max(span_s, 0.0) for span_s in spans_s)


def _deep(event: Event) -> bool:
    return isinstance(event, events.DecoderWorked) and event.depth == "deep"


def test_nothing_of_a_branch_is_served_before_its_turn_is_committed(
    question: tuple[Summary, list[Event]],
) -> None:
    _, seen = question
    kinds = [type(event) for event in seen]
    commit = kinds.index(events.TurnCommitted)
    assert events.ReplyServed not in kinds[:commit]
    served = "".join(event.text for event in of(events.ReplyServed, seen))
    (finished,) = of(events.ReplyFinished, seen)
    assert served.strip() == finished.text.strip()


@pytest.mark.usefixtures("models")
def test_near_silence_is_answered_by_silence(data: Path, tmp_path: Path) -> None:
    import numpy as np
    import soundfile

    quiet = tmp_path / "quiet.wav"
    noise = np.random.default_rng(1).normal(0, 1e-3, 16_000 * 4)
    soundfile.write(quiet, noise.astype(np.float32), 16_000)
    summary, seen = hear(quiet)
    assert (summary.turns, summary.triggers, summary.reply_tokens) == (0, 0, [])
    assert len(of(events.AudioHeard, seen)) >= 4 * 31


def kill_decoder() -> int:
    """SIGKILL to the decoder; its process."""
    process = decoder()
    os.kill(process.pid, signal.SIGKILL)
    return process.pid


@pytest.mark.usefixtures("models")
def test_a_turn_the_decoder_always_dies_of_is_given_up_with_a_sentence(data: Path) -> None:
    seen: list[Event] = []
    killed: list[int] = []
    lives = [True]  # what a dead one did is told until its successor is

    def see(event: Event) -> None:
        seen.append(event)
        if isinstance(event, events.DecoderStatus) and event.state == "restarted":
            lives.append(True)
        if _deep(event) and lives:
            lives.clear()
            killed.append(kill_decoder())

    source = commands.OpenFile(path=str(data / "audio" / "livekit_weather_question.wav"))
    converse(with_pads(Settings(), False), source, see=see)
    assert len(set(killed)) == 3
    assert [event.reason for event in of(events.ReplyFinished, seen)] == ["failed"]
    assert any("say it again" in event.message for event in of(events.Problem, seen))


@pytest.mark.usefixtures("models")
def test_a_decoder_killed_in_a_reply_does_not_cost_the_turn(
    data: Path, question: tuple[Summary, list[Event]]
) -> None:
    killed: list[int] = []

    def kill_once(event: Event) -> None:
        if isinstance(event, events.TokenDecoded) and not killed and event.index >= 2:
            killed.append(kill_decoder())

    seen: list[Event] = []

    def see(event: Event) -> None:
        seen.append(event)
        kill_once(event)

    source = commands.OpenFile(path=str(data / "audio" / "livekit_weather_question.wav"))
    summary = converse(with_pads(Settings(), False), source, see=see)
    assert killed
    assert summary.reply_tokens == question[0].reply_tokens
    assert {"died", "restarted"} <= {e.state for e in of(events.DecoderStatus, seen)}


@pytest.fixture
def drain() -> Callable[[Outbox, type[Event]], list[Event]]:
    def until(outbox: Outbox, kind: type[Event]) -> list[Event]:
        seen: list[Event] = []
        deadline = time.monotonic() + 150
        while not of(kind, seen):
            assert time.monotonic() < deadline, [type(event).__name__ for event in seen]
            outbox.wait(0.1)
            seen += outbox.drain()[0]
        return seen

    return until


def test_a_missing_model_is_named_and_a_retry_starts_the_engine(
    models: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    drain: Callable[[Outbox, type[Event]], list[Event]],
) -> None:
    incomplete = tmp_path / "models"
    incomplete.mkdir()
    for entry in models.iterdir():
        if entry.name != "silero_vad.onnx":
            (incomplete / entry.name).symlink_to(entry)
    monkeypatch.setenv("PADS_MODELS", str(incomplete))
    outbox = Outbox()
    session = Session(Settings(), outbox, log_folder=None)
    session.start()
    try:
        (failed,) = of(events.EngineFailed, drain(outbox, events.EngineFailed))
        assert "silero" in failed.message
        assert "pads models fetch" in failed.message
        shutil.copy(models / "silero_vad.onnx", incomplete / "silero_vad.onnx")
        session.send(commands.Retry())
        drain(outbox, events.EngineReady)
    finally:
        assert session.stop(10)


@pytest.mark.usefixtures("models")
def test_a_bad_file_is_named_and_what_comes_next_is_heard_with_the_thresholds_of_then(
    data: Path, tmp_path: Path, drain: Callable[[Outbox, type[Event]], list[Event]]
) -> None:
    empty = tmp_path / "empty.wav"
    empty.touch()
    outbox = Outbox()
    session = Session(Settings(), outbox, log_folder=None)
    session.start()
    recording = str(data / "audio" / "livekit_weather_question.wav")
    gates = []
    try:
        drain(outbox, events.EngineReady)
        session.send(commands.OpenFile(path=str(empty)))
        (ended,) = of(events.SourceEnded, drain(outbox, events.SourceEnded))
        assert "empty.wav" in ended.reason
        for on, theta_end in ((True, 0.1), (True, 1.0), (False, 0.1)):
            session.send(commands.SwitchPads(on=on))
            gate = GateSettings(theta_end=theta_end, theta_deep=0.1, patience="patient")
            session.send(commands.ApplySettings(settings=Settings(gate=gate)))
            session.send(commands.OpenFile(path=recording))
            gates += of(events.GateDecided, drain(outbox, events.ReplyFinished))[:1]
    finally:
        assert session.stop(10)
    assert [(gate.theta_end, gate.triggered) for gate in gates] == [
        (0.1, True),
        (1.0, False),
        (0.1, False),
    ]
