"""What train-layerskip learns from, checked for leaks, and what its loss is validated on."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from engine import settings
from engine.errors import JobFailed
from engine.evaluation.exits.ami_items import Item, ami_items
from engine.records.runs import ActiveRun
from engine.speculation import llama
from engine.speculation.chat import Chat
from engine.training.layerskip import layerskip
from engine.training.layerskip.layerskip import Manner, Request
from engine.training.layerskip.layerskip_training import Batch, Blocks, Source
from engine.training.optimisation import exit_loss
from engine.training.optimisation.base_model import BaseModel, rms_norm
from engine.training.text import adapter_corpus, holding, texts
from engine.training.text.adapter_corpus import Corpus
from engine.training.text.texts import Talk, Texts

_HELD_OUT = 50
"""One talk in so many is kept for validation."""
_WHOLE = 1 << 30


@dataclass(frozen=True, slots=True)
class Material:
    """Text to learn from and to validate on, evaluation items, and what was counted."""

    source: Source
    validation: Blocks
    items: list[Item]
    sha256: str
    counts: dict[str, Any]


class Replies:
    """The model's own conversations; full depth's distribution is wanted where it answers."""

    def __init__(self, model: BaseModel, corpora: Sequence[Corpus]) -> None:
        self._model = model
        self._talks = [(c, n) for c in corpora for n in range(len(c)) if c.replies[n]]

    def __len__(self) -> int:
        return len(self._talks)

    def batch(self, numbers: Sequence[int]) -> Batch:
        """These conversations, zero-padded; positions at which the model answers are scored."""
        model, talks = self._model, [self._talks[number] for number in numbers]
        rows = [(corpus, corpus.rows(number)) for corpus, number in talks]
        longest = max(part.stop - part.start for _, part in rows)
        tokens = torch.zeros(len(rows), longest, dtype=torch.long)
        scored = torch.zeros(len(rows), longest, dtype=torch.bool)
        states = []
        for row, (corpus, part) in enumerate(rows):
            length = part.stop - part.start
            tokens[row, :length] = torch.from_numpy(corpus.tokens["id"][part].astype(np.int64))
            answering = corpus.tokens["answering"][part]
            scored[row, :length] = torch.from_numpy(answering)
            states.append(torch.from_numpy(corpus.states[part, -1][answering].astype(np.float32)))
        device = model.output.device
        normed = rms_norm(torch.cat(states).to(device), model.norm, model.shape.eps)
        wanted = exit_loss.full_depth(normed, model.output)
        return Batch(tokens.to(device), scored.to(device), wanted)


def material(
    job: ActiveRun, model: BaseModel, request: Request, manner: Manner, *, tells: bool
) -> Material:
    """Everything a run learns from; `JobFailed` when an evaluation item is among it.

    Only a run that `tells` writes the counts down.
    """
    job.phase("Reading corpora", 0.0)
    items = ami_items(manner.data)
    read = texts.together(
        [
            *([texts.meetings(manner.data, items, request.exclude)] * ("ami" in request.corpora)),
            *([texts.everyday(manner.data, items)] * ("dailydialog" in request.corpora)),
            *([texts.plain(Path(request.chats), items)] if request.chats else []),
        ]
    )
    for line in read.malformed:
        job.note(f"malformed, left out: {line}")
    opened = llama.Model(Path(request.model), vocab_only=True)
    try:
        chat = Chat(opened, settings.DecoderSettings().system_prompt, _WHOLE)
        job.phase("Encoding text", 0.01)
        held = read.talks[::_HELD_OUT]
        learned = [talk for n, talk in enumerate(read.talks) if n % _HELD_OUT]
        blocks = texts.blocks(texts.encoded(chat, learned), request.tokens)
        validation = texts.blocks(texts.encoded(chat, held), request.tokens)
        counts = _counts(read, blocks, texts.left(opened, blocks, items))
    finally:
        opened.close()
    if tells:
        job.metric(**counts)
        job.note(told(counts))
    refuse_leaks(counts["left"])
    keep = np.linspace(0, len(validation) - 1, min(manner.validation_blocks, len(validation)))
    checked = Blocks(model, validation[np.unique(keep.astype(int))])
    sha256 = hashlib.sha256(blocks.tobytes()).hexdigest()
    source: Source = Blocks(model, blocks)
    if request.objective == layerskip.REPLIES:
        corpora = _replies(job, model, request, read.talks)
        sha256 = hashlib.sha256(b"".join(c.tokens.tobytes() for c in corpora)).hexdigest()
        source = Replies(model, corpora)
    return Material(source, checked, items, sha256, counts)


def refuse_leaks(left: dict[str, Any]) -> None:
    """`JobFailed` when evaluation items stand in the token stream."""
    if left["prompts"] or left["responses"]:
        raise JobFailed(
            f"The training text is contaminated: {left['prompts']} of {left['items']} evaluation "
            f"prompts and {left['responses']} responses stand in it ({', '.join(left['which'])})",
            remedy="leave out the meetings that job leak-check names (--exclude auto)",
        )


def _counts(read: Texts, blocks: NDArray[np.int32], left: dict[str, Any]) -> dict[str, Any]:
    return {
        "corpora": read.counts,
        "malformed": read.malformed,
        "excluded_meetings": read.excluded,
        "blocks": len(blocks),
        "tokens": int(blocks[:, 1:].size),
        "left": left,
    }


def told(counts: dict[str, Any]) -> str:
    """The counts in a sentence."""
    parts = [
        f"{name}: " + ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in of.items())
        for name, of in counts["corpora"].items()
    ]
    left = counts["left"]
    return (
        f"{'; '.join(parts)}; {counts['tokens']:,} tokens in {counts['blocks']:,} blocks; "
        f"evaluation items left in them: {left['prompts']}/{left['items']} prompts, "
        f"{left['responses']}/{left['items']} responses"
    )


def _replies(
    job: ActiveRun, model: BaseModel, request: Request, talks: Sequence[Talk]
) -> list[Corpus]:
    """Conversations of the runs that were named, or new ones in the run's own folder."""
    path, folders = Path(request.model), [Path(folder) for folder in request.folders]
    if request.makes:
        count = -(-request.replies // adapter_corpus.TURNS)
        everyday = [talk.said for talk in talks if talk.source == texts.DAILYDIALOG]
        openings, _ = adapter_corpus.openings(everyday, [], count=count, seed=request.seed)
        holding.hold(
            job,
            path,
            model,
            openings,
            folders[0],
            exits=[],
            tokens=request.tokens,
            seed=request.seed,
            progress=(0.02, 0.2),
        )
    corpora = [Corpus(folder) for folder in folders]
    for corpus, folder in zip(corpora, folders, strict=True):
        if corpus.sha256 != holding.identity(path):
            raise JobFailed(
                f"The conversations in {folder} do not fit", remedy="use those of the same model"
            )
    return corpora
