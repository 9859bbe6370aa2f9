"""What every training shares: AdamW (Loshchilov & Hutter 2019), its rate, the examples' order.

Torch's own class brings a compiler along, which writes to disk.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

Tensor = Any  # torch.Tensor, whose types are not read

_WARM_UP, _LAST_RATE = 0.05, 0.05
"""Share of the steps over which the learning rate rises; what is left of it at the end."""
_CLIP = 1.0
"""Longest gradient."""
_BETAS, _EPS, _DECAY = (0.9, 0.95), 1e-8, 0.01
"""Norms do not decay."""


def update(
    weights: Mapping[str, Tensor],
    moments: Sequence[Mapping[str, Tensor]],
    *,
    step: int,
    rate: float,
) -> None:
    """One step, numbered from 1; gradients are used up and both `moments` carried on."""
    length = torch.stack([w.grad.norm() for w in weights.values()]).norm()
    shorter = min(1.0, _CLIP / float(length))
    with torch.no_grad():
        for name, w in weights.items():
            first, second = (moment[name] for moment in moments)
            gradient = w.grad * shorter
            first.lerp_(gradient, 1 - _BETAS[0])
            second.lerp_(gradient.square(), 1 - _BETAS[1])
            spread = (second / (1 - _BETAS[1] ** step)).sqrt_().add_(_EPS)
            if w.dim() > 1:
                w.mul_(1 - rate * _DECAY)
            w.addcdiv_(first, spread, value=-rate / (1 - _BETAS[0] ** step))
            w.grad = None


def learning_rate(highest: float, done: int, steps: int) -> float:
    """The rate after `done` of `steps` steps: a linear rise, then half a cosine down."""
    warm = max(1, round(_WARM_UP * steps))
    if done < warm:
        return highest * (done + 1) / warm
    share = (done - warm) / max(1, steps - warm)
    wave = (1 + math.cos(math.pi * min(share, 1.0))) / 2
    return highest * (_LAST_RATE + (1 - _LAST_RATE) * wave)


def chosen(count: int, step: int, batch: int, seed: int) -> list[int]:
    """The examples of a step: every one of `count` once an epoch, in an order of its own."""
    orders: dict[int, list[int]] = {}
    found = []
    for place in range(step * batch, (step + 1) * batch):
        epoch = place // count
        if epoch not in orders:
            orders[epoch] = np.random.default_rng((seed, epoch)).permutation(count).tolist()
        found.append(orders[epoch][place % count])
    return found
