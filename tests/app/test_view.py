"""The stretch that is looked at, whatever is done to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.view import LEAST_S, MOST_S, View

MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("zoom"), st.floats(0.2, 5.0), st.floats(0.0, 1.0)),
        st.tuples(st.just("scroll"), st.floats(-50.0, 50.0), st.just(0.0)),
        st.tuples(st.just("fit"), st.floats(0.0, 90.0), st.floats(0.0, 9.0)),
        st.tuples(st.just("oldest"), st.just(0.0), st.just(0.0)),
    ),
    max_size=12,
)


def frozen(oldest_s: float = 0.0, newest_s: float = 100.0) -> View:
    view = View()
    view.bound(oldest_s, newest_s)
    view.freeze()
    return view


@given(MOVES, st.floats(1.0, 700.0))
def test_no_move_leads_out_of_what_is_kept(
    moves: list[tuple[str, float, float]], newest_s: float
) -> None:
    view = frozen(max(0.0, newest_s - 600.0), newest_s)
    for move, a, b in moves:
        match move:
            case "zoom":
                view.zoom(a, view.from_s + b * view.span_s)
            case "scroll":
                view.scroll(a)
            case "fit":
                view.fit(a, a + b)
            case "oldest":
                view.oldest()
        assert LEAST_S <= view.span_s <= MOST_S
        assert view.to_s <= newest_s
        assert view.from_s >= max(0.0, newest_s - 600.0) - 1e-6 or view.to_s == newest_s


@given(st.floats(0.5, 1.5), st.floats(0.0, 1.0))
def test_zooming_leaves_the_moment_under_the_pointer(factor: float, share: float) -> None:
    view = frozen()
    view.scroll(-40.0)
    around_s = view.from_s + share * view.span_s
    view.zoom(factor, around_s)
    assert view.from_s + share * view.span_s == pytest.approx(around_s)


def test_what_leaves_the_newest_moment_freezes_and_following_lets_go() -> None:
    view = View()
    view.bound(0.0, 50.0)
    view.zoom(0.5)
    view.scroll(1.0)
    assert not view.frozen
    view.scroll(-3.0)
    assert view.frozen
    view.bound(0.0, 60.0)
    assert view.to_s == 47.0
    view.follow()
    assert view.to_s == 60.0


def test_a_frozen_view_moves_on_only_when_its_past_is_forgotten() -> None:
    view = frozen()
    view.oldest()
    assert view.from_s == 0.0
    view.bound(30.0, 630.0)
    assert view.from_s == 30.0


def test_a_stretch_is_revealed_by_the_least_move() -> None:
    view = frozen()
    stood_s = view.from_s
    view.reveal(90.0, 91.0)
    assert view.from_s == stood_s
    view.reveal(10.0, 11.0)
    assert view.from_s <= 10.0
    assert view.to_s >= 11.0


def test_a_view_frozen_before_it_was_filled_stands_still() -> None:
    view = frozen(0.0, 2.0)
    view.bound(0.0, 5.0)
    assert view.to_s == 2.0
