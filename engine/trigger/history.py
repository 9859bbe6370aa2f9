"""What was said so far, as the language model reads it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.speculation.client import Message, Token


class History:
    """Whole turns: what a person said and what was answered."""

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._pieces: list[Token] = []

    def asking(self, text: str) -> list[Message]:
        """The conversation with `text` as its newest, unanswered turn."""
        return [*self._messages, Message("user", text, None)]

    def add(self, said: str, answer: str, tokens: tuple[int, ...], served: Sequence[Token]) -> None:
        """Add a turn; `served` are the answer's tokens with their texts."""
        self._messages = [*self.asking(said), Message("assistant", answer, tokens)]
        self._pieces = list(served)

    def shorten(self, characters: int) -> str:
        """Keep so many characters of the last answer: only they were heard. The text kept.

        Tokens are kept as they are, so that what is computed of them stays good; where the cut
        lies within one, the text is left to be tokenised anew.
        """
        text = "".join(piece.text for piece in self._pieces)[:characters]
        kept: list[int] = []
        length = 0
        for piece in self._pieces:
            if length + len(piece.text) > len(text):
                break
            length += len(piece.text)
            kept.append(piece.token)
        tokens = tuple(kept) if length == len(text) else None
        self._messages[-1] = Message("assistant", text, tokens)
        return text

    def clear(self) -> None:
        """Forget everything."""
        self._messages, self._pieces = [], []
