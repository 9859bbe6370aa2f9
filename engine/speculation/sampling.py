"""Sampling, and speculative rejection sampling that leaves the served distribution unchanged.

Distributions are float64 arrays over the vocabulary, shape [n_vocab], summing to 1. Filters
apply in llama.cpp's usual order: top-k, top-p, min-p, then temperature scales what is left
(the temperature does not move the filters' cut, as there).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Distribution = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How tokens are chosen. `temperature` 0 is greedy; 0 or 1 switches a filter off."""

    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    seed: int = 42

    @property
    def greedy(self) -> bool:
        """Always the most probable token."""
        return self.temperature <= 0


def distribution(logits: NDArray[np.float32], how: Sampling) -> Distribution:
    """The distribution that plain sampling draws from, given logits of shape [n_vocab]."""
    if how.greedy:
        chosen = np.zeros(len(logits))
        chosen[int(logits.argmax())] = 1.0
        return chosen
    scores = logits.astype(np.float64)
    order = _descending(scores, how.top_k)
    probabilities = _softmax(scores[order])
    if how.top_p < 1.0:
        # The smallest set whose mass reaches top_p; the token that reaches it belongs to it.
        count = int(np.searchsorted(np.cumsum(probabilities), how.top_p)) + 1
        order = order[:count]
        probabilities = _softmax(scores[order])
    if how.min_p > 0.0:
        order = order[probabilities >= how.min_p * probabilities[0]]
    result = np.zeros(len(logits))
    result[order] = _softmax(scores[order] / how.temperature)
    return result


def _descending(scores: NDArray[np.float64], top_k: int) -> NDArray[np.intp]:
    """Indices of the `top_k` largest scores (0: of all), largest first, the first of equals first.

    Sorting a whole vocabulary takes as long as a step of a small model, so the rest is cut off
    before.
    """
    if not 0 < top_k < len(scores):
        return np.argsort(-scores, kind="stable")
    least = np.partition(scores, -top_k)[-top_k]
    candidates = np.flatnonzero(scores >= least)
    return candidates[np.argsort(-scores[candidates], kind="stable")][:top_k]


def draw(probabilities: Distribution, uniform: float) -> int:
    """The token at `uniform` (0..1) of the cumulative distribution."""
    cumulative = np.cumsum(probabilities)
    return int(np.searchsorted(cumulative, uniform * cumulative[-1], side="right"))


@dataclass(frozen=True, slots=True)
class Verification:
    """`kept` drafts stand; `token` follows them (a correction, or the bonus token)."""

    kept: int
    token: int


def verify(
    draft: Sequence[int],
    drafted: Sequence[Distribution],
    target: Sequence[Distribution],
    random: np.random.Generator,
) -> Verification:
    """Speculative rejection sampling (Leviathan et al. 2023, algorithm 1).

    `drafted[i]` is the distribution draft token i was drawn from, `target[i]` the full model's
    at the same place; `target` has one entry more, after the last draft. The kept drafts and
    the token after them are distributed as if drawn from the full model alone.
    """
    for i, token in enumerate(draft):
        p, q = target[i][token], drafted[i][token]
        if random.random() * q < p:
            continue
        return Verification(i, draw(residual(target[i], drafted[i]), random.random()))
    return Verification(len(draft), draw(target[len(draft)], random.random()))


def residual(target: Distribution, drafted: Distribution) -> Distribution:
    """What is left of the target after the draft's share: norm(max(0, p - q))."""
    left = np.maximum(target - drafted, 0.0)
    total = left.sum()
    # Nothing is left only when both agree up to rounding; then the target itself is right.
    return left / total if total > 0 else target


def _softmax(scores: NDArray[np.float64]) -> Distribution:
    weights = np.exp(scores - scores.max())
    total: Distribution = weights / weights.sum()
    return total
