"""The conversations an exit adapter learns from: made if need be, and none that evaluation asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.errors import JobFailed
from engine.records.runs import ActiveRun
from engine.training.adapters.adapter_people import People, openings_of
from engine.training.adapters.exit_adapter import Request
from engine.training.adapters.exit_agreement import Item
from engine.training.optimisation.base_model import BaseModel
from engine.training.text import adapter_corpus, holding
from engine.training.text.adapter_corpus import Corpus
from engine.training.text.leaks import HeldOut

_TELLING = 8
"""A held-out reply of fewer tokens is said by chance too, and not looked for in training."""

Sources = list[tuple[Corpus, list[int]]]
"""Kept conversations, and the numbers of those that are learned from."""


def found(
    job: ActiveRun,
    path: Path,
    model: BaseModel,
    people: People,
    request: Request,
    items: Sequence[Item],
) -> tuple[Sources, dict[str, Any]]:
    """What is learned from, and the counts of the leak check; `JobFailed` if anything leaks."""
    asked = {name: HeldOut(said) for name, said in people.held_out.items()}
    openings, leaks = openings_of(people, list(asked.values()), request)
    if request.makes:
        holding.hold(
            job,
            path,
            model,
            openings,
            Path(request.folders[0]),
            exits=request.exits,
            tokens=request.tokens,
            seed=request.seed,
            progress=(0.05, 0.35),
        )
    telling = {tuple(item.reply) for item in items if len(item.reply) >= _TELLING}
    sources: Sources = []
    for folder in request.folders:
        corpus = _fitting(Path(folder), request.exits, holding.identity(path))
        sources.append((corpus, _clean(corpus, people.dialogues, asked, telling)))
    leaks |= _counts(sources, people, asked)
    leaks["left"] = _left(sources, people.dialogues, asked, telling)
    job.metric(**leaks)
    return sources, leaks


def _fitting(folder: Path, exits: Sequence[int], sha256: str) -> Corpus:
    """Conversations held with this model that have the states of these exits."""
    corpus = Corpus(folder)
    if corpus.sha256 != sha256 or not set(exits) <= set(corpus.exits):
        raise JobFailed(
            f"The conversations in {folder} do not fit",
            remedy=f"train exits among {corpus.exits} of the model they were held with",
        )
    return corpus


def _clean(
    corpus: Corpus,
    dialogues: Sequence[Sequence[str]],
    asked: Mapping[str, HeldOut],
    telling: set[tuple[int, ...]],
) -> list[int]:
    """Those that repeat nothing: they may have been held before it was known what is asked."""
    return [
        number
        for number in adapter_corpus.without_replies(corpus, telling)
        if not any(
            held.in_text(text)
            for held in asked.values()
            for text in dialogues[corpus.dialogues[number]]
        )
    ]


def _counts(sources: Sources, people: People, asked: Mapping[str, HeldOut]) -> dict[str, Any]:
    held = sum(len(corpus) for corpus, _ in sources)
    kept = sum(len(numbers) for _, numbers in sources)
    answering = sum(
        int(c.tokens["answering"][c.rows(n)].sum()) for c, numbers in sources for n in numbers
    )
    return {
        "held_out_texts": {name: len(said) for name, said in people.held_out.items()},
        "held_out_texts_too_short_to_tell": {name: t.skipped for name, t in asked.items()},
        "conversations_held": held,
        "conversations_repeating_what_is_held_out": held - kept,
        "conversations_learned_from": kept,
        "positions_learned_from": answering,
    }


def _left(
    sources: Sources,
    dialogues: Sequence[Sequence[str]],
    asked: Mapping[str, HeldOut],
    replies: set[tuple[int, ...]],
) -> dict[str, int]:
    """Held-out texts and replies that are still among what is learned from: all 0, or failed."""
    said = [text for c, numbers in sources for n in numbers for text in dialogues[c.dialogues[n]]]
    left = {name: sum(held.in_text(text) for text in said) for name, held in asked.items()}
    left["replies"] = sum(
        tuple(reply) in replies for c, numbers in sources for n in numbers for reply in c.replies[n]
    )
    if any(left.values()):
        raise JobFailed(
            f"Training text repeats what the evaluation asks ({left})",
            remedy="use conversations that were held with this version",
        )
    return left
