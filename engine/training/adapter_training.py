"""Training exit adapters: one decoder layer an exit, on kept states, towards full depth.

The loss is the Kullback-Leibler divergence from the full-depth distribution, over the tokens a
draft may propose or all of them, at the positions where the model answers. With logits h·W and
target p, it is lse(h·W) - h·(p·W) - H(p), and its gradient in h is softmax(h·W)·W - p·W:
computed here by hand in chunks, so memory does not grow with the number of positions and p·W
serves all exits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from engine.errors import JobFailed
from engine.speculation.adapter import LAYER_TENSORS
from engine.training.adapter_corpus import Corpus
from engine.training.base_model import BaseModel, Tensor, causal, layer, rms_norm
from engine.training.base_model import rotary as rotary_of

OUTPUT_NORM = "output_norm"
_CHUNK = 128
"""Positions whose logits exist at one time."""
_WARM_UP, _LAST_RATE = 0.05, 0.05
"""Share of the steps over which the learning rate rises; what is left of it at the end."""
_CLIP = 1.0
"""Longest gradient of an adapter."""
_BETAS, _EPS, _DECAY = (0.9, 0.95), 1e-8, 0.01
"""AdamW (Loshchilov & Hutter 2019); norms do not decay."""


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
        # AdamW's two moments. Torch's own class brings a compiler along, which writes to disk.
        self._moments = [
            {exit_: {name: torch.zeros_like(w) for name, w in a.items()} for exit_, a in pairs}
            for pairs in (self.adapters.items(),) * 2
        ]

    def advance(self) -> dict[str, float]:
        """One step; the loss (nats a position) and greedy agreement by exit before it."""
        states, answering = self._batch(self._chosen())
        rope = rotary_of(self._model.shape, torch.arange(states.shape[1]))
        hidden = []
        for column, adapter in enumerate(self.adapters.values()):
            x = applied(self._model, adapter, states[:, :, column], rope)
            hidden.append(x[answering])
        losses, agreed, gradients = self._compare(hidden, states[:, :, -1][answering])
        torch.autograd.backward(hidden, gradients)
        rate = self._rate()
        for exit_ in self.adapters:
            self._update(exit_, rate)
        self.step += 1
        record = {"step": self.step, "learning_rate": rate, "positions": len(hidden[0])}
        for number, exit_ in enumerate(self.plan.exits):
            record[f"loss_{exit_}"] = losses[number] / len(hidden[0])
            record[f"agreement_{exit_}"] = agreed[number] / len(hidden[0])
        return record

    def save(self, path: Path) -> None:
        """Store everything the next step depends on; the file there before stays until then."""
        content = {
            "plan": asdict(self.plan),
            "step": self.step,
            "adapters": {
                exit_: {name: w.detach() for name, w in adapter.items()}
                for exit_, adapter in self.adapters.items()
            },
            "moments": self._moments,
        }
        partial = path.with_suffix(".partial")
        try:
            torch.save(content, partial)
            partial.replace(path)
        except (OSError, RuntimeError) as exc:  # torch's writer says RuntimeError
            partial.unlink(missing_ok=True)
            raise JobFailed(
                f"The checkpoint {path} cannot be written ({exc})", remedy="free disk space"
            ) from exc

    def load(self, path: Path) -> None:
        """Go on from a checkpoint of the same plan; `JobFailed` for any other."""
        try:
            content: dict[str, Any] = torch.load(path, weights_only=True)
        except (OSError, RuntimeError, ValueError) as exc:
            raise JobFailed(
                f"The checkpoint {path} cannot be read ({exc})", remedy="train anew"
            ) from exc
        if content["plan"] != asdict(self.plan):
            raise JobFailed(f"The checkpoint {path} is of another training", remedy="train anew")
        self.step = content["step"]
        with torch.no_grad():
            for exit_, adapter in self.adapters.items():
                for name, weight in adapter.items():
                    weight.copy_(content["adapters"][exit_][name])
        self._moments = content["moments"]

    def _chosen(self) -> list[int]:
        """The conversations of this step: every one once an epoch, in an order of its own."""
        count, found = len(self._talks), []
        begin = self.step * self.plan.batch
        for place in range(begin, begin + self.plan.batch):
            chance = np.random.default_rng((self.plan.seed, place // count))
            found.append(int(chance.permutation(count)[place % count]))
        return found

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

    def _compare(
        self, hidden: Sequence[Tensor], deepest: Tensor
    ) -> tuple[list[float], list[int], list[Tensor]]:
        """Summed loss, agreements and gradient of the mean loss, by exit.

        `hidden` are normed states [positions, width]; `deepest` the last layer's, not normed.
        """
        output, shape = self._output, self._model.shape
        losses, agreed = [0.0] * len(hidden), [0] * len(hidden)
        gradients = [torch.empty_like(h) for h in hidden]
        with torch.no_grad():
            for begin in range(0, len(deepest), _CHUNK):
                part = slice(begin, begin + _CHUNK)
                normed = rms_norm(deepest[part], self._model.norm, shape.eps)
                wanted, log_sum, best = _softmax(normed @ output.T)
                pulled = wanted @ output
                negentropy = (normed * pulled).sum(-1) - log_sum
                for number, h in enumerate(hidden):
                    said, said_log_sum, said_best = _softmax(h[part] @ output.T)
                    loss = negentropy + said_log_sum - (h[part] * pulled).sum(-1)
                    losses[number] += float(loss.sum())
                    agreed[number] += int((said_best == best).sum())
                    gradients[number][part] = (said @ output - pulled) / len(deepest)
        return losses, agreed, gradients

    def _update(self, exit_: int, rate: float) -> None:
        """One step of AdamW; gradients are used up."""
        adapter, taken = self.adapters[exit_], self.step + 1
        length = torch.stack([w.grad.norm() for w in adapter.values()]).norm()
        shorter = min(1.0, _CLIP / float(length))
        with torch.no_grad():
            for name, w in adapter.items():
                first, second = (moment[exit_][name] for moment in self._moments)
                gradient = w.grad * shorter
                first.lerp_(gradient, 1 - _BETAS[0])
                second.lerp_(gradient.square(), 1 - _BETAS[1])
                spread = (second / (1 - _BETAS[1] ** taken)).sqrt_().add_(_EPS)
                if w.dim() > 1:
                    w.mul_(1 - rate * _DECAY)
                w.addcdiv_(first, spread, value=-rate / (1 - _BETAS[0] ** taken))
                w.grad = None

    def _rate(self) -> float:
        plan = self.plan
        warm = max(1, round(_WARM_UP * plan.steps))
        if self.step < warm:
            return plan.learning_rate * (self.step + 1) / warm
        done = (self.step - warm) / max(1, plan.steps - warm)
        wave = (1 + math.cos(math.pi * min(done, 1.0))) / 2
        return plan.learning_rate * (_LAST_RATE + (1 - _LAST_RATE) * wave)


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


def _softmax(logits: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Probabilities, the logarithm of the summed exponentials, and the most probable token."""
    highest, best = logits.max(-1)
    probabilities = torch.softmax(logits, -1)
    log_sum = highest - probabilities.gather(-1, best[:, None])[:, 0].log()
    return probabilities, log_sum, best


def arrays(adapter: dict[str, Tensor]) -> dict[str, NDArray[np.float32]]:
    """The adapter under GGUF's names: matrices [rows, width], norms [width]."""
    return {f"{name}.weight": w.detach().numpy() for name, w in adapter.items()}
