"""How a decoder chooses tokens, greedily or by sampling, from what head and tail put out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.events import TokenOutcome
from engine.speculation import sampling, verifying
from engine.speculation.sampling import Distribution, Sampling
from engine.speculation.verifying import Verified

Floats = NDArray[np.float32]
Ids = NDArray[np.int32]


class Chooser(Protocol):
    """Chooses the tokens of one reply."""

    def token(self, logits: Floats) -> int:
        """The token full depth stands for, given its logits of shape [n_vocab]."""
        ...

    def draft(self, logits: Floats, ids: Ids) -> int:
        """The token the exit proposes; logits and the token ids they belong to, shape [n]."""
        ...

    def verify(self, draft: Sequence[int], logits: Floats) -> list[Verified]:
        """What is served after a draft, given full-depth logits of shape [drafts + 1, n_vocab]."""
        ...


Choosing = Callable[[Sequence[int]], Chooser]
"""Makes the chooser of a reply from the prompt's tokens."""


def by(how: Sampling) -> Choosing:
    """Greedy choice or sampling, as `how` says."""
    return lambda prompt: Greedy() if how.greedy else Sampled(how, prompt)


class Greedy:
    """Always the most probable token."""

    def token(self, logits: Floats) -> int:
        """The most probable token."""
        return int(logits.argmax())

    def draft(self, logits: Floats, ids: Ids) -> int:
        """The most probable of the tokens that may be drafted."""
        return int(ids[logits.argmax()])

    def verify(self, draft: Sequence[int], logits: Floats) -> list[Verified]:
        """The drafts that full depth would have chosen as well, and one token of its own."""
        return verifying.served(draft, [int(token) for token in logits.argmax(axis=1)])


class Sampled:
    """Sampling with speculative rejection (`sampling.verify`).

    The random numbers follow from the seed and the prompt alone: the same prompt decoded with
    the same draft length gives the same reply, whatever was speculated or discarded before.
    """

    def __init__(self, how: Sampling, prompt: Sequence[int]) -> None:
        self._how = how
        self._random = np.random.default_rng([how.seed, *prompt])
        self._drafted: list[tuple[Distribution, Ids]] = []

    def token(self, logits: Floats) -> int:
        """A token drawn from full depth's distribution."""
        return sampling.draw(sampling.distribution(logits, self._how), self._random.random())

    def draft(self, logits: Floats, ids: Ids) -> int:
        """A token drawn from the exit's distribution, which is remembered for `verify`."""
        proposal = sampling.distribution(logits, self._how)
        self._drafted.append((proposal, ids))
        return int(ids[sampling.draw(proposal, self._random.random())])

    def verify(self, draft: Sequence[int], logits: Floats) -> list[Verified]:
        """Kept drafts and one more token, together distributed as full depth's own.

        Drafts that were looked up rather than drawn count as drawn with certainty.
        """
        proposals = [_spread(*drafted, logits.shape[1]) for drafted in self._drafted]
        proposals = proposals or [_certain(token, logits.shape[1]) for token in draft]
        self._drafted.clear()
        targets = [sampling.distribution(row, self._how) for row in logits]
        verdict = sampling.verify(draft, proposals, targets, self._random)
        last = TokenOutcome.CORRECTED if verdict.kept < len(draft) else TokenOutcome.DEEP
        kept = [Verified(token, TokenOutcome.KEPT) for token in draft[: verdict.kept]]
        return [*kept, Verified(verdict.token, last)]


def _spread(proposal: Distribution, ids: Ids, vocabulary: int) -> Distribution:
    """A distribution over some tokens as one over the whole vocabulary."""
    whole = np.zeros(vocabulary)
    whole[ids] = proposal
    return whole


def _certain(token: int, vocabulary: int) -> Distribution:
    whole = np.zeros(vocabulary)
    whole[token] = 1.0
    return whole
