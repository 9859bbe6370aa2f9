"""Sounds that make assistants reply twice, fall silent or answer a cough, played to the engine."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile

from engine import commands, events, paths
from engine.events import Event, TurnState
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import Settings
from tests.conftest import lasting_home
from tests.engine.sounds import (
    RATE,
    Sound,
    cough,
    levelled,
    load,
    mixed,
    music,
    segment,
    silence,
    slam,
    texts,
)

Play = Callable[..., list[Event]]

_PATIENCE_S = 150.0
_LEAD_S = 0.8


@pytest.fixture(scope="module")
def session(
    models: Path, halves: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Session, Outbox]]:
    """One engine for all sounds: each is a conversation of its own."""
    with lasting_home(tmp_path_factory.mktemp("home"), models, halves):
        outbox = Outbox()
        running = Session(Settings(), outbox, log_folder=None)
        running.start()
        try:
            until(outbox, events.EngineReady)
            yield running, outbox
        finally:
            assert running.stop(10)


@pytest.fixture(scope="module")
def play(
    session: tuple[Session, Outbox], question: Sound, tmp_path_factory: pytest.TempPathFactory
) -> Play:
    """Play sounds one after the other, a breath of silence first; all events until the end."""

    def listen(*sounds: Sound) -> list[Event]:
        running, outbox = session
        file = folder / "sounds.wav"
        noise = np.random.default_rng(0).normal(0, 1e-4, round(_LEAD_S * RATE))
        soundfile.write(file, np.concatenate((noise.astype(np.float32), *sounds)), RATE)
        running.send(commands.OpenFile(path=str(file)))
        seen = until(outbox, events.SourceEnded)
        check(seen)
        return seen

    folder = tmp_path_factory.mktemp("sounds")
    listen(question)  # from the first pause on the engine has one thread more
    return listen


def until(outbox: Outbox, kind: type[Event]) -> list[Event]:
    seen: list[Event] = []
    silent_s = 0.0  # counted in waits, so that a machine that stands still costs no patience
    while not any(isinstance(event, kind) for event in seen):
        assert silent_s < _PATIENCE_S, Counter(type(event).__name__ for event in seen)
        silent_s += 0.0 if outbox.wait(0.1) else 0.1
        seen += outbox.drain()[0]
    return seen


def check(seen: list[Event]) -> None:
    """What holds for every conversation, whatever is heard."""
    commits = [e.turn for e in seen if isinstance(e, events.TurnCommitted)]
    dropped = [e.turn for e in seen if isinstance(e, events.TurnDropped)]
    opened = {e.turn for e in seen if _is_state(e, TurnState.SPEAKING)}
    assert sorted(commits + dropped) == sorted(opened), "a turn has not one end"

    finished = {e.turn: e for e in seen if isinstance(e, events.ReplyFinished)}
    ends = [e.turn for e in seen if isinstance(e, events.ReplyFinished)]
    assert sorted(ends) == sorted(commits), "a committed turn was not answered exactly once"
    assert sorted(e.turn for e in seen if isinstance(e, events.TurnAccounted)) == sorted(commits)

    serving: int | None = None
    served: dict[int, str] = {}
    for event in seen:
        match event:
            case events.TurnCommitted(turn=turn):
                assert serving is None, "two replies at once"
                serving = turn
            case events.ReplyServed(turn=turn, text=text):
                assert serving == turn, "served outside of its turn"
                served[turn] = served.get(turn, "") + text
            case events.ReplyFinished(turn=turn):
                assert serving == turn
                serving = None
    for turn, end in finished.items():
        assert served.get(turn, "").strip() == end.text.strip(), "something was served twice or not"
    branches_end_once(seen, commits)
    ledger_adds_up(seen)


def branches_end_once(seen: list[Event], commits: list[int]) -> None:
    started = {e.branch: e.turn for e in seen if isinstance(e, events.BranchStarted)}
    discarded = Counter(e.branch for e in seen if isinstance(e, events.BranchDiscarded))
    assert set(discarded) <= set(started)
    assert max(discarded.values(), default=1) == 1
    kept = [turn for branch, turn in started.items() if branch not in discarded]
    assert sorted(kept) == sorted(commits), "a turn has not one served branch"


def ledger_adds_up(seen: list[Event]) -> None:
    """Deep work reported before a turn's account is in it, to the last of the decoder's steps."""
    worked: dict[int, float] = defaultdict(float)
    for event in seen:
        match event:
            case events.DecoderWorked(depth="deep", turn=turn):
                worked[turn] += 1000 * (event.heard_s - event.start_s)
            case events.TurnAccounted(turn=turn):
                booked = event.hidden_ms + event.visible_ms + event.wasted_ms
                assert booked == pytest.approx(worked[turn], abs=0.01)
            case events.TurnDropped(turn=turn):
                assert event.wasted_ms == pytest.approx(worked[turn], abs=0.01)


def _is_state(event: Event, state: TurnState) -> bool:
    return isinstance(event, events.StateChanged) and event.state is state


def commits(seen: list[Event]) -> list[events.TurnCommitted]:
    return [event for event in seen if isinstance(event, events.TurnCommitted)]


@pytest.fixture(scope="module")
def question() -> Sound:
    return segment(paths.demos() / "mountain-hike.flac", "How do I take care")


@pytest.fixture(scope="module")
def addition() -> Sound:
    return segment(paths.demos() / "balcony-garden.flac", "It stands right by")


@pytest.fixture(scope="module")
def undisturbed(play: Play, question: Sound) -> list[Event]:
    """The question alone."""
    return play(question)


@pytest.fixture(scope="module")
def wait_s(undisturbed: list[Event], question: Sound) -> float:
    """From the end of the question to its commit."""
    (commit,) = commits(undisturbed)
    return commit.heard_s - _LEAD_S - len(question) / RATE


@pytest.mark.parametrize(
    "offsets_ms",
    [
        pytest.param((-50, 10), id="short"),
        pytest.param((-300, -100, -50, -10, 10, 50, 100, 300), id="all", marks=pytest.mark.heavy),
    ],
)
def test_speech_that_resumes_around_the_commit(
    play: Play, wait_s: float, question: Sound, addition: Sound, offsets_ms: tuple[int, ...]
) -> None:
    for offset_ms in offsets_ms:
        seen = play(question, silence(wait_s + offset_ms / 1000), addition)
        heard = commits(seen)
        assert "blister" in heard[0].text
        assert "window" in heard[-1].text
        # Speech is sure 96 ms after it began, so the last moments before the commit are open.
        assert len(heard) in ((2,) if offset_ms >= 0 else (1,) if offset_ms <= -50 else (1, 2))
        if offset_ms == -50:  # an answer was begun in the pause, to a question that went on
            assert any(isinstance(event, events.BranchDiscarded) for event in seen)


@pytest.mark.heavy
@pytest.mark.parametrize("gap_ms", [10, 50, 100, 300, 690, 710])
def test_a_gap_in_speech(play: Play, question: Sound, addition: Sound, gap_ms: int) -> None:
    heard = commits(play(question, silence(gap_ms / 1000), addition))
    assert len(heard) in ((1,) if gap_ms <= 300 else (1, 2))
    assert "window" in heard[-1].text


_BACKCHANNELS = (("EN2005a", 5.82, 6.29), ("EN2002b", 24.13, 24.9), ("ES2003b", 29.02, 29.59))
"""People of the AMI meetings who say "okay", "okay", "mm-hmm" while nobody else speaks."""


@pytest.mark.parametrize(
    "clips",
    [
        pytest.param(_BACKCHANNELS[:1], id="short"),
        pytest.param(_BACKCHANNELS, id="all", marks=pytest.mark.heavy),
    ],
)
def test_a_backchannel_during_the_reply_ends_and_steals_nothing(
    play: Play,
    undisturbed: list[Event],
    wait_s: float,
    question: Sound,
    data: Path,
    clips: tuple[tuple[str, float, float]],
) -> None:
    (whole,) = replies(undisturbed)
    for meeting, from_s, to_s in clips:
        clip = load(data / "audio" / f"ami_{meeting}_first30s.wav", from_s, to_s)
        seen = play(question, silence(wait_s + 0.2), levelled(clip), silence(0.5))
        assert len(commits(seen)) == 1
        assert replies(seen)[0].tokens == whole.tokens
        assert replies(seen)[0].reason == whole.reason
        assert [e.reason for e in seen if isinstance(e, events.TurnDropped)] == [
            "only a back-channel"
        ]


def test_real_words_during_the_reply_are_a_turn(
    play: Play, wait_s: float, question: Sound, addition: Sound
) -> None:
    seen = play(question, silence(wait_s + 0.1), addition)
    assert len(commits(seen)) == 2
    assert "window" in commits(seen)[1].text


def replies(seen: list[Event]) -> list[events.ReplyFinished]:
    return [event for event in seen if isinstance(event, events.ReplyFinished)]


def test_noises_and_music_are_not_answered(play: Play) -> None:
    doors = (slam(1), silence(0.15), slam(2), silence(0.1), slam(3))
    coughs = (cough(2), silence(0.2), cough(4), silence(0.15), cough(6))
    seen = play(*doors, silence(1.0), *coughs, silence(1.0), music(3.0))
    assert not commits(seen)
    assert not replies(seen)


def test_silence_is_answered_by_silence(play: Play) -> None:
    seen = play(silence(3.0))
    assert not any(_is_state(event, TurnState.SPEAKING) for event in seen)
    assert not replies(seen)


def test_a_cough_between_two_halves_of_a_turn(play: Play, question: Sound, addition: Sound) -> None:
    seen = play(addition, silence(0.1), cough(2)[: RATE // 4], silence(0.1), question)
    (commit,) = commits(seen)
    assert "blister" in commit.text
    assert len(replies(seen)) == 1


def test_two_voices_at_once_are_one_turn(play: Play, question: Sound) -> None:
    other = segment(paths.demos() / "balcony-garden.flac", "How often should")
    seen = play(mixed(question, other))
    assert len(commits(seen)) == 1


@pytest.mark.parametrize(
    "seconds", [pytest.param(10, id="short"), pytest.param(60, id="all", marks=pytest.mark.heavy)]
)
def test_a_monologue_is_one_turn(play: Play, seconds: float) -> None:
    sounds: list[Sound] = []
    said: list[str] = []
    for demo in paths.demo_recordings():
        for text in texts(demo):
            if sum(map(len, sounds)) < seconds * RATE:
                sounds += [segment(demo, text), silence(0.2)]
                said += re.findall(r"[a-z]+", text.lower())
    (commit,) = commits(play(*sounds))
    heard = set(re.findall(r"[a-z]+", commit.text.lower()))
    assert sum(word in heard for word in said) > 0.7 * len(said)
