"""Low-rank pairs beside frozen matrices (LoRA, Hu et al. 2021): y = xWᵀ + (α / rank) · (xAᵀ)Bᵀ.

Twenty lines on this package's own layer loop: peft and transformers would bring a second model
of the same weights and nothing that is needed here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from engine.errors import JobFailed
from engine.training.optimisation.base_model import BaseModel, Project, Tensor

TARGETS = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
"""Matrices of a layer that can have a pair."""


class Pairs:
    """A and B of every target in every layer of `model`; only these are ever trained."""

    def __init__(
        self, model: BaseModel, *, rank: int, alpha: float, targets: Sequence[str], seed: int
    ) -> None:
        """A is uniform within ±1/√columns and B zero, so that the first step changes nothing."""
        if not set(targets) <= set(TARGETS) or not targets:
            raise JobFailed(
                f"The targets {', '.join(targets)} are not matrices of a layer",
                remedy=f"choose among {', '.join(TARGETS)}",
            )
        self._model, self._scale, self._targets = model, alpha / rank, frozenset(targets)
        self.weights: dict[str, Tensor] = {}
        chance = torch.Generator().manual_seed(seed)
        for number, layer in enumerate(model.layers):
            for name in sorted(self._targets):
                rows, columns = layer[name].shape
                bound = 1 / math.sqrt(columns)
                a = torch.empty(rank, columns).uniform_(-bound, bound, generator=chance)
                device = layer[name].device
                self.weights[f"{number}.{name}.a"] = a.to(device).requires_grad_()
                b = torch.zeros(rows, rank, device=device)
                self.weights[f"{number}.{name}.b"] = b.requires_grad_()

    def project(self, number: int) -> Project:
        """How layer `number`, from 0, multiplies by its matrices."""
        frozen = self._model.layers[number]

        def multiply(x: Tensor, name: str) -> Tensor:
            y = functional.linear(x, frozen[name])
            if name not in self._targets:
                return y
            a, b = (self.weights[f"{number}.{name}.{half}"] for half in "ab")
            return y + self._scale * functional.linear(functional.linear(x, a), b)

        return multiply

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The pairs by name, for `engine.training.layerskip.merging`."""
        return {name: w.detach().cpu().numpy() for name, w in self.weights.items()}

    def load(self, stored: dict[str, Any]) -> None:
        """Take over weights of the same names and shapes."""
        with torch.no_grad():
            for name, weight in self.weights.items():
                weight.copy_(stored[name])
