"""LayerSkip training (Elhoushi et al. 2024, arXiv:2404.16710) in low-rank pairs: the seed's §4.

Each step draws which layers run, later ones less often, and reads the states at several depths
through the one norm and head: the last layer that ran at every position, fixed exits before it
at every fourth one. The mask is drawn for a batch, not for each of its rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from engine.errors import JobFailed
from engine.training.layerskip.low_rank import Pairs
from engine.training.layerskip.sharing import Sharing
from engine.training.optimisation import checkpoints, exit_loss, optimising
from engine.training.optimisation.base_model import (
    BaseModel,
    Tensor,
    causal,
    layer,
    rms_norm,
    rotary,
)
from engine.training.optimisation.exit_loss import Wanted

EVERY = 4
"""Of the positions, one in so many is scored at an auxiliary exit."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What decides a training: the same plan and text give the same weights."""

    steps: int
    batch: int
    """Blocks or conversations a step, over all processes."""
    seed: int
    learning_rate: float
    rank: int
    alpha: float
    targets: tuple[str, ...]
    exits: tuple[int, ...]
    exit_weight: float
    """Weight of each auxiliary exit; the last layer that runs has 1."""
    dropout: float
    """Share of steps in which the last layer is left out, once the ramp is over."""
    ramp: int
    """Steps over which dropout rises from nothing to that."""
    vocabulary: int
    text: str
    """sha256 of what is learned from."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Tokens [rows, n] and which positions are scored [rows, n]."""

    tokens: Tensor
    scored: Tensor
    wanted: Wanted
    """For the scored positions, row by row."""


class Source(Protocol):
    """Where batches come from."""

    def __len__(self) -> int: ...

    def batch(self, numbers: Sequence[int]) -> Batch:
        """These examples side by side."""


class Blocks:
    """Blocks of text, each token predicted from those before it."""

    def __init__(self, model: BaseModel, tokens: NDArray[np.int32]) -> None:
        """`tokens` has shape [blocks, n + 1]."""
        self._model, self._tokens = model, tokens

    def __len__(self) -> int:
        return len(self._tokens)

    def batch(self, numbers: Sequence[int]) -> Batch:
        """These blocks; every position is scored."""
        device = self._model.output.device
        tokens = torch.from_numpy(self._tokens[list(numbers)]).long().to(device)
        wanted = exit_loss.next_tokens(tokens[:, 1:].flatten(), self._model.output)
        inputs = tokens[:, :-1]
        return Batch(inputs, torch.ones_like(inputs, dtype=torch.bool), wanted)


class Trainer:
    """Pairs, their optimiser's state and the next step's number."""

    def __init__(
        self, model: BaseModel, source: Source, plan: Plan, sharing: Sharing | None = None
    ) -> None:
        """Every process of a `sharing` gets the same arguments."""
        self.sharing = sharing or Sharing()
        if self.sharing.size > plan.batch:
            raise JobFailed(
                f"A batch of {plan.batch} cannot be shared by {self.sharing.size} processes",
                remedy="raise the batch",
            )
        self.plan, self.step = plan, 0
        self.model, self._source = model, source
        self.pairs = Pairs(
            model, rank=plan.rank, alpha=plan.alpha, targets=plan.targets, seed=plan.seed
        )
        self._moments = [
            {name: torch.zeros_like(w) for name, w in self.pairs.weights.items()} for _ in range(2)
        ]

    def advance(self) -> dict[str, float]:
        """One step; loss in nats a position and greedy agreement before it, by depth.

        `loss_last` is that of the last layer that ran, `depth`; `loss` is what was minimised.
        """
        plan, sharing = self.plan, self.sharing
        chosen = optimising.chosen(len(self._source), self.step, plan.batch, plan.seed)
        batch = self._source.batch(sharing.share(chosen))
        runs = running(self.model.shape.layers, plan, self.step)
        losses, agreed, counts = self._backward(batch, runs)
        sharing.add_gradients(self.pairs.weights.values())
        rate = optimising.learning_rate(plan.learning_rate, self.step, plan.steps)
        self.step += 1
        optimising.update(self.pairs.weights, self._moments, step=self.step, rate=rate)
        depth = _depth(runs)
        names = ["last" if number == depth else str(number) for number in losses]
        sums = sharing.total([*losses.values(), *agreed.values()])
        means = [value / count for value, count in zip(sums, [*counts] * 2, strict=True)]
        weights = [1.0 if name == "last" else plan.exit_weight for name in names]
        record: dict[str, float] = {
            "step": self.step,
            "learning_rate": rate,
            "layers_run": sum(runs),
            "depth": depth,
            "loss": sum(w * mean for w, mean in zip(weights, means[: len(names)], strict=True)),
        }
        record |= {f"loss_{n}": mean for n, mean in zip(names, means, strict=False)}
        agreements = means[len(names) :]
        return record | {f"agreement_{n}": a for n, a in zip(names, agreements, strict=True)}

    def _backward(
        self, batch: Batch, runs: Sequence[bool]
    ) -> tuple[dict[int, float], dict[int, int], list[float]]:
        """Gradients of this process's share of the mean loss; sums by depth, and counts of all."""
        plan, model = self.plan, self.model
        depth = _depth(runs)
        read = {number: EVERY for number in plan.exits if number < depth} | {depth: 1}
        states = states_of(model, batch.tokens, runs, read, self.pairs)
        places = batch.scored.flatten().nonzero()[:, 0]
        count = len(places)
        parts = {n: torch.arange(0, count, e, device=places.device) for n, e in read.items()}
        counts = self.sharing.total([float(len(part)) for part in parts.values()])
        losses, agreed, hidden, gradients = {}, {}, [], []
        for (number, part), scored in zip(parts.items(), counts, strict=True):
            x = rms_norm(states[number].flatten(0, 1)[places[part]], model.norm, model.shape.eps)
            losses[number], agreed[number], gradient = exit_loss.compare(
                x, batch.wanted[part], model.output
            )
            weight = 1.0 if number == depth else plan.exit_weight
            hidden.append(x)
            gradients.append(gradient * (weight / scored))
        torch.autograd.backward(hidden, gradients)
        for w in self.pairs.weights.values():
            if w.grad is None:  # its layer did not run
                w.grad = torch.zeros_like(w)
        return losses, agreed, counts

    def save(self, path: Path) -> None:
        """Store everything the next step depends on; the file there before stays until then."""
        content = {
            "step": self.step,
            "pairs": {name: w.detach() for name, w in self.pairs.weights.items()},
            "moments": self._moments,
        }
        checkpoints.write(path, self.plan, content)

    def load(self, path: Path) -> None:
        """Go on from a checkpoint of the same plan; `JobFailed` for any other."""
        content = checkpoints.read(path, self.plan)
        self.step = content["step"]
        self.pairs.load(content["pairs"])
        for moment, stored in zip(self._moments, content["moments"], strict=True):
            for name, value in moment.items():
                value.copy_(stored[name])


def running(layers: int, plan: Plan, step: int) -> list[bool]:
    """Which layers run in a step: the first always, the last with 1 - dropout, linear between."""
    grown = min(1.0, step / plan.ramp) if plan.ramp else 1.0
    rates = np.linspace(0.0, plan.dropout, layers) * grown
    chances = np.random.default_rng((plan.seed, step, layers)).random(layers)
    return [bool(chance >= rate) for chance, rate in zip(chances, rates, strict=True)]


def states_of(
    model: BaseModel,
    tokens: Tensor,
    runs: Sequence[bool],
    read: Mapping[int, int],
    pairs: Pairs | None = None,
) -> dict[int, Tensor]:
    """States [rows, n, width] after each depth in `read`, of the layers that run."""
    x, found = model.embeddings[tokens], {}
    rope = rotary(model.shape, torch.arange(tokens.shape[1], device=tokens.device))
    for number, (runs_now, weights) in enumerate(zip(runs, model.layers, strict=True)):
        if runs_now:
            project = pairs.project(number) if pairs else None
            x = layer(model.shape, weights, x, rope, causal, project)
        if number + 1 in read:
            found[number + 1] = x
    return found


def validation_loss(model: BaseModel, source: Source, pairs: Pairs | None = None) -> list[float]:
    """Full-depth loss of each example in nats a position, without dropout; no gradient."""
    depth, found = model.shape.layers, []
    with torch.no_grad():
        for number in range(len(source)):
            one = source.batch([number])
            states = states_of(model, one.tokens, [True] * depth, {depth: 1}, pairs)[depth]
            x = rms_norm(states[one.scored], model.norm, model.shape.eps)
            loss, _, _ = exit_loss.compare(x, one.wanted, model.output)
            found.append(loss / len(x))
    return found


def _depth(runs: Sequence[bool]) -> int:
    """The number of the last layer that runs, from 1."""
    return max(number for number, runs_now in enumerate(runs, start=1) if runs_now)
