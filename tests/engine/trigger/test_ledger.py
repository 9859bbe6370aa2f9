"""Every deep millisecond is hidden, visible or wasted, and they add up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.trigger.ledger import Ledger


def test_a_step_that_straddles_the_commit_is_split() -> None:
    ledger = Ledger()
    ledger.start(1, turn=1, speculative=True)
    ledger.worked(1, 10.0, 10.1)
    ledger.worked(1, 10.1, 10.3)
    ledger.commit(1, 10.15)
    account = ledger.turn(1)
    assert account.hidden_ms == pytest.approx(150)
    assert account.visible_ms == pytest.approx(150)
    assert account.wasted_ms == 0


def test_discarded_work_is_wasted_even_when_it_is_reported_late() -> None:
    ledger = Ledger()
    ledger.start(1, turn=1, speculative=True)
    ledger.worked(1, 0.0, 0.1)
    ledger.discard(1)
    ledger.worked(1, 0.1, 0.12)
    assert ledger.turn(1).wasted_ms == pytest.approx(120)
    assert ledger.turn(1).extra_starts == 1


def test_a_decoding_restarted_after_the_commit_is_no_extra_start() -> None:
    ledger = Ledger()
    ledger.start(1, turn=1, speculative=False)
    ledger.discard(1)
    assert ledger.turn(1).extra_starts == 0


fates = st.sampled_from(["pending", "committed", "discarded"])
steps = st.lists(st.floats(0.001, 0.2), max_size=8)


@given(st.lists(st.tuples(steps, fates, st.floats(0, 2)), max_size=12))
def test_the_account_adds_up_to_the_decoders_clock(
    branches: list[tuple[list[float], str, float]],
) -> None:
    ledger, clock_ms = Ledger(), 0.0
    for number, (durations, fate, committed_s) in enumerate(branches):
        ledger.start(number, turn=number // 3, speculative=True)
        at_s = 0.0
        for duration in durations:
            ledger.worked(number, at_s, at_s + duration)
            at_s += duration
            clock_ms += duration * 1000
        if fate == "committed":
            ledger.commit(number, committed_s)
        if fate == "discarded":
            ledger.discard(number)
    total = ledger.totals()
    assert total.total_ms == pytest.approx(clock_ms)
    by_turn = [ledger.turn(turn).total_ms for turn in range(len(branches) // 3 + 1)]
    assert sum(by_turn) == pytest.approx(clock_ms)
    assert min(total.hidden_ms, total.visible_ms, total.wasted_ms, total.pending_ms) >= 0
