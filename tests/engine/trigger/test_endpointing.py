"""Boundaries of a turn from speech flags alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.settings import SpeechSettings
from engine.trigger.endpointing import Boundary, Endpointer

STEP_S = 0.032


def run(endpointer: Endpointer, flags: str) -> list[tuple[int, Boundary]]:
    """Feed 'x' (speech) and '.' (silence) chunks; boundaries with the chunk they came at."""
    found = []
    for i, flag in enumerate(flags):
        boundary = endpointer.update(i * STEP_S, (i + 1) * STEP_S, flag == "x")
        if boundary is not None:
            found.append((i, boundary))
    return found


@pytest.fixture
def endpointer() -> Endpointer:
    return Endpointer(SpeechSettings(), commit_ms=704)


def test_a_turn_starts_pauses_and_commits(endpointer: Endpointer) -> None:
    found = run(endpointer, ".." + "x" * 10 + "." * 30)
    assert found == [
        (4, Boundary.TURN_STARTED),
        (14, Boundary.PAUSE_STARTED),
        (33, Boundary.COMMIT_DUE),
    ]
    assert endpointer.started_s == pytest.approx(2 * STEP_S)
    assert endpointer.onset_s == pytest.approx(12 * STEP_S)
    assert not endpointer.in_turn


def test_a_click_opens_no_turn(endpointer: Endpointer) -> None:
    assert run(endpointer, "..xx....x..xx...") == []


def test_speech_before_the_commit_resumes_the_same_turn(endpointer: Endpointer) -> None:
    found = run(endpointer, "x" * 10 + "." * 15 + "x" * 6 + "." * 30)
    assert [boundary for _, boundary in found] == [
        Boundary.TURN_STARTED,
        Boundary.PAUSE_STARTED,
        Boundary.SPEECH_RESUMED,
        Boundary.PAUSE_STARTED,
        Boundary.COMMIT_DUE,
    ]


def test_a_click_in_a_pause_neither_resumes_nor_delays_the_commit(endpointer: Endpointer) -> None:
    quiet = run(endpointer, "x" * 10 + "." * 30)
    endpointer.reset()
    clicked = run(endpointer, "x" * 10 + "....x......" + "." * 19)
    assert clicked == quiet


def test_a_shorter_commit_set_in_the_pause_holds_for_it(endpointer: Endpointer) -> None:
    run(endpointer, "x" * 10 + "...")
    endpointer.commit_ms = 320
    found = [endpointer.update((13 + i) * STEP_S, (14 + i) * STEP_S, False) for i in range(8)]
    assert found.index(Boundary.COMMIT_DUE) == 6


@given(st.text(alphabet="x.", max_size=300))
def test_boundaries_always_come_in_a_turns_order(flags: str) -> None:
    follows = {
        None: {Boundary.TURN_STARTED},
        Boundary.TURN_STARTED: {Boundary.PAUSE_STARTED},
        Boundary.PAUSE_STARTED: {Boundary.SPEECH_RESUMED, Boundary.COMMIT_DUE},
        Boundary.SPEECH_RESUMED: {Boundary.PAUSE_STARTED},
        Boundary.COMMIT_DUE: {Boundary.TURN_STARTED},
    }
    last = None
    for _, boundary in run(Endpointer(SpeechSettings(), commit_ms=704), flags):
        assert boundary in follows[last]
        last = boundary
