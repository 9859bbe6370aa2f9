"""How often an exit says what the served model says: acceptance with one drafted token.

Measured on replies that the served file itself gave, by llama.cpp, to held-out prompts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from engine import settings
from engine.evaluation.decoding.plain import Plain
from engine.evaluation.measurement.statistics import cluster_bootstrap
from engine.events import Evidence
from engine.records.evidence import Figure
from engine.speculation import llama
from engine.speculation.chat import Chat
from engine.speculation.messages import Message
from engine.training.adapters.adapter_training import applied
from engine.training.optimisation.base_model import BaseModel, Tensor, rotary

HEARD = (1, 3, 5)
"""Utterances of a dialogue heard before the answer, taken in turn; the last is the user's."""
_CONTEXT = 1024
FULL, SHELF, ADAPTER = "full depth", "off the shelf", "adapter"
DRAFT = "adapter, draft vocabulary"


@dataclass(frozen=True, slots=True)
class Item:
    """A prompt and the served model's greedy reply; the end token counts where it came."""

    prompt: list[int]
    reply: list[int]
    text: str
    """The reply in words."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Per prompt: positions, greedy agreements, and the summed overlap of distributions."""

    positions: NDArray[np.float64]
    greedy: NDArray[np.float64]
    sampled: NDArray[np.float64]

    def figures(self, evidence: Evidence) -> dict[str, Any]:
        """Greedy and sampled acceptance with intervals by prompt."""
        totals = np.stack((self.greedy, self.sampled, self.positions), 1)

        def ratios(sums: NDArray[np.float64]) -> NDArray[np.float64]:
            return sums[:, :2] / sums[:, 2:]

        values = ratios(totals.sum(axis=0, keepdims=True))[0]
        intervals = cluster_bootstrap(totals, ratios, unit="prompts")
        names = ("greedy_acceptance", "sampled_acceptance")
        return {
            name: Figure(value=float(value), evidence=evidence, interval=interval).record()
            for name, value, interval in zip(names, values, intervals, strict=True)
        }

    def gain(self, before: Tally, evidence: Evidence) -> dict[str, Any]:
        """Greedy acceptance above that of `before`, paired by prompt."""
        totals = np.stack((self.greedy - before.greedy, self.positions), 1)
        value = float(totals[:, 0].sum() / totals[:, 1].sum())
        (interval,) = cluster_bootstrap(totals, lambda s: s[:, :1] / s[:, 1:], unit="prompts")
        return Figure(value=value, evidence=evidence, interval=interval).record()


def heard(talks: Sequence[Sequence[str]]) -> list[list[Message]]:
    """The beginning of each dialogue, up to a turn of the user's."""
    found = []
    for number, talk in enumerate(talks):
        count = min(HEARD[number % len(HEARD)], (len(talk) - 1) // 2 * 2 + 1)
        roles = ("user", "assistant")
        found.append([Message(roles[n % 2], text) for n, text in enumerate(talk[:count])])
    return found


def answers(path: Path, asked: Sequence[Sequence[Message]], threads: int) -> list[Item]:
    """What the file at `path` answers to each conversation."""
    decoding = settings.DecoderSettings()
    model = llama.Model(path, vocab_only=True)
    plain = Plain(path, size=_CONTEXT, threads=threads)
    try:
        chat = Chat(model, decoding.system_prompt, _CONTEXT - decoding.reply_tokens)
        end = int(model.metadata("tokenizer.ggml.eos_token_id") or -1)
        found = []
        for messages in asked:
            plain.forget()
            prompt = chat.prompt(messages).tokens
            reply = plain.answer(prompt, decoding.reply_tokens)
            text = b"".join(model.piece(token) for token in reply).decode("utf-8", "replace")
            ended = [end] if len(reply) < decoding.reply_tokens and end >= 0 else []
            found.append(Item(prompt, reply + ended, text))
        return found
    finally:
        plain.close()
        model.close()


def measure(
    model: BaseModel,
    items: Sequence[Item],
    exits: Sequence[int],
    report: Callable[[float], None],
    adapters: Mapping[int, dict[str, Tensor]] | None = None,
    draftable: NDArray[np.int32] | None = None,
) -> dict[tuple[int, str], Tally]:
    """By exit and way, agreement of the next token with the served replies.

    Ways are the exit read through the model's own output norm and, where there are `adapters`, its
    adapter, and the adapter when it may propose the tokens `draftable` only. Under the model's
    depth stands the float32 model itself: what rounding alone costs. Sampled acceptance is the
    expected one at temperature 1, the sum over tokens of the smaller probability.
    """
    depth = model.shape.layers
    adapters = adapters or {}
    ways = {e: (SHELF, ADAPTER, DRAFT) if e in adapters else (SHELF,) for e in exits}
    keys = [(depth, FULL), *((e, way) for e in exits for way in ways[e])]
    impossible = torch.zeros(len(model.output), dtype=torch.bool)
    if draftable is not None:
        impossible[:] = True
        impossible[torch.from_numpy(draftable).long()] = False
    rows: dict[tuple[int, str], list[tuple[float, float, float]]] = {key: [] for key in keys}
    for number, item in enumerate(items):
        report(number / len(items))
        tokens = torch.tensor([item.prompt + item.reply[:-1]])
        asked = slice(len(item.prompt) - 1, None)
        reply = torch.tensor(item.reply)
        with torch.no_grad():
            states = model.states(tokens, [*exits, depth])
            deepest = model.logits(states[depth][0, asked])
            full = torch.softmax(deepest, -1)
            rope = rotary(model.shape, torch.arange(tokens.shape[1]))
            for exit_, way in keys:
                if way == ADAPTER:
                    hidden = applied(model, adapters[exit_], states[exit_], rope)
                    logits = hidden[0, asked] @ model.output.T
                elif way == DRAFT:  # follows ADAPTER
                    logits = logits.masked_fill(impossible, -torch.inf)
                else:
                    logits = model.logits(states[exit_][0, asked])
                agreed = int((logits.argmax(-1) == reply).sum())
                overlap = float(torch.minimum(torch.softmax(logits, -1), full).sum())
                rows[exit_, way].append((len(reply), agreed, overlap))
    return {key: Tally(*np.array(found, np.float64).T) for key, found in rows.items()}
