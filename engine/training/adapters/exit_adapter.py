"""Job train-exit-adapter: one more decoder layer an exit, taught to say what full depth says.

As Kangaroo (Liu et al. 2024, arXiv:2404.18911): the served model is frozen and stays as it is,
bit for bit; only what the head proposes gets better. This module needs no torch, so that the
catalogue can name the job without it.
"""

from __future__ import annotations

import importlib.util
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine import paths
from engine.errors import JobFailed
from engine.records.folders import read_json, replace_json
from engine.records.runs import ActiveRun, find

_PLAN = "plan.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What decides a run's weights, stored in its folder so that another can go on with it."""

    exits: list[int]
    steps: int
    batch: int
    """Conversations a step."""
    tokens: int
    """Longest conversation."""
    replies: int
    ami_share: float
    """Of the replies, how many answer AMI's speakers instead of DailyDialog's."""
    seed: int
    learning_rate: float
    vocabulary: int
    """Tokens the loss tells apart, the most frequent ones; 0 for all."""
    makes: bool
    """Whether the conversations are this run's own, in the first of the folders."""
    folders: list[str]


def run(
    job: ActiveRun,
    *,
    data: Path | None,
    exits: str,
    steps: int,
    batch: int,
    tokens: int,
    replies: int,
    ami_share: float,
    seed: int,
    learning_rate: float,
    vocabulary: int,
    prompts: int,
    threads: int,
    checkpoint_steps: int,
    conversations: str,
    resume: str,
    keep_states: bool,
    install: bool,
) -> dict[str, Any]:
    """Make conversations, train, measure agreement on held-out prompts before and after.

    `conversations` names runs that kept their states, whose conversations are used instead of
    new ones; `resume` a run to go on with, whose parameters then hold. Raises `JobFailed`
    without torch, `DataUnavailable` without DailyDialog.
    """
    if importlib.util.find_spec("torch") is None:
        raise JobFailed(
            "Training needs torch, which is not installed",
            remedy="install it with `pip install 'pads-live[train]'`",
        )
    from engine.training.adapters import exit_adapter_run

    used = [str(find(paths.runs(), name).folder) for name in conversations.split(",") if name]
    earlier = find(paths.runs(), resume).folder if resume else None
    request = (
        _recorded(earlier)
        if earlier
        else Request(
            exits=numbers(exits),
            steps=steps,
            batch=batch,
            tokens=tokens,
            replies=replies,
            ami_share=ami_share,
            seed=seed,
            learning_rate=learning_rate,
            vocabulary=vocabulary,
            makes=not used,
            folders=used or [str(job.folder)],
        )
    )
    replace_json(job.folder / _PLAN, asdict(request))
    return exit_adapter_run.go(
        job,
        request,
        data=data,
        prompts=prompts,
        threads=threads,
        checkpoint_steps=checkpoint_steps,
        earlier=earlier,
        keep_states=keep_states,
        install=install,
    )


def numbers(text: str) -> list[int]:
    """Exit layers from `4,10,15`, ascending; `JobFailed` for anything else."""
    try:
        found = sorted({int(part) for part in text.split(",")})
    except ValueError:
        found = []
    if not found or found[0] < 1:
        raise JobFailed(f"The exits {text!r} are not layer numbers", remedy="give them as 4,10,15")
    return found


def _recorded(folder: Path) -> Request:
    try:
        return Request(**(read_json(folder / _PLAN) or {}))
    except TypeError as exc:
        raise JobFailed(
            f"The run {folder.name} cannot be gone on with", remedy="start a new one"
        ) from exc
