"""What job train-exit-adapter does: conversations, training, measuring, adapters, report."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from engine import paths, settings
from engine.errors import DataUnavailable, JobFailed
from engine.records.runs import ActiveRun
from engine.speculation import adapter, frequent, llama, split
from engine.speculation.chat import Chat
from engine.store.fetching import locate
from engine.training import adapter_corpus, exit_adapter_report, exit_agreement
from engine.training.adapter_corpus import Corpus, Opening
from engine.training.adapter_training import Plan, Trainer, arrays
from engine.training.base_model import BaseModel
from engine.training.corpora import ami, archive, dailydialog
from engine.training.exit_adapter import Request
from engine.training.exit_agreement import Item
from engine.training.leaks import HeldOut
from engine.training.self_conversations import converse

MEETING = "EN2001a"
"""The meeting that evaluation items are taken from (the seed's §4)."""
CHECKPOINT = "checkpoint.pt"

_TOGETHER = 64
"""Conversations held at once."""
_SAMPLED = 0.8
"""Temperature of every second pair of conversations; the others are greedy."""
_TELLING = 8
"""A held-out reply of fewer tokens is said by chance too, and not looked for in training."""

Sources = list[tuple[Corpus, list[int]]]


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
    train, test, meeting = _corpora(data)
    job.phase("Answering held-out prompts", 0.02)
    items = exit_agreement.held_out(path, test, prompts, threads)
    model = BaseModel(path)
    if max(request.exits) >= model.shape.layers:
        raise JobFailed(
            f"The exits {request.exits} are not within the {model.shape.layers} layers",
            remedy=f"give numbers from 1 to {model.shape.layers - 1}",
        )
    held_out = {"dailydialog_test": [t for talk in test for t in talk], f"ami_{MEETING}": meeting}
    sources, leaks = _sources(job, path, model, train, held_out, request, items)
    trainer = _trainer(path, model, sources, request)
    if earlier and (earlier / CHECKPOINT).exists():
        trainer.load(earlier / CHECKPOINT)
        job.note(f"going on after step {trainer.step} of the run {earlier.name}")
    curve = _train(job, trainer, checkpoint_steps)
    sha256 = _identity(path)
    for exit_, trained in trainer.adapters.items():
        file = job.folder / f"exit-{exit_}.gguf"
        adapter.write(file, arrays(trained), base=path, sha256=sha256, exit_layer=exit_)
        if install:
            adapter.installed().mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, adapter.installed() / f"{path.stem}-{file.name}")
    tallies = exit_agreement.measure(
        model,
        items,
        trainer.adapters,
        _frequent(path, settings.DecoderSettings().draft_vocabulary),
        lambda done: job.phase("Measuring agreement", 0.85 + 0.15 * done),
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


def _identity(path: Path) -> str:
    cache = paths.cache() / "halves"
    cache.mkdir(parents=True, exist_ok=True)
    return split.identity(path, cache)


def _frequent(path: Path, count: int) -> NDArray[np.int32]:
    opened = llama.Model(path, vocab_only=True)
    try:
        return frequent.tokens(opened, count, frequent.shipped())
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


def _corpora(data: Path | None) -> tuple[list[list[str]], list[list[str]], list[str]]:
    """DailyDialog's training and test dialogues; what each speaker of the AMI meeting says.

    The meeting is only looked for in the training texts, and stays empty where AMI is missing.
    """
    with archive.opened(dailydialog.find(data)) as corpus:
        train, test = (
            adapter_corpus.dialogues(dailydialog.read(corpus, name)) for name in ("train", "test")
        )
    try:
        with archive.opened(ami.find(None)) as corpus:
            others = [meeting for meeting in ami.files(corpus) if meeting != MEETING]
            said = [
                " ".join(word.text for word in words if word.kind == "word")
                for meeting in ami.meetings(corpus, others)
                for words in meeting.speakers.values()
            ]
    except DataUnavailable:
        said = []
    return train, test, said


def _sources(
    job: ActiveRun,
    path: Path,
    model: BaseModel,
    train: Sequence[Sequence[str]],
    held_out: dict[str, list[str]],
    request: Request,
    items: Sequence[Item],
) -> tuple[Sources, dict[str, Any]]:
    """Conversations to learn on, made if need be, and the counts of the leak check."""
    texts = {name: HeldOut(said) for name, said in held_out.items()}
    count = -(-request.replies // adapter_corpus.TURNS)
    openings, leaks = adapter_corpus.openings(
        train, list(texts.values()), count=count, seed=request.seed
    )
    sha256 = _identity(path)
    if request.makes:
        _hold(job, path, model, openings, request, sha256)
    telling = {tuple(item.reply) for item in items if len(item.reply) >= _TELLING}
    sources: Sources = []
    for folder in request.folders:
        corpus = Corpus(Path(folder))
        if corpus.sha256 != sha256 or not set(request.exits) <= set(corpus.exits):
            raise JobFailed(
                f"The conversations in {folder} do not fit",
                remedy=f"train exits among {corpus.exits} of the model they were held with",
            )
        sources.append((corpus, adapter_corpus.without_replies(corpus, telling)))
    held = sum(len(corpus) for corpus, _ in sources)
    kept = sum(len(numbers) for _, numbers in sources)
    answering = sum(
        int(c.tokens["answering"][c.rows(n)].sum()) for c, numbers in sources for n in numbers
    )
    leaks |= {
        "held_out_texts": {name: len(said) for name, said in held_out.items()},
        "held_out_texts_too_short_to_tell": {name: t.skipped for name, t in texts.items()},
        "conversations_held": held,
        "conversations_repeating_a_held_out_reply": held - kept,
        "conversations_learned_from": kept,
        "positions_learned_from": answering,
        "left": _left(sources, train, texts, telling),
    }
    job.metric(**leaks)
    return sources, leaks


def _left(
    sources: Sources,
    train: Sequence[Sequence[str]],
    texts: dict[str, HeldOut],
    replies: set[tuple[int, ...]],
) -> dict[str, int]:
    """Held-out texts and replies that are still among what is learned from: all 0, or failed."""
    said = [text for c, numbers in sources for n in numbers for text in train[c.dialogues[n]]]
    left = {name: sum(held.in_text(text) for text in said) for name, held in texts.items()}
    left["replies"] = sum(
        tuple(reply) in replies for c, numbers in sources for n in numbers for reply in c.replies[n]
    )
    if any(left.values()):
        raise JobFailed(
            f"Training text repeats what the evaluation asks ({left})",
            remedy="use conversations that were held with this version",
        )
    return left


def _hold(
    job: ActiveRun,
    path: Path,
    model: BaseModel,
    openings: Sequence[Opening],
    request: Request,
    sha256: str,
) -> None:
    """Have the conversations, or the rest of them, in the request's first folder."""
    decoding = settings.DecoderSettings()
    opened = llama.Model(path, vocab_only=True)
    try:
        chat = Chat(opened, decoding.system_prompt, request.tokens - decoding.reply_tokens)
        ends = [token for token in range(opened.n_vocab) if opened.ends(token)]
        # Conversations of like length share a batch: less of it is padding.
        ordered = sorted(openings, key=lambda o: sum(map(len, (*o.heard, *o.turns))))
        batches = [ordered[i : i + _TOGETHER] for i in range(0, len(ordered), _TOGETHER)]
        adapter_corpus.write(
            Path(request.folders[0]),
            batches,
            lambda number: converse(
                model,
                chat,
                batches[number],
                exits=request.exits,
                reply_tokens=decoding.reply_tokens,
                ends=ends,
                temperatures=[_SAMPLED * (n // 2 % 2) for n in range(len(batches[number]))],
                seed=request.seed + number,
            ),
            exits=request.exits,
            width=model.shape.width,
            sha256=sha256,
            report=lambda done: job.phase("Talking", 0.05 + 0.3 * done / len(batches)),
        )
    finally:
        opened.close()
