"""The measurement protocol: order, rounds left out, and what is no measurement."""

from __future__ import annotations

import math
import threading
from collections import Counter
from itertools import islice, pairwise

import pytest

from engine.errors import JobFailed
from engine.evaluation.measurement.protocol import Rules, balanced, measured, schedule

HASTY = Rules(cool_down_s=0.0)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8])
def test_every_candidate_stands_everywhere_and_follows_everyone_equally_often(size: int) -> None:
    orders = list(islice(balanced(size, seed=3), 2 * size))
    assert all(sorted(order) == list(range(size)) for order in orders)
    for place in range(size):
        assert set(Counter(order[place] for order in orders).values()) == {2}
    neighbours = Counter(pair for order in orders for pair in pairwise(order))
    assert len(neighbours) == size * (size - 1)
    assert set(neighbours.values()) <= {2}


def test_the_order_follows_from_the_seed() -> None:
    first, again, other = (list(islice(balanced(6, seed), 4)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_warm_up_and_discarded_rounds_are_run_and_left_out() -> None:
    slots = list(schedule("ab", 3, HASTY))
    assert [(s.round, s.kept) for s in slots[:4]] == [(-1, False)] * 2 + [(0, False)] * 2
    kept = [s for s in slots if s.kept]
    assert Counter((s.round, s.candidate) for s in kept) == Counter(
        (number, name) for number in range(3) for name in "ab"
    )
    assert len(slots) == 2 + 2 + 6


def test_without_warm_up_the_first_round_counts() -> None:
    slots = list(schedule("a", 2, Rules(warm_up=0, discarded=0, cool_down_s=0.0)))
    assert [(s.round, s.kept) for s in slots] == [(0, True), (1, True)]


class Rest(threading.Event):
    """Notes how long it is waited for, and does not wait."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout)
        return True


def test_the_machine_cools_down_between_rounds_and_not_within() -> None:
    rest = Rest()
    rules = Rules(warm_up=1, discarded=1, cool_down_s=7.0)
    rests = [len(rest.waits) for _ in schedule("ab", 2, rules, rest)]
    assert rests == [0, 0, 0, 0, 1, 1, 2, 2]
    assert rest.waits == [7.0, 7.0]


@pytest.mark.parametrize("value", [None, 0.0, -1.0, math.nan, math.inf])
def test_what_was_not_measured_is_never_returned(value: float | None) -> None:
    with pytest.raises(JobFailed, match=r"The speed was not measured[^:]*: a line\nthe log's end"):
        measured(value, "The speed", "a line\nthe log's end\n")
    assert measured(0.5, "The speed") == 0.5
