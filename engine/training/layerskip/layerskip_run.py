"""What job train-layerskip does: text, training with checkpoints, export, before and after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from engine.records.runs import ActiveRun, RunDirectory
from engine.training.layerskip import hugging_face, merging, sharing
from engine.training.layerskip.layerskip import Manner, Request, layers
from engine.training.layerskip.layerskip_report import Trained, written
from engine.training.layerskip.layerskip_source import Material, material
from engine.training.layerskip.layerskip_training import Plan, Trainer, validation_loss
from engine.training.optimisation.base_model import BaseModel

CHECKPOINT = "checkpoint.pt"
_BEGIN, _END = 0.2, 0.8
"""Fractions of the job at which steps begin and end."""


def go(job: ActiveRun, request: Request, manner: Manner) -> dict[str, Any]:
    """The whole job; the result with every figure.

    Among several processes of one training, only the first exports and measures.
    """
    torch.set_num_threads(manner.threads)
    device = sharing.device(manner.device)
    with sharing.joined(device) as shared:
        weights = hugging_face.weights(Path(request.weights)) if request.weights else None
        model = BaseModel(Path(request.model), weights).to(device)
        found = material(job, model, request, manner, tells=shared.first)
        trainer = Trainer(model, found.source, _plan(request, model, found), shared)
        curve = _train(job, trainer, found, manner)
        if not shared.first:
            return {"trained_by": f"process {shared.rank} of {shared.size}; the first one reports"}
        exported = _export(job, request, trainer, weights, manner.formats)
        return written(job, request, manner, found, Trained(trainer.plan, curve, exported))


def _plan(request: Request, model: BaseModel, found: Material) -> Plan:
    return Plan(
        steps=request.steps,
        batch=request.batch,
        seed=request.seed,
        learning_rate=request.learning_rate,
        rank=request.rank,
        alpha=request.alpha,
        targets=tuple(request.targets),
        exits=layers(request.exits, model.shape.layers),
        exit_weight=request.exit_weight,
        dropout=request.dropout,
        ramp=round(request.ramp * request.steps),
        vocabulary=len(model.output),
        text=found.sha256,
    )


def _train(
    job: ActiveRun, trainer: Trainer, found: Material, manner: Manner
) -> list[dict[str, float]]:
    """To the plan's end; a line for each step, from the run gone on with too."""
    curve: list[dict[str, float]] = []
    target, steps = job.folder / CHECKPOINT, trainer.plan.steps
    if manner.earlier and (manner.earlier / CHECKPOINT).exists():
        trainer.load(manner.earlier / CHECKPOINT)
        curve = _earlier(manner.earlier, trainer.step)
        if trainer.sharing.first:
            job.note(f"going on after step {trainer.step} of the run {manner.earlier.name}")
            for line in curve:
                job.metric(**line)
            trainer.save(target)
    elif trainer.sharing.first:
        curve.append(_validated(job, trainer, found))
    while trainer.step < steps:
        job.phase("Training", _BEGIN + (_END - _BEGIN) * trainer.step / steps)
        line = trainer.advance()
        if not trainer.sharing.first:
            continue
        curve.append(line)
        job.metric(**line)
        if trainer.step % manner.checkpoint_steps == 0 or trainer.step == steps:
            trainer.save(target)
            curve.append(_validated(job, trainer, found))
    return curve


def _validated(job: ActiveRun, trainer: Trainer, found: Material) -> dict[str, float]:
    """Full-depth loss on held-out text, in nats a token."""
    losses = validation_loss(trainer.model, found.validation, trainer.pairs)
    line = {"step": trainer.step, "validation_loss": float(np.mean(losses))}
    job.metric(**line)
    return line


def _earlier(folder: Path, step: int) -> list[dict[str, float]]:
    return [
        {name: value for name, value in line.items() if name != "elapsed_s"}
        for line in RunDirectory(folder).metrics()
        if line.get("step", step + 1) <= step
    ]


def _export(
    job: ActiveRun,
    request: Request,
    trainer: Trainer,
    weights: dict[str, Any] | None,
    formats: list[str],
) -> dict[str, Path]:
    """The merged model in F16, and in each format made from that."""
    job.phase("Writing models", _END)
    scale = request.alpha / request.rank
    pairs = trainer.pairs.arrays()
    merging.store(job.folder, pairs, scale)
    base = Path(request.model)
    return merging.models(base, pairs, scale, job.folder, formats, weights)
