"""Checkpoints: everything the next step depends on, replaced whole."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from engine.errors import JobFailed


def write(path: Path, plan: Any, content: dict[str, Any]) -> None:
    """Store `content` beside the plan (a dataclass); what was there before stays until then.

    `JobFailed` when it cannot be written, and the file there before is still whole.
    """
    partial = path.with_suffix(".partial")
    try:
        with _signals_wait():
            with partial.open("wb") as file:
                torch.save({"plan": asdict(plan), **content}, file)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
    except (OSError, RuntimeError) as exc:  # torch's writer says RuntimeError
        partial.unlink(missing_ok=True)
        raise JobFailed(
            f"The checkpoint {path} cannot be written ({exc})", remedy="free disk space"
        ) from exc


@contextmanager
def _signals_wait() -> Iterator[None]:
    """Let a signal that asks for the end be handled when the block is left; main thread only.

    What its handler raises inside torch's writer would come out as torch's own error.
    """
    came: list[int] = []
    before = {}
    for name in ("SIGTERM", "SIGINT", "SIGBREAK"):
        if number := getattr(signal, name, None):
            before[number] = signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)


def read(path: Path, plan: Any) -> dict[str, Any]:
    """The content of a checkpoint of the same plan; `JobFailed` for any other.

    Only when it ends may be planned anew: `steps` of the plans may differ.
    """
    try:
        content: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
    except (OSError, RuntimeError, ValueError) as exc:
        raise JobFailed(
            f"The checkpoint {path} cannot be read ({exc})", remedy="train anew"
        ) from exc
    if {**content.pop("plan"), "steps": 0} != {**asdict(plan), "steps": 0}:
        raise JobFailed(f"The checkpoint {path} is of another training", remedy="train anew")
    return content
