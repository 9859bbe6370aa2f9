"""The fate of decoder work as the profiler shows it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import events
from engine.history.blocks import Fate, MarkKind
from engine.history.timeline import KEEP_S, Timeline


def started(branch: int, at_s: float, *, speculative: bool = True) -> events.BranchStarted:
    return events.BranchStarted(heard_s=at_s, turn=1, branch=branch, speculative=speculative)


def worked(branch: int, start_s: float, end_s: float, depth: str = "deep") -> events.DecoderWorked:
    return events.DecoderWorked(
        heard_s=end_s,
        turn=1,
        branch=branch,
        depth=depth,
        start_s=start_s,
        head_ms=(end_s - start_s) * 400,
        tail_ms=(end_s - start_s) * 600,
        tokens=1,
    )


def committed(at_s: float, *, from_branch: bool = True) -> events.TurnCommitted:
    return events.TurnCommitted(heard_s=at_s, turn=1, text="x", from_branch=from_branch)


def fates(timeline: Timeline) -> list[tuple[Fate, int]]:
    return [(work.fate, round(work.ms)) for work in timeline.work]


def feed(*facts: events.Event) -> Timeline:
    timeline = Timeline()
    for fact in facts:
        timeline.take(fact)
    return timeline


def test_work_is_undecided_until_the_turn_is_committed() -> None:
    timeline = feed(started(1, 1.0), worked(1, 1.0, 1.2))
    assert fates(timeline) == [(Fate.PENDING, 200)]
    timeline.take(committed(1.5))
    assert fates(timeline) == [(Fate.HIDDEN, 200)]
    timeline.take(worked(1, 1.6, 1.7))
    assert fates(timeline) == [(Fate.HIDDEN, 200), (Fate.VISIBLE, 100)]


def test_a_step_that_straddles_the_commit_is_cut_there() -> None:
    timeline = feed(started(1, 1.0), committed(1.1), worked(1, 1.0, 1.4))
    assert fates(timeline) == [(Fate.HIDDEN, 100), (Fate.VISIBLE, 300)]
    assert [work.end_s for work in timeline.work] == [1.1, 1.4]


def test_thrown_away_work_is_wasted_even_when_it_comes_late() -> None:
    timeline = feed(
        started(1, 1.0),
        worked(1, 1.0, 1.1),
        events.BranchDiscarded(heard_s=1.2, turn=1, branch=1, reason="speech went on"),
        worked(1, 1.1, 1.25),
    )
    assert fates(timeline) == [(Fate.WASTED, 250)]
    assert [mark.kind for mark in timeline.marks] == [MarkKind.DISCARD]


def test_decoding_that_began_at_the_commit_is_visible() -> None:
    timeline = feed(
        committed(1.0, from_branch=False), started(1, 1.0, speculative=False), worked(1, 1.0, 1.3)
    )
    assert fates(timeline) == [(Fate.VISIBLE, 300)]


def test_shallow_work_stays_shallow() -> None:
    timeline = feed(worked(7, 0.5, 0.6, "shallow"), started(1, 1.0), committed(2.0))
    assert fates(timeline) == [(Fate.SHALLOW, 100)]


@given(st.lists(st.floats(0.01, 0.3), min_size=1, max_size=20), st.floats(0.0, 4.0))
def test_no_millisecond_is_lost_or_invented(steps: list[float], commit_s: float) -> None:
    timeline = feed(started(1, 0.0))
    at_s = total = 0.0
    told = False
    for step in steps:
        if not told and at_s > commit_s:
            timeline.take(committed(commit_s))
            told = True
        timeline.take(worked(1, at_s, at_s + step))
        at_s, total = at_s + step + 0.02, total + step * 1000
    assert sum(work.ms for work in timeline.work) == pytest.approx(total)
    if told:
        for work in timeline.work:
            assert work.fate is (Fate.HIDDEN if work.end_s <= commit_s + 1e-9 else Fate.VISIBLE)


def test_the_past_is_forgotten_in_the_end() -> None:
    timeline = Timeline()
    for second in range(int(KEEP_S) + 100):
        timeline.take(
            events.AudioHeard(heard_s=float(second), low=0, high=0, p_speech=0, speech=False)
        )
        timeline.take(events.TurnEndEstimated(heard_s=float(second), p_end=0.0))
    assert len(timeline.audio) <= KEEP_S + 1
    assert len(timeline.turn_end) <= KEEP_S + 1


def test_another_source_starts_a_clean_axis() -> None:
    timeline = feed(started(1, 1.0), worked(1, 1.0, 1.1))
    timeline.take(events.SourceOpened(heard_s=0.0, name="x", kind="file", seconds=1.0))
    assert not timeline.work
    assert timeline.now_s == 0.0
