"""Training exit adapters: one decoder layer an exit, on kept states, towards full depth.

The loss is the Kullback-Leibler divergence from the full-depth distribution, over the tokens a
draft may propose or all of them, at the positions where the model answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from engine.errors import JobFailed
from engine.speculation.adapter import LAYER_TENSORS
from engine.training.optimisation import checkpoints, exit_loss, optimising
from engine.training.optimisation.base_model import BaseModel, Tensor, causal, layer, rms_norm
from engine.training.optimisation.base_model import rotary as rotary_of
from engine.training.text.adapter_corpus import Corpus

OUTPUT_NORM = "output_norm"


@dataclass(frozen=True, slots=True)
class Plan:
    """What decides a training: the same plan and conversations give the same weights."""

    exits: tuple[int, ...]
    steps: int
    batch: int
    """Conversations a step."""
    seed: int
    learning_rate: float
    vocabulary: int
    """Tokens the loss tells apart."""


class Trainer:
    """Adapters, their optimiser's state and the next step's number."""

    def __init__(
        self,
        model: BaseModel,
        sources: Sequence[tuple[Corpus, Sequence[int]]],
        plan: Plan,
        tokens: NDArray[np.int32],
    ) -> None:
        """`sources` are corpora and which of their conversations to learn on.

        The loss tells `tokens` apart, shape [n]. Each adapter begins as a copy of the base
        model's last layer and output norm.
        """
        whole = len(tokens) == len(model.output)
        self._output = model.output if whole else model.output[torch.from_numpy(tokens).long()]
        self.plan, self.step = plan, 0
        self._model = model
        self._talks = [(corpus, number) for corpus, numbers in sources for number in numbers]
        if not self._talks:
            raise JobFailed("There are no conversations to learn on", remedy="raise replies")
        self.adapters = {exit_: _fresh(model) for exit_ in plan.exits}
        self._moments = [
            {exit_: {name: torch.zeros_like(w) for name, w in a.items()} for exit_, a in pairs}
            for pairs in (self.adapters.items(),) * 2
        ]

    def advance(self) -> dict[str, float]:
        """One step; the loss (nats a position) and greedy agreement by exit before it."""
        plan = self.plan
        chosen = optimising.chosen(len(self._talks), self.step, plan.batch, plan.seed)
        states, answering = self._batch(chosen)
        rope = rotary_of(self._model.shape, torch.arange(states.shape[1]))
        deepest = states[:, :, -1][answering]
        normed = rms_norm(deepest, self._model.norm, self._model.shape.eps)
        wanted = exit_loss.full_depth(normed, self._output)
        rate = optimising.learning_rate(plan.learning_rate, self.step, plan.steps)
        self.step += 1
        record = {"step": self.step, "learning_rate": rate, "positions": len(deepest)}
        for column, (exit_, adapter) in enumerate(self.adapters.items()):
            hidden = applied(self._model, adapter, states[:, :, column], rope)[answering]
            loss, agreed, gradient = exit_loss.compare(hidden, wanted, self._output)
            hidden.backward(gradient / len(hidden))
            moments = [moment[exit_] for moment in self._moments]
            optimising.update(adapter, moments, step=self.step, rate=rate)
            record[f"loss_{exit_}"] = loss / len(hidden)
            record[f"agreement_{exit_}"] = agreed / len(hidden)
        return record

    def save(self, path: Path) -> None:
        """Store everything the next step depends on; the file there before stays until then."""
        content = {
            "step": self.step,
            "adapters": {
                exit_: {name: w.detach() for name, w in adapter.items()}
                for exit_, adapter in self.adapters.items()
            },
            "moments": self._moments,
        }
        checkpoints.write(path, self.plan, content)

    def load(self, path: Path) -> None:
        """Go on from a checkpoint of the same plan; `JobFailed` for any other."""
        content = checkpoints.read(path, self.plan)
        self.step = content["step"]
        with torch.no_grad():
            for exit_, adapter in self.adapters.items():
                for name, weight in adapter.items():
                    weight.copy_(content["adapters"][exit_][name])
        self._moments = content["moments"]

    def _batch(self, chosen: Sequence[int]) -> tuple[Tensor, Tensor]:
        """States [batch, n, exits + 1, width] and answering positions [batch, n], zero-padded."""
        parts = []
        for number in chosen:
            corpus, talk = self._talks[number]
            rows = corpus.rows(talk)
            columns = [corpus.exits.index(exit_) for exit_ in self.plan.exits]
            parts.append((corpus.states[rows][:, [*columns, -1]], corpus.tokens["answering"][rows]))
        longest = max(len(answering) for _, answering in parts)
        states = torch.zeros(len(parts), longest, *parts[0][0].shape[1:])
        answers = torch.zeros(len(parts), longest, dtype=torch.bool)
        for row, (content, answering) in enumerate(parts):
            states[row, : len(content)] = torch.from_numpy(content.astype(np.float32))
            answers[row, : len(content)] = torch.from_numpy(answering)
        return states, answers


def applied(
    model: BaseModel, adapter: dict[str, Tensor], states: Tensor, rope: tuple[Tensor, Tensor]
) -> Tensor:
    """What the adapter makes of an exit's states [batch, n, width], normed for the output."""
    x = layer(model.shape, adapter, states, rope, causal)
    return rms_norm(x, adapter[OUTPUT_NORM], model.shape.eps)


def _fresh(model: BaseModel) -> dict[str, Tensor]:
    source = {**model.layers[-1], OUTPUT_NORM: model.norm}
    names = (*LAYER_TENSORS, OUTPUT_NORM)
    return {name: source[name].clone().requires_grad_() for name in names}


def arrays(adapter: dict[str, Tensor]) -> dict[str, NDArray[np.float32]]:
    """The adapter under GGUF's names: matrices [rows, width], norms [width]."""
    return {f"{name}.weight": w.detach().numpy() for name, w in adapter.items()}
