"""False cut-offs and delays by hand, and against a plain loop over policies."""

import numpy as np
import pytest

from engine.evaluation.turns import turn_policy
from engine.evaluation.turns.turn_policy import (
    GRID_S,
    LONGEST_S,
    POINTS,
    THRESHOLDS,
    WAITS_S,
    Spans,
)

SPANS = Spans(
    groups=np.array([0, 0, 1, 1, 1, 2]),
    ends_turn=np.array([False, True, False, False, True, True]),
    silence_s=np.array([0.5, 0.3, 0.15, 1.2, 9.0, 2.0]),
)


def test_holds_too_short_to_be_cut_off_do_not_count() -> None:
    assert SPANS.counted.tolist() == [True, True, False, True, True, True]
    assert SPANS.sizes.tolist() == [[1, 1], [1, 1], [0, 1]]


def test_a_fixed_silence_cuts_off_longer_holds_and_delays_every_end() -> None:
    found = turn_policy.silence_alone(SPANS)
    at = {wait: index for index, (_, wait, _) in enumerate(found.policies)}
    rate, delay = turn_policy.rates(
        found.cuts.sum(axis=0)[None],
        found.delays.sum(axis=0)[None],
        SPANS.sizes.sum(axis=0)[None],
    )
    assert rate[0, at[0.3]] == 1.0
    assert rate[0, at[0.5]] == 0.5  # a hold that lasts exactly so long is not cut off
    assert rate[0, at[1.2]] == 0.0
    assert delay[0] == pytest.approx(found.policies[:, 1])


def estimates(seed: int = 0) -> np.ndarray:
    chance = np.random.default_rng(seed)
    return np.sort(chance.random((len(SPANS.groups), len(GRID_S))), axis=1)


def test_operating_points_are_those_of_a_plain_loop() -> None:
    p_end = estimates()
    least = dict.fromkeys(POINTS, np.inf)
    for threshold in THRESHOLDS:
        for wait in WAITS_S:
            for longest in LONGEST_S:
                cuts, waited = 0, []
                for index in range(len(p_end)):
                    fired = next(
                        (
                            s
                            for s, p in zip(GRID_S, p_end[index], strict=True)
                            if s >= wait - 1e-9 and p >= threshold
                        ),
                        longest,
                    )
                    fired = min(fired, longest)
                    if SPANS.ends_turn[index]:
                        waited.append(fired)
                    elif SPANS.silence_s[index] >= 0.2:
                        cuts += SPANS.silence_s[index] > fired + 1e-9
                rate, delay = cuts / 2, float(np.mean(waited))
                for budget in (0.3, 0.6, 1.0):
                    if delay <= budget + 1e-9:
                        name = f"cut_offs_at_{budget * 1000:.0f}_ms"
                        least[name] = min(least[name], rate)
                for share in (0.05, 0.1):
                    if rate <= share:
                        name = f"delay_at_{share * 100:.0f}_percent_ms"
                        least[name] = min(least[name], 1000 * delay)
    found = turn_policy.sweep(SPANS, p_end)
    points = turn_policy.operating_points(
        found.cuts.sum(axis=0)[None],
        found.delays.sum(axis=0)[None],
        SPANS.sizes.sum(axis=0)[None],
    )
    assert dict(zip(POINTS, points[0], strict=True)) == pytest.approx(least)


def test_policies_left_out_are_best_for_no_group() -> None:
    p_end = estimates(1)
    kept = turn_policy.sweep(SPANS, p_end)
    assert len(kept.policies) < 500
    fire = np.minimum(np.where(p_end[:, [4]] >= 0.3, 0.5, np.inf), 1.0)
    cuts, delays = turn_policy.tally(SPANS, fire)
    dominated = (kept.cuts <= cuts).all(axis=0) & (kept.delays <= delays + 1e-9).all(axis=0)
    assert dominated.any()


def test_the_curve_falls_and_a_perfect_judge_is_at_its_corner() -> None:
    perfect = np.repeat(SPANS.ends_turn[:, None].astype(float), len(GRID_S), axis=1)
    found = turn_policy.sweep(SPANS, perfect)
    curve = turn_policy.frontier(found, SPANS.sizes)
    assert curve[0]["cut_offs"] == 0
    assert curve[0]["delay_ms"] == 200
    worse = turn_policy.frontier(turn_policy.sweep(SPANS, estimates()), SPANS.sizes)
    rates = [point["cut_offs"] for point in worse]
    delays = [point["delay_ms"] for point in worse]
    assert rates == sorted(rates, reverse=True)
    assert delays == sorted(delays)


def test_a_policy_is_not_chosen_on_the_group_it_is_told_for() -> None:
    spans = Spans(
        groups=np.array([0, 0, 1, 1]),
        ends_turn=np.array([False, True, False, True]),
        silence_s=np.array([0.6, 1.0, 2.2, 1.0]),
    )
    found = turn_policy.silence_alone(spans)
    cut, delay = turn_policy.transferred(found, spans.sizes, 0.05)
    # Group 1 gets the 0.6 s that suffice for group 0, and is cut off; group 0 gets 2.2 s.
    assert cut == 0.5
    assert delay == pytest.approx(1000 * (0.6 + 2.2) / 2)
