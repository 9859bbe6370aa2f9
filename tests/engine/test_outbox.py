"""The mailbox: events in order with counted losses, gauges newest only."""

from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st

from engine.events import Evidence, Problem, Reading, StateChanged, TurnState
from engine.outbox import Outbox


def problem(number: int) -> Problem:
    return Problem(heard_s=float(number), message=str(number))


def gauge(value: float) -> Reading:
    return Reading(value=value, unit="W", evidence=Evidence.MEASURED)


@given(capacity=st.integers(1, 20), batches=st.lists(st.integers(0, 30), max_size=8))
def test_events_keep_their_order_and_losses_are_counted(capacity: int, batches: list[int]) -> None:
    outbox = Outbox(capacity)
    posted = lost = 0
    for size in batches:
        sent = [problem(number) for number in range(posted, posted + size)]
        for event in sent:
            outbox.post(event)
        posted += size
        lost += max(0, size - capacity)
        events, _ = outbox.drain()
        assert events == sent[-capacity:] if size else not events
        assert outbox.lost == lost


def test_gauges_show_the_newest_of_each_type_once() -> None:
    outbox = Outbox()
    outbox.show(gauge(1.0))
    outbox.show(StateChanged(heard_s=0.0, turn=1, state=TurnState.PAUSING))
    outbox.show(gauge(2.0))
    _, gauges = outbox.drain()
    assert gauges[0] == gauge(2.0)
    assert len(gauges) == 2
    assert outbox.drain() == ([], [])


def test_gauges_never_push_events_out() -> None:
    outbox = Outbox(capacity=1)
    outbox.post(problem(1))
    for value in range(10):
        outbox.show(gauge(value))
    assert outbox.drain() == ([problem(1)], [gauge(9)])
    assert outbox.lost == 0


def test_wait_tells_whether_an_event_is_there() -> None:
    outbox = Outbox()
    outbox.show(gauge(1.0))
    assert not outbox.wait(0)  # gauges can wait
    outbox.post(problem(1))
    assert outbox.wait(0)
    assert outbox.wait(0)  # until it is drained
    outbox.drain()
    assert not outbox.wait(0)


def test_wait_ends_when_an_event_comes_from_another_thread() -> None:
    outbox = Outbox()
    poster = threading.Thread(target=outbox.post, args=(problem(1),))
    poster.start()
    assert outbox.wait(10)
    poster.join()


def test_nothing_is_lost_or_doubled_between_threads() -> None:
    outbox, count = Outbox(capacity=100_000), 2000

    def post(sender: int) -> None:
        for number in range(count):
            outbox.post(Problem(heard_s=float(number), message=str(sender)))

    posters = [threading.Thread(target=post, args=(sender,)) for sender in range(4)]
    for poster in posters:
        poster.start()
    received = []
    while any(poster.is_alive() for poster in posters):
        received += outbox.drain()[0]
    received += outbox.drain()[0]
    for sender in range(4):
        mine = [e.heard_s for e in received if isinstance(e, Problem) and e.message == str(sender)]
        assert mine == list(range(count))
