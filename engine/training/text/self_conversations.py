"""Conversations in which the base model answers real people's turns: what adapters learn on.

Many are held at once in float32. The served file rounds activations to eight bits, so a reply
here may part from the served one after some tokens; both are the model's own words. States are
kept as they are computed, so that training never runs the base model again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from engine.errors import DecoderFailed
from engine.speculation.chat import Chat
from engine.speculation.messages import Message
from engine.training.optimisation.base_model import BaseModel, Tensor, layer, rotary
from engine.training.text.adapter_corpus import Opening

_ROOM = 64
"""Slots by which the cache grows."""


@dataclass(frozen=True, slots=True)
class Example:
    """A conversation as the model read and wrote it."""

    tokens: NDArray[np.int32]
    """Token ids, shape [n]."""
    answering: NDArray[np.bool_]
    """Positions whose next token was the model's to choose, shape [n]."""
    states: NDArray[np.float16]
    """States after the exits and after the last layer, shape [n, exits + 1, width]."""
    replies: tuple[tuple[int, ...], ...]


class _Batch:
    """Conversations side by side, one slot of the cache a step for all of them.

    A slot holds nothing for a conversation that was not fed in that step, and is masked there.
    """

    def __init__(self, model: BaseModel, rows: int, after: Sequence[int]) -> None:
        self._model, self._after, self._rows = model, after, rows
        self._keys = self._values = self._room(0)
        self._tokens = torch.empty(rows, 0, dtype=torch.long)
        self._fed = torch.empty(rows, 0, dtype=torch.bool)
        self._answering = torch.empty(rows, 0, dtype=torch.bool)
        self._states: list[Tensor] = []

    def _room(self, slots: int) -> Tensor:
        shape = self._model.shape
        return torch.empty(shape.layers, self._rows, shape.kv_heads, slots, shape.head_width)

    def feed(self, tokens: Tensor, fed: Tensor) -> Tensor:
        """Compute `tokens` [rows, n] where `fed`; the last slot's logits, [rows, n_vocab]."""
        begin = self._tokens.shape[1]
        end = begin + tokens.shape[1]
        if end > self._keys.shape[3]:
            more = self._room(end - self._keys.shape[3] + _ROOM)
            self._keys = torch.cat((self._keys, more), 3)
            self._values = torch.cat((self._values, more), 3)
        self._tokens = torch.cat((self._tokens, tokens), 1)
        self._fed = torch.cat((self._fed, fed), 1)
        last = torch.zeros_like(fed)
        last[:, -1] = True
        self._answering = torch.cat((self._answering, fed & last), 1)
        slots, columns = torch.arange(end), torch.arange(begin, end)[:, None]
        # An empty slot sees itself: attention to nothing at all is not a number.
        mask = (self._fed[:, None] & (slots <= columns)) | (slots == columns)
        positions = (self._fed.cumsum(1) - 1).clamp(min=0)[:, begin:]
        rope = rotary(self._model.shape, positions[:, None])
        x, kept = self._model.embeddings[tokens], []
        for number, weights in enumerate(self._model.layers):
            attend = self._attention(number, begin, end, mask[:, None])
            x = layer(self._model.shape, weights, x, rope, attend)
            if number + 1 in self._after:
                kept.append(x)
        self._states.append(torch.stack(kept, 2).half())
        return self._model.logits(x[:, -1])

    def _attention(
        self, number: int, begin: int, end: int, mask: Tensor
    ) -> Callable[[Tensor, Tensor, Tensor], Tensor]:
        def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            self._keys[number, :, :, begin:end] = k
            self._values[number, :, :, begin:end] = v
            keys, values = self._keys[number, :, :, :end], self._values[number, :, :, :end]
            return torch.nn.functional.scaled_dot_product_attention(
                q, keys, values, attn_mask=mask, enable_gqa=True
            )

        return attend

    def examples(self, replies: Sequence[Sequence[Sequence[int]]]) -> Iterator[Example]:
        """Every conversation without its empty slots."""
        states = torch.cat(self._states, 1)
        for row, said in enumerate(replies):
            fed = self._fed[row]
            yield Example(
                self._tokens[row][fed].numpy().astype(np.int32),
                self._answering[row][fed].numpy(),
                states[row][fed].numpy(),
                tuple(tuple(reply) for reply in said),
            )


def converse(
    model: BaseModel,
    chat: Chat,
    openings: Sequence[Opening],
    *,
    exits: Sequence[int],
    reply_tokens: int,
    ends: Collection[int],
    temperatures: Sequence[float],
    seed: int,
) -> list[Example]:
    """Answer each opening's turns one after the other, as long as `chat` has room.

    Replies have at most `reply_tokens` tokens; a temperature of 0 is greedy. The same arguments
    and thread count give the same conversations.
    """
    chance = torch.Generator().manual_seed(seed)
    heats = torch.tensor(temperatures)
    ending = torch.tensor(sorted(ends))
    messages = [_heard(opening) for opening in openings]
    read: list[list[int]] = [[] for _ in openings]
    replies: list[list[list[int]]] = [[] for _ in openings]
    with torch.inference_mode():
        batch = _Batch(model, len(openings), [*exits, model.shape.layers])
        for number in range(max(len(opening.turns) for opening in openings)):
            asked = [
                _next(chat, opening.turns[number : number + 1], earlier, known)
                for opening, earlier, known in zip(openings, messages, read, strict=True)
            ]
            if not any(asked):
                break
            said = _answered(batch, asked, reply_tokens, ending, heats, chance)
            for row, (question, reply) in enumerate(zip(asked, said, strict=True)):
                if not question:
                    read[row] = [-1]  # over: nothing extends this
                    continue
                messages[row] += [
                    Message("user", openings[row].turns[number]),
                    Message("assistant", "", tuple(reply)),
                ]
                read[row] += question + reply
                replies[row].append(reply)
    return list(batch.examples(replies))


def _heard(opening: Opening) -> list[Message]:
    roles = ("user", "assistant")
    return [Message(roles[n % 2], text) for n, text in enumerate(opening.heard)]


def _next(
    chat: Chat, turn: Sequence[str], earlier: Sequence[Message], read: Sequence[int]
) -> list[int]:
    """What the model reads before it answers; nothing where the conversation must end."""
    try:
        whole = chat.prompt([*earlier, *(Message("user", text) for text in turn)]).tokens
    except DecoderFailed:
        return []  # the turn alone is longer than there is room for
    return whole[len(read) :] if turn and whole[: len(read)] == list(read) else []


def _answered(
    batch: _Batch,
    asked: Sequence[Sequence[int]],
    limit: int,
    ending: Tensor,
    heats: Tensor,
    chance: torch.Generator,
) -> list[list[int]]:
    longest = max(map(len, asked))
    tokens = torch.tensor([[0] * (longest - len(ids)) + list(ids) for ids in asked])
    fed = torch.tensor([[False] * (longest - len(ids)) + [True] * len(ids) for ids in asked])
    going = fed[:, -1]
    replies: list[list[int]] = [[] for _ in asked]
    logits = batch.feed(tokens, fed)
    for _ in range(limit):
        chosen = _chosen(logits, heats, chance)
        going = going & ~torch.isin(chosen, ending)
        if not going.any():
            break
        for row in going.nonzero()[:, 0].tolist():
            replies[row].append(int(chosen[row]))
        logits = batch.feed(chosen[:, None], going[:, None])
    return replies


def _chosen(logits: Tensor, heats: Tensor, chance: torch.Generator) -> Tensor:
    greedy = logits.argmax(-1)
    sampled = torch.softmax(logits / heats.clamp(min=1e-3)[:, None], -1)
    drawn = torch.multinomial(sampled, 1, generator=chance)[:, 0]
    return torch.where(heats > 0, drawn, greedy)
