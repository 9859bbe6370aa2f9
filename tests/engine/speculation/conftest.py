"""The real default model, its halves (cut once for all tests) and decoders over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from engine.settings import DecoderSettings
from engine.speculation import split
from engine.speculation.chat import Chat
from engine.speculation.decoder import Decoder
from engine.speculation.messages import Message
from engine.store import manifest

EXIT_LAYER = 10
VOCABULARY = 8192
"""Tokens the draft head may propose."""

SAID = (
    "What should I cook for dinner tonight?",
    "Tell me a short joke about computers.",
    "I missed my train this morning and my boss was quite angry with me.",
    "Could you please explain why the sky is blue?",
)


@pytest.fixture(scope="session")
def model_file(models: Path) -> Path:
    path = models / manifest.find("smollm2-135m-instruct-q4_1").file
    assert path.exists(), "run `pads models fetch` first"
    return path


@pytest.fixture(scope="session")
def cut(model_file: Path, halves: Path) -> split.Halves:
    return split.halves(model_file, EXIT_LAYER, halves, VOCABULARY)


Decoders = Callable[..., Decoder]


@pytest.fixture(scope="session")
def new_decoder(cut: split.Halves) -> Iterator[Decoders]:
    """Makes decoders of one thread, with the halves' context of `size` positions."""
    with ExitStack() as stack:

        def make(draft_tokens: int = 0, size: int = 1024) -> Decoder:
            decoder = Decoder(cut, size=size, threads=1, draft_tokens=draft_tokens)
            stack.callback(decoder.close)
            return decoder

        yield make


@pytest.fixture(scope="session")
def chat(new_decoder: Decoders) -> Chat:
    return Chat(new_decoder(size=128).model, DecoderSettings().system_prompt, 960)


def say(*texts: str) -> list[Message]:
    """A conversation that ends with the last text, roles alternating from the user's."""
    return [Message("user" if i % 2 == 0 else "assistant", text) for i, text in enumerate(texts)]


def answer(decoder: Decoder, tokens: Sequence[int], max_tokens: int) -> list[int]:
    """The tokens served for a prompt."""
    steps = list(decoder.decode(tokens, max_tokens))
    return [item.token for step in steps for item in step.served]
