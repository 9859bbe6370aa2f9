"""Measurements in arrays, against the plain list they stand for."""

from hypothesis import given
from hypothesis import strategies as st

from engine.history.track import Track

INF = float("inf")


@given(
    st.lists(st.floats(0.01, 2.0), min_size=1, max_size=80),
    st.floats(0.5, 30.0),
    st.integers(2, 9),
)
def test_a_track_keeps_what_a_list_would(steps: list[float], keep_s: float, capacity: int) -> None:
    track, rows = Track(1, capacity), list[tuple[float, float]]()
    at_s = 0.0
    for i, step in enumerate(steps):
        at_s += step
        track.append(at_s, i)
        track.forget(at_s - keep_s)
        rows = [row for row in [*rows, (at_s, float(i))] if row[0] >= at_s - keep_s]
        assert len(track) == len(rows)
        assert [tuple(row) for row in track.between(-INF, INF)] == rows
    half, end = at_s - keep_s / 2, at_s - keep_s / 8
    assert [tuple(row) for row in track.between(half, end)] == [
        row for row in rows if half <= row[0] < end
    ]


def test_a_steady_stream_stays_in_the_memory_it_has() -> None:
    track = Track(1, 64)
    for i in range(10_000):
        track.append(float(i), 0.0)
        track.forget(i - 20.0)
    assert track._rows.shape == (64, 2)
