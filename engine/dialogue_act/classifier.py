"""Dialogue act of an utterance, and whether its answer needs depth (the seed's §5).

The arithmetic of scikit-learn's TfidfVectorizer(ngram_range=(1, 2)) and multinomial
LogisticRegression, in numpy: at run time neither scikit-learn nor scipy is imported, whose
loading alone would take longer than the whole start-up may.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.dialogue_act import weights as stored
from engine.errors import ModelUnavailable

ACTS: Final = ("inform", "question", "directive", "commissive")
"""DailyDialog's acts 1 to 4, in its order."""

DEEP_ACTS: Final = ("question", "directive")
"""The acts whose answers count as needing depth: a documented proxy, not a labelled fact."""

_DEEP = [ACTS.index(act) for act in DEEP_ACTS]
_TOKEN = re.compile(r"\b\w\w+\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Most probable act and its probability, P(deep), and all probabilities in `ACTS` order."""

    act: str
    p_act: float
    p_deep: float
    probabilities: tuple[float, ...]


def deep_probability(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(deep) = P(question) + P(directive), along the last axis (in `ACTS` order)."""
    deep: NDArray[np.float64] = probabilities[..., _DEEP].sum(axis=-1)
    return deep


class DialogueActClassifier:
    """Judges utterances with fitted weights."""

    def __init__(self, weights: stored.Weights) -> None:
        if weights.acts != ACTS:
            raise ModelUnavailable(
                f"The dialogue-act weights know the acts {weights.acts} instead of {ACTS}",
                remedy="train them anew with `pads job run train-dialogue-act --install`",
            )
        self._weights = weights
        self._rows = {word: row for row, word in enumerate(weights.words)}

    @classmethod
    def load(cls, folder: Path) -> DialogueActClassifier:
        """Classifier from a folder's files; `ModelUnavailable` when missing or altered."""
        return cls(stored.load(folder))

    def judge(self, text: str) -> Verdict:
        """Verdict on one utterance; without a known word, the acts' base rates decide."""
        probabilities = self.probabilities(text)
        best = int(probabilities.argmax())
        return Verdict(
            act=ACTS[best],
            p_act=float(probabilities[best]),
            p_deep=float(deep_probability(probabilities)),
            probabilities=tuple(probabilities.tolist()),
        )

    def probabilities(self, text: str) -> NDArray[np.float64]:
        """P(act), float64 [4] in `ACTS` order."""
        counts = self._counts(text)
        scores = self._weights.intercepts.copy()
        if counts:
            rows = np.fromiter(counts.keys(), np.intp, len(counts))
            values = np.fromiter(counts.values(), np.float64, len(counts))
            documents = self._weights.documents[rows]
            values *= np.log((1 + self._weights.texts) / (1.0 + documents)) + 1
            values /= math.sqrt(values @ values)
            scores += values @ self._weights.coefficients[rows].astype(np.float64)
        odds = np.exp(scores - scores.max())
        probabilities: NDArray[np.float64] = odds / odds.sum()
        return probabilities

    def _counts(self, text: str) -> Counter[int]:
        """How often each known n-gram of one or two words occurs, by row."""
        words = [self._rows.get(token) for token in _TOKEN.findall(text.lower())]
        counts = Counter(row for row in words if row is not None)
        codes = [
            first * len(self._rows) + second
            for first, second in pairwise(words)
            if first is not None and second is not None
        ]
        if codes:
            pairs = self._weights.pairs
            wanted = np.array(codes, np.uint32)
            places = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
            known = places[pairs[places] == wanted]
            counts.update((known + len(self._rows)).tolist())
        return counts
