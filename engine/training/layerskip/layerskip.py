"""Job train-layerskip: early exits by layer dropout and a loss at several depths (the seed's §4).

Low-rank pairs are trained beside the base model's frozen weights, merged, and stored as a model of
its own. This module needs no torch, so that the catalogue can name the job without it.
"""

from __future__ import annotations

import importlib.util
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from engine import paths, settings
from engine.errors import JobFailed
from engine.records.folders import read_json, replace_json
from engine.records.runs import ActiveRun, find
from engine.speculation.quantising import FORMATS
from engine.store.fetching import locate

PLAN = "plan.json"
TEXT, REPLIES = "text", "replies"
"""What is learned from: people's words, or full depth's distribution on the model's own replies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What decides a run's weights, stored in its folder so that another can go on with it."""

    model: str
    """The GGUF file whose tokeniser, shape and, without `weights`, numbers are taken."""
    weights: str
    """A Hugging Face folder, or nothing."""
    corpora: list[str]
    chats: str
    exclude: list[str] | None
    """AMI meetings to leave out; None leaves out those that repeat an evaluation item."""
    objective: str
    replies: int
    makes: bool
    """Whether the conversations are this run's own, in the first of the folders."""
    folders: list[str]
    """Of runs with conversations."""
    steps: int
    batch: int
    tokens: int
    seed: int
    learning_rate: float
    rank: int
    alpha: float
    targets: list[str]
    exits: list[float]
    """Shares of the depth at which auxiliary exits lie."""
    exit_weight: float
    dropout: float
    ramp: float
    """Share of the steps over which dropout rises to its height."""

    def ending(self, steps: int) -> Request:
        """The same, ending after `steps` unless 0; dropout rises over as many as before."""
        if not steps:
            return self
        return replace(self, steps=steps, ramp=self.ramp * self.steps / steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a run is done, which decides nothing about its weights."""

    data: Path | None
    threads: int
    device: str
    checkpoint_steps: int
    validation_blocks: int
    prompts: int
    formats: list[str]
    earlier: Path | None


def run(
    job: ActiveRun,
    *,
    data: Path | None,
    model: Path | None,
    weights: Path | None,
    corpora: str,
    chats: Path | None,
    exclude: str,
    objective: str,
    replies: int,
    conversations: str,
    steps: int,
    batch: int,
    tokens: int,
    seed: int,
    learning_rate: float,
    rank: int,
    alpha: float,
    targets: str,
    exits: str,
    exit_weight: float,
    dropout: float,
    ramp: float,
    prompts: int,
    validation_blocks: int,
    formats: str,
    threads: int,
    device: str,
    checkpoint_steps: int,
    resume: str,
    end_at: int,
) -> dict[str, Any]:
    """Train, export, measure before and after.

    `resume` names a run to go on with, under its own parameters; only that it ends after
    `end_at` steps in all may be decided anew (0: it does not).

    Raises `JobFailed` without torch and for text that repeats an evaluation item,
    `DataUnavailable` without the corpora.
    """
    if importlib.util.find_spec("torch") is None:
        raise JobFailed(
            "Training needs torch, which is not installed",
            remedy="install it with `pip install 'pads-live[train]'`",
        )
    from engine.training.layerskip import layerskip_run

    earlier = find(paths.runs(), resume).folder if resume else None
    used = [str(find(paths.runs(), name).folder) for name in _parts(conversations)]
    request = (
        _recorded(earlier).ending(end_at)
        if earlier
        else Request(
            model=str(model or locate(settings.load(paths.settings_file()).decoder.model)),
            weights=str(weights or ""),
            corpora=_known(corpora, ("ami", "dailydialog"), "corpora"),
            chats=str(chats or ""),
            exclude=None if exclude == "auto" else _parts(exclude.replace("none", "")),
            objective=objective,
            replies=replies,
            makes=objective == REPLIES and not used,
            folders=used or [str(job.folder)],
            steps=steps,
            batch=batch,
            tokens=tokens,
            seed=seed,
            learning_rate=learning_rate,
            rank=rank,
            alpha=alpha,
            targets=_parts(targets),
            exits=shares(exits),
            exit_weight=exit_weight,
            dropout=dropout,
            ramp=ramp,
        )
    )
    manner = Manner(
        data=data,
        threads=threads,
        device=device,
        checkpoint_steps=checkpoint_steps,
        validation_blocks=validation_blocks,
        prompts=prompts,
        formats=_known(formats, tuple(FORMATS), "formats"),
        earlier=earlier,
    )
    if earlier and end_at:
        job.note(f"it ends after {end_at} steps, whatever was planned before")
    replace_json(job.folder / PLAN, asdict(request))
    result: dict[str, Any] = layerskip_run.go(job, request, manner)
    return result


def shares(text: str) -> list[float]:
    """Shares of the depth from percentages, `25,37.5,50`; `JobFailed` for anything else."""
    try:
        found = sorted({float(part) / 100 for part in text.split(",")})
    except ValueError:
        found = []
    if not found or not 0 < found[0] <= found[-1] < 1:
        raise JobFailed(
            f"The exits {text!r} are not percentages of the depth",
            remedy="give them as 25,37.5,50,62.5,75",
        )
    return found


def layers(exits: list[float], depth: int) -> tuple[int, ...]:
    """The layers at these shares of the depth, each within the model."""
    return tuple(sorted({min(max(round(share * depth), 1), depth - 1) for share in exits}))


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _known(text: str, known: tuple[str, ...], what: str) -> list[str]:
    found = _parts(text)
    if unknown := sorted(set(found) - set(known)):
        raise JobFailed(
            f"The {what} {', '.join(unknown)} are not known",
            remedy=f"choose among {', '.join(known)}",
        )
    return found


def _recorded(folder: Path) -> Request:
    try:
        return Request(**(read_json(folder / PLAN) or {}))
    except TypeError as exc:
        raise JobFailed(
            f"The run {folder.name} cannot be gone on with", remedy="start a new one"
        ) from exc
