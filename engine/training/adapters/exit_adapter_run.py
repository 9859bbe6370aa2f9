"""What job train-exit-adapter does: conversations, training, measuring, adapters, report."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from engine import settings
from engine.errors import JobFailed
from engine.records.folders import read_json, replace_json
from engine.records.runs import ActiveRun
from engine.speculation import adapter, frequent, llama
from engine.store.fetching import locate
from engine.training.adapters import exit_adapter_report, exit_adapter_sources, exit_agreement
from engine.training.adapters.adapter_people import read
from engine.training.adapters.adapter_training import Plan, Trainer, arrays
from engine.training.adapters.exit_adapter import Request
from engine.training.adapters.exit_adapter_sources import Sources
from engine.training.adapters.exit_agreement import Item
from engine.training.optimisation.base_model import BaseModel
from engine.training.text import adapter_corpus, holding

CHECKPOINT, ITEMS = "checkpoint.pt", "held_out.json"


def go(
    job: ActiveRun,
    request: Request,
    *,
    data: Path | None,
    prompts: int,
    threads: int,
    checkpoint_steps: int,
    earlier: Path | None,
    keep_states: bool,
    install: bool,
) -> dict[str, Any]:
    """The whole job; the result with every figure. `earlier` holds a checkpoint to start from."""
    torch.set_num_threads(threads)
    path = locate(settings.DecoderSettings().model)
    job.phase("Reading corpora", 0.0)
    people = read(data)
    job.phase("Answering held-out prompts", 0.02)
    items = _items(job, path, people.test[:prompts], threads, earlier)
    model = BaseModel(path)
    if max(request.exits) >= model.shape.layers:
        raise JobFailed(
            f"The exits {request.exits} are not within the {model.shape.layers} layers",
            remedy=f"give numbers from 1 to {model.shape.layers - 1}",
        )
    sources, leaks = exit_adapter_sources.found(job, path, model, people, request, items)
    trainer = _trainer(path, model, sources, request)
    if earlier and (earlier / CHECKPOINT).exists():
        trainer.load(earlier / CHECKPOINT)
        job.note(f"going on after step {trainer.step} of the run {earlier.name}")
    curve = _train(job, trainer, checkpoint_steps)
    sha256 = holding.identity(path)
    for exit_, trained in trainer.adapters.items():
        file = job.folder / f"exit-{exit_}.gguf"
        adapter.write(file, arrays(trained), base=path, sha256=sha256, exit_layer=exit_)
        if install:
            adapter.installed().mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, adapter.installed() / f"{path.stem}-{file.name}")
    tallies = exit_agreement.measure(
        model,
        items,
        request.exits,
        lambda done: job.phase("Measuring agreement", 0.85 + 0.15 * done),
        trainer.adapters,
        _frequent(path, settings.DecoderSettings().draft_vocabulary),
    )
    base = {
        "model": path.name,
        "sha256": sha256,
        "layers": model.shape.layers,
    }
    result = exit_adapter_report.result(
        job.name, job.evidence, base, request, leaks, items, tallies, curve
    )
    (job.folder / "report.md").write_text(exit_adapter_report.markdown(result), "utf-8")
    if request.makes and not keep_states:
        (Path(request.folders[0]) / adapter_corpus.STATES).unlink(missing_ok=True)
    return result


def _items(
    job: ActiveRun,
    path: Path,
    talks: Sequence[Sequence[str]],
    threads: int,
    earlier: Path | None,
) -> list[Item]:
    """The served model's replies to held-out prompts, from the run gone on with if it has them."""
    asked = exit_agreement.heard(talks)
    kept = (read_json(earlier / ITEMS) or {}) if earlier else {}
    if kept.get("sha256") == holding.identity(path) and len(kept["items"]) == len(asked):
        items = [Item(**item) for item in kept["items"]]
    else:
        items = exit_agreement.answers(path, asked, threads)
    content = {"sha256": holding.identity(path), "items": [asdict(item) for item in items]}
    replace_json(job.folder / ITEMS, content)
    return items


def _trainer(path: Path, model: BaseModel, sources: Sources, request: Request) -> Trainer:
    tokens = _frequent(path, request.vocabulary or len(model.output))
    plan = Plan(
        exits=tuple(request.exits),
        steps=request.steps,
        batch=request.batch,
        seed=request.seed,
        learning_rate=request.learning_rate,
        vocabulary=len(tokens),
    )
    return Trainer(model, sources, plan, tokens)


def _frequent(path: Path, count: int) -> NDArray[np.int32]:
    opened = llama.Model(path, vocab_only=True)
    try:
        return frequent.tokens(opened, count, frequent.counted())
    finally:
        opened.close()


def _train(job: ActiveRun, trainer: Trainer, checkpoint_steps: int) -> list[dict[str, float]]:
    """To the plan's end, with checkpoints; what each step reported."""
    steps, curve = trainer.plan.steps, []
    while trainer.step < steps:
        job.phase("Training", 0.35 + 0.5 * trainer.step / steps)
        curve.append(trainer.advance())
        job.metric(**curve[-1])
        if trainer.step % checkpoint_steps == 0 or trainer.step == steps:
            trainer.save(job.folder / CHECKPOINT)
    return curve
