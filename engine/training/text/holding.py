"""Conversations that the base model holds, made batch by batch into a run's folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine import paths, settings
from engine.records.runs import ActiveRun
from engine.speculation import llama, split
from engine.speculation.chat import Chat
from engine.training.optimisation.base_model import BaseModel
from engine.training.text import adapter_corpus
from engine.training.text.adapter_corpus import Opening
from engine.training.text.self_conversations import converse

_TOGETHER = 64
"""Conversations held at once."""
_SAMPLED = 0.8
"""Temperature of every second pair of conversations; the others are greedy."""


def identity(path: Path) -> str:
    """The sha256 of a model file, remembered between runs."""
    cache = paths.cache() / "halves"
    cache.mkdir(parents=True, exist_ok=True)
    return split.identity(path, cache)


def hold(
    job: ActiveRun,
    path: Path,
    model: BaseModel,
    openings: Sequence[Opening],
    folder: Path,
    *,
    exits: Sequence[int],
    tokens: int,
    seed: int,
    progress: tuple[float, float],
) -> None:
    """Have the conversations, of at most `tokens` tokens, or the rest of them, in `folder`.

    `model` are the weights of the file at `path`; states after `exits` and the last layer are
    kept. `progress` is which part of the job's fraction this is.
    """
    decoding = settings.DecoderSettings()
    opened = llama.Model(path, vocab_only=True)
    try:
        chat = Chat(opened, decoding.system_prompt, tokens - decoding.reply_tokens)
        ends = [token for token in range(opened.n_vocab) if opened.ends(token)]
        # Conversations of like length share a batch: less of it is padding.
        ordered = sorted(openings, key=lambda o: sum(map(len, (*o.heard, *o.turns))))
        batches = [ordered[i : i + _TOGETHER] for i in range(0, len(ordered), _TOGETHER)]
        begin, end = progress
        adapter_corpus.write(
            folder,
            batches,
            lambda number: converse(
                model,
                chat,
                batches[number],
                exits=exits,
                reply_tokens=decoding.reply_tokens,
                ends=ends,
                temperatures=[_SAMPLED * (n // 2 % 2) for n in range(len(batches[number]))],
                seed=seed + number,
            ),
            exits=exits,
            width=model.shape.width,
            sha256=identity(path),
            report=lambda done: job.phase("Talking", begin + (end - begin) * done / len(batches)),
        )
    finally:
        opened.close()
