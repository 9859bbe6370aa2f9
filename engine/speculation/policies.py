"""Exit policies: which positions are computed at full depth (the seed's §6).

Pure decision functions without model state. `Verified` drafts and checks every token, so it
serves the full model's tokens; the others trade depth for agreement and are lossy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class ExitPolicy(Protocol):
    """Decides position by position; `name` for records, `lossless` for the window."""

    @property
    def name(self) -> str:
        """Name in records."""
        ...

    @property
    def lossless(self) -> bool:
        """Whether what is served equals the full model's output."""
        ...

    def deep(self, exit_logits: NDArray[np.float32], p_deep: float) -> bool:
        """Whether this position needs the deep layers.

        `exit_logits`: the exit layer's logits, shape [n_vocab]; `p_deep`: the dialogue-act
        classifier's P(deep) of the turn being answered.
        """
        ...


@dataclass(frozen=True, slots=True)
class Verified:
    """Every token is confirmed by the deep layers: lossless, the default."""

    name: str = "verified"
    lossless: bool = True

    def deep(self, exit_logits: NDArray[np.float32], p_deep: float) -> bool:
        """Always."""
        return True


@dataclass(frozen=True, slots=True)
class AlwaysDeep:
    """Full depth at every position: the oracle of the matched-compute comparison."""

    name: str = "always-deep"
    lossless: bool = True

    def deep(self, exit_logits: NDArray[np.float32], p_deep: float) -> bool:
        """Always."""
        return True


@dataclass(frozen=True, slots=True)
class AlwaysShallow:
    """The exit layer's own token at every position: the other reference."""

    name: str = "always-shallow"
    lossless: bool = False

    def deep(self, exit_logits: NDArray[np.float32], p_deep: float) -> bool:
        """Never."""
        return False


@dataclass(frozen=True, slots=True)
class TokenConfidence:
    """Deep when the exit layer's top probability is below `threshold`."""

    threshold: float = 0.5
    name: str = "token-confidence"
    lossless: bool = False

    def deep(self, exit_logits: NDArray[np.float32], p_deep: float) -> bool:
        """Whether the exit layer is unsure of its token."""
        return top_probability(exit_logits) < self.threshold


@dataclass(frozen=True, slots=True)
class DialogueAct:
    """Deep for the whole reply when the turn's P(deep) reaches `threshold`."""

    threshold: float = 0.5
    name: str = "dialogue-act"
    lossless: bool = False

    def deep(self, exit_logits: NDArray[np.float32], p_deep: float) -> bool:
        """Whether the turn was judged to need depth."""
        return p_deep >= self.threshold


NAMES = ("verified", "token-confidence", "dialogue-act", "always-shallow", "always-deep")
"""Names of all policies, the lossless default first."""


def named(name: str, threshold: float) -> ExitPolicy:
    """The policy of this name; ValueError when there is none."""
    policies: dict[str, ExitPolicy] = {
        "verified": Verified(),
        "token-confidence": TokenConfidence(threshold),
        "dialogue-act": DialogueAct(threshold),
        "always-shallow": AlwaysShallow(),
        "always-deep": AlwaysDeep(),
    }
    if name not in policies:
        raise ValueError(f"no exit policy is called {name!r}")
    return policies[name]


def top_probability(logits: NDArray[np.float32]) -> float:
    """Softmax probability of the largest of `logits`, shape [n_vocab]."""
    scores = logits.astype(np.float64)
    return float(1.0 / np.exp(scores - scores.max()).sum())
