"""The loss of an exit against the next token or against the full-depth distribution, in chunks.

With states h read through the output matrix W and a wanted distribution p, cross-entropy is
lse(h·W) - h·(p·W), and its gradient in h is softmax(h·W)·W - p·W. Both are computed here by hand
for a fixed number of positions at a time, in float32: no logits are kept, so memory does not grow
with the number of positions by more than the states themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

Tensor = Any  # torch.Tensor, whose types are not read

CHUNK = 128
"""Positions whose logits exist at one time."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an exit should say at each position."""

    pulled: Tensor
    """p·W, shape [positions, width]."""
    best: Tensor
    """The most probable token, shape [positions]."""
    entropy: Tensor
    """Entropy of p in nats, shape [positions]: what no exit can get below."""

    def __getitem__(self, part: slice | Tensor) -> Wanted:
        """The same at some of the positions."""
        return Wanted(self.pulled[part], self.best[part], self.entropy[part])


def next_tokens(tokens: Tensor, output: Tensor) -> Wanted:
    """The tokens themselves, shape [positions], rows of `output` [n_vocab, width]."""
    return Wanted(output[tokens], tokens, torch.zeros(len(tokens), device=output.device))


def full_depth(normed: Tensor, output: Tensor) -> Wanted:
    """The distribution that full-depth states say, normed, shape [positions, width]."""
    parts = []
    with torch.no_grad():
        logits = _room(normed, output)
        for begin in range(0, len(normed), CHUNK):
            h = normed[begin : begin + CHUNK]
            probabilities, log_sum, best = _said(h, output, logits)
            pulled = probabilities @ output
            parts.append((pulled, best, log_sum - (h * pulled).sum(-1)))
    return Wanted(*(torch.cat(columns) for columns in zip(*parts, strict=True)))


def compare(hidden: Tensor, wanted: Wanted, output: Tensor) -> tuple[float, int, Tensor]:
    """Summed divergence in nats, how often the best tokens agree, and the sum's gradient.

    `hidden` are normed states [positions, width]; the gradient has their shape. For
    `next_tokens` the divergence is the cross-entropy.
    """
    loss, agreed, gradient = 0.0, 0, torch.empty_like(hidden)
    with torch.no_grad():
        logits = _room(hidden, output)
        for begin in range(0, len(hidden), CHUNK):
            part = slice(begin, begin + CHUNK)
            h, aim = hidden[part], wanted[part]
            said, log_sum, best = _said(h, output, logits)
            loss += float((log_sum - (h * aim.pulled).sum(-1) - aim.entropy).sum())
            agreed += int((best == aim.best).sum())
            gradient[part] = said @ output - aim.pulled
    return loss, agreed, gradient


def _room(states: Tensor, output: Tensor) -> Tensor:
    """The one place for logits: made anew for each chunk they would fragment the heap."""
    return torch.empty(min(CHUNK, len(states)), len(output), device=output.device)


def _said(h: Tensor, output: Tensor, logits: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Probabilities, the logarithm of the summed exponentials, and the most probable token.

    The probabilities stand in `logits` until the next call.
    """
    place = torch.mm(h, output.T, out=logits[: len(h)])
    highest, best = place.max(-1)
    place.sub_(highest[:, None]).exp_()
    total = place.sum(-1)
    return place.div_(total[:, None]), highest + total.log(), best
