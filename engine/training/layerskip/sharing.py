"""One training spread over several processes, as `torchrun` starts them.

Every process runs the same job on its share of each batch; sums and gradients are added up over
all of them, so that the weights stay the same everywhere. Alone, all of this does nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

import torch
from torch import distributed

from engine.errors import JobFailed
from engine.training.optimisation.base_model import Tensor

_PATIENCE = timedelta(hours=2)
"""How long one process waits for another, which may be measuring meanwhile."""


class Sharing:
    """This process's place among `size` ones."""

    def __init__(self, rank: int = 0, size: int = 1) -> None:
        self.rank, self.size = rank, size

    @property
    def first(self) -> bool:
        """Whether this is the process that writes and reports."""
        return self.rank == 0

    def share(self, batch: Sequence[int]) -> list[int]:
        """This process's part of a batch."""
        return list(batch[self.rank :: self.size])

    def total(self, values: Sequence[float]) -> list[float]:
        """Each value summed over all processes."""
        if self.size == 1:
            return list(values)
        sums = torch.tensor(values, dtype=torch.float64)
        if distributed.get_backend() == "nccl":
            sums = sums.cuda()
        distributed.all_reduce(sums)
        return [float(value) for value in sums.cpu()]

    def add_gradients(self, weights: Iterable[Tensor]) -> None:
        """Every gradient summed over all processes."""
        if self.size == 1:
            return
        gradients = [weight.grad for weight in weights]
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        distributed.all_reduce(flat)
        begin = 0
        for gradient in gradients:
            gradient.copy_(flat[begin : begin + gradient.numel()].view_as(gradient))
            begin += gradient.numel()


@contextmanager
def joined(device: str) -> Iterator[Sharing]:
    """This process among those that torchrun started with it; alone without torchrun."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        yield Sharing()
        return
    backend = "nccl" if device.startswith("cuda") else "gloo"
    try:
        distributed.init_process_group(backend, timeout=_PATIENCE)
    except (RuntimeError, ValueError) as exc:
        raise JobFailed(
            f"The {size} processes of this training cannot meet ({exc})",
            remedy="start them together with torchrun",
        ) from exc
    try:
        yield Sharing(distributed.get_rank(), size)
    finally:
        distributed.destroy_process_group()


def device(wanted: str) -> str:
    """`cpu`, or for `cuda` and, where torch has one, `auto` the GPU of this process."""
    found = torch.cuda.is_available()
    if wanted == "cpu" or (wanted == "auto" and not found):
        return "cpu"
    if not found:
        raise JobFailed("There is no GPU that torch can use", remedy="train on the cpu")
    number = int(os.environ.get("LOCAL_RANK", "0"))
    torch.cuda.set_device(number)
    return f"cuda:{number}"
