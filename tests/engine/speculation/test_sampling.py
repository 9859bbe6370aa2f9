"""Speculative sampling serves plain sampling's distribution."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine.speculation.sampling import (
    Distribution,
    Sampling,
    distribution,
    draw,
    residual,
    verify,
)

logit_rows = arrays(np.float32, 7, elements=st.floats(-8, 8, width=32))


def softmax(scores: np.ndarray) -> np.ndarray:
    weights = np.exp(scores.astype(np.float64) - scores.max())
    return weights / weights.sum()


@given(logit_rows, st.floats(0.2, 2.0))
def test_without_filters_it_is_the_tempered_softmax(logits: np.ndarray, heat: float) -> None:
    np.testing.assert_allclose(
        distribution(logits, Sampling(temperature=heat)), softmax(logits.astype(float) / heat)
    )


def test_each_filter_cuts_where_it_says() -> None:
    logits = np.log(np.array([0.5, 0.25, 0.15, 0.1], dtype=np.float32))
    k = distribution(logits, Sampling(temperature=1.0, top_k=2))
    np.testing.assert_allclose(k, [2 / 3, 1 / 3, 0, 0], rtol=1e-6)
    p = distribution(logits, Sampling(temperature=1.0, top_p=0.7))
    np.testing.assert_allclose(p, [2 / 3, 1 / 3, 0, 0], rtol=1e-6)
    m = distribution(logits, Sampling(temperature=1.0, min_p=0.29))
    np.testing.assert_allclose(m, [0.5 / 0.9, 0.25 / 0.9, 0.15 / 0.9, 0], rtol=1e-6)


@given(arrays(np.float32, 9, elements=st.sampled_from([-1.0, 0.0, 0.5, 2.0])), st.integers(1, 9))
def test_of_equals_at_the_cut_the_first_stay(logits: np.ndarray, top_k: int) -> None:
    kept = np.flatnonzero(distribution(logits, Sampling(temperature=1.0, top_k=top_k)))
    assert set(kept) == set(np.argsort(-logits, kind="stable")[:top_k])


def test_greedy_is_the_first_of_the_largest() -> None:
    assert draw(distribution(np.array([1, 3, 3, 0], np.float32), Sampling()), 0.999) == 1


def served_exactly(q: list[Distribution], p: list[Distribution]) -> np.ndarray:
    """Distribution of the first two served tokens after one draft token, by enumeration."""
    size = len(p[0])
    joint = np.zeros((size, size))
    for token in range(size):
        accept = min(1.0, p[0][token] / q[0][token]) if q[0][token] > 0 else 0.0
        joint[token] += q[0][token] * accept * p[1]
        # A rejection serves the residual's token; the next token then comes from a later round.
        joint += q[0][token] * (1 - accept) * np.outer(residual(p[0], q[0]), p[1])
    return joint


@given(logit_rows, logit_rows, logit_rows)
def test_by_enumeration_the_served_distribution_is_the_targets(
    drafted: np.ndarray, first: np.ndarray, second: np.ndarray
) -> None:
    q, p = [softmax(drafted)], [softmax(first), softmax(second)]
    np.testing.assert_allclose(served_exactly(q, p), np.outer(p[0], p[1]), atol=1e-12)


@pytest.mark.parametrize("greedy_draft", [False, True])
def test_the_function_itself_draws_the_targets_distribution(greedy_draft: bool) -> None:
    random = np.random.default_rng(7)
    p = [softmax(random.normal(0, 1.5, 4)) for _ in range(3)]
    q = [softmax(random.normal(0, 1.5, 4)) for _ in range(2)]
    if greedy_draft:
        q = [np.eye(4)[int(row.argmax())] for row in q]
    rounds = 40_000
    counts = np.zeros((4, 4))
    for _ in range(rounds):
        draft = [draw(row, random.random()) for row in q]
        result = verify(draft, q, p, random)
        served = [*draft[: result.kept], result.token]
        if len(served) < 2:
            served.append(draw(p[1], random.random()))
        counts[served[0], served[1]] += 1
    expected = np.outer(p[0], p[1]) * rounds
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    assert chi_square < 37.7  # 15 degrees of freedom, p = 0.001


def test_accepting_too_much_would_be_noticed() -> None:
    p, q = np.array([0.7, 0.3]), np.array([0.3, 0.7])
    careless = np.zeros(2)
    for token in product(range(2)):
        careless[token] += q[token]  # every draft kept
    assert abs(careless - p).max() > 0.1
    np.testing.assert_allclose(served_exactly([q], [p, p]).sum(axis=1), p)
