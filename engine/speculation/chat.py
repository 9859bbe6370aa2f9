"""From the conversation's messages to the token ids the model reads.

The same messages always give the same ids, whatever was computed before: that is what makes a
reply independent of the speculation that preceded it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import DecoderFailed
from engine.speculation.llama import Model
from engine.speculation.messages import Message

_DROP = 4
"""Turns dropped at a time when the history outgrows the context, so that most turns of a long
conversation still extend the prefix that is already computed."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Token ids of a whole prompt; the first `stable` of them end with the last message's text.

    The rest is the template's way from there to the answer: a growing transcript moves it.
    """

    tokens: list[int]
    stable: int


class Chat:
    """Turns conversations into prompts of at most `budget` tokens with `model`'s template."""

    def __init__(self, model: Model, system: str, budget: int) -> None:
        self._model, self._budget = model, budget
        self._system = Message("system", system) if system else None
        self._pieces: dict[str, list[int]] = {}

    def prompt(self, messages: Sequence[Message]) -> Prompt:
        """The prompt that asks for an answer to `messages`.

        Oldest whole turns are left out when it would not fit; `DecoderFailed` when even the
        last message alone does not.
        """
        system = [m for m in messages[:1] if m.role == "system"]
        rest = list(messages[len(system) :])
        if not system and self._system is not None:
            system = [self._system]
        if not rest:
            raise DecoderFailed("There is nothing to answer", remedy="say something first")
        while True:
            prompt = self._encoded([*system, *rest])
            if len(prompt.tokens) <= self._budget:
                return prompt
            rest = _without_oldest(rest)

    def transcript(self, messages: Sequence[Message]) -> list[int]:
        """The tokens of a conversation that is over, whatever their number."""
        system = [self._system] if self._system is not None else []
        return self._encoded([*system, *messages], answer=False).tokens

    def _encoded(self, messages: Sequence[Message], answer: bool = True) -> Prompt:
        # Templates see a mark in place of each text: texts are tokenised apart from the
        # template, so that nothing a person says can act as a control token.
        marks = [f"\x02{i}\x03" for i in range(len(messages))]
        left = self._model.render([m.role for m in messages], marks, answer=answer)
        begin = self._model.begin_token()
        tokens = [] if begin is None else [begin]
        for message, mark in zip(messages, marks, strict=True):
            before, found, left = left.partition(mark)
            if not found:
                raise DecoderFailed(
                    f"The model's chat template has no place for a {message.role} message",
                    remedy="choose another model in Settings",
                )
            tokens += self._template_piece(before)
            tokens += (
                message.tokens
                if message.tokens is not None
                else self._model.tokenize(message.text.strip())
            )
        stable = len(tokens)
        tokens += self._template_piece(left)
        if begin is not None and tokens[1:2] == [begin]:
            del tokens[0]  # the template wrote the first token itself
            stable -= 1
        return Prompt(tokens, stable)

    def _template_piece(self, text: str) -> list[int]:
        if text not in self._pieces:
            self._pieces[text] = self._model.tokenize(text, special=True)
        return self._pieces[text]


def _without_oldest(messages: list[Message]) -> list[Message]:
    starts = [i for i, m in enumerate(messages) if m.role == "user"]
    later = [i for i in starts if i > 0]
    if not later:
        raise DecoderFailed(
            "What was said is longer than the model's context",
            remedy="raise the context length in Settings or say less at once",
        )
    return messages[later[min(_DROP, len(later)) - 1] :]
