"""How often partial transcripts may be made, and which of their words are passed on."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.trigger.partials import LATE_S, PERIOD_S, SHARE, Budget, stable_prefix

WORDS = st.lists(st.sampled_from(["what", "is", "the", "the.", "weather"]), max_size=6)


@pytest.mark.parametrize(
    ("earlier", "later", "sure"),
    [
        ("", "What is", ""),
        ("What", "What is", ""),
        ("What is the.", "What is the weather?", "What"),
        ("What is the wet", "What is the weather like?", "What is"),
        ("What is the weather", "What is the weather", "What is the"),
        ("Water is", "What is", ""),
    ],
)
def test_the_last_common_word_is_not_sure(earlier: str, later: str, sure: str) -> None:
    assert stable_prefix(earlier, later) == sure


@given(WORDS, WORDS)
def test_a_stable_prefix_begins_both_and_is_shorter_than_either(
    earlier: list[str], later: list[str]
) -> None:
    sure = stable_prefix(" ".join(earlier), " ".join(later)).split()
    assert sure == earlier[: len(sure)] == later[: len(sure)]
    assert not sure or len(sure) < min(len(earlier), len(later))


@given(st.lists(st.floats(0.001, 5), min_size=2, max_size=30))
def test_partials_made_as_soon_as_allowed_take_their_share_at_most(costs: list[float]) -> None:
    budget, now_s, began_s, work_s = Budget(), 100.0, [], 0.0
    for cost in costs:
        while not budget.due(now_s, 0.0):
            now_s += 0.032
        began_s.append(now_s)
        budget.spent(now_s, now_s + cost)
        now_s, work_s = now_s + cost, work_s + cost
    while not budget.due(now_s, 0.0):
        now_s += 0.032
    assert work_s <= SHARE * (now_s - began_s[0]) + 1e-9
    gaps = [later - earlier for earlier, later in pairwise(began_s)]
    assert min(gaps) >= PERIOD_S - 1e-9


def test_an_engine_that_hears_late_makes_no_partials() -> None:
    budget = Budget()
    assert budget.due(100.0, LATE_S)
    assert not budget.due(100.0, LATE_S + 0.001)
