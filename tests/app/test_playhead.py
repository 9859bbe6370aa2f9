"""The end of the time axis, with a clock that the test moves."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from app.playhead import Playhead

FRAME_S = 0.033


@given(st.lists(st.floats(0.0, 0.12), min_size=30, max_size=200))
def test_chunks_that_come_late_do_not_jerk_the_axis(lateness: list[float]) -> None:
    playhead, arrivals = Playhead(), []
    for i, late in enumerate(lateness):
        arrivals.append((i * 0.032 + late, (i + 1) * 0.032))
    positions = []
    for frame in range(int(len(lateness) * 0.032 / FRAME_S)):
        wall_s = frame * FRAME_S
        heard_s = max((end for at, end in arrivals if at <= wall_s), default=0.0)
        playhead.advance(heard_s, 100.0 + wall_s)
        positions.append(playhead.at_s)
    for before, after in itertools.pairwise(positions[2:]):
        assert -1e-9 <= after - before < 2 * FRAME_S
    assert abs(playhead.at_s - len(lateness) * 0.032) < 0.3


def test_the_axis_stands_when_nothing_is_heard() -> None:
    playhead = Playhead()
    assert playhead.advance(5.0, 1.0)
    for frame in range(30):
        playhead.advance(5.0, 1.0 + frame * FRAME_S)
    stood = playhead.at_s
    assert not playhead.advance(5.0, 3.0)
    assert playhead.at_s == stood
    assert abs(stood - 5.0) < 0.3


def test_the_first_moment_counts_from_nothing() -> None:
    playhead = Playhead()
    playhead.advance(0.03, 1000.0)
    assert 0.0 <= playhead.at_s <= 0.03


def test_another_source_starts_at_once() -> None:
    playhead = Playhead()
    playhead.advance(30.0, 1.0)
    assert playhead.advance(0.0, 1.03)
    assert playhead.at_s == 0.0
