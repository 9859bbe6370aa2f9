"""Exit policies on the real model: how deep each position goes, and what that serves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.errors import ModelUnavailable
from engine.events import TokenOutcome
from engine.settings import DecoderSettings
from engine.speculation import loading, policies
from engine.speculation.chat import Chat
from engine.speculation.decoder import Decoder
from tests.engine.speculation.conftest import SAID, Decoders, answer, say


@pytest.fixture
def decoder(new_decoder: Decoders) -> Decoder:
    return new_decoder(size=256)


@pytest.fixture
def prompt(chat: Chat) -> list[int]:
    return chat.prompt(say(SAID[3])).tokens


def test_full_depth_everywhere_serves_the_models_tokens(
    decoder: Decoder, prompt: list[int]
) -> None:
    expected = answer(decoder, prompt, 12)
    decoder.policy = policies.TokenConfidence(threshold=1.1)
    assert answer(decoder, prompt, 12) == expected
    decoder.policy = policies.DialogueAct()
    steps = list(decoder.decode(prompt, 12, p_deep=0.5))
    assert [item.token for step in steps for item in step.served] == expected


def test_always_shallow_never_asks_the_tail(decoder: Decoder, prompt: list[int]) -> None:
    decoder.policy = policies.AlwaysShallow()
    steps = list(decoder.decode(prompt, 6))
    served = [item for step in steps for item in step.served]
    assert {item.outcome for item in served} == {TokenOutcome.SHALLOW}
    assert sum(step.tail_ms for step in steps) == 0
    assert decoder.lengths == (len(prompt) + len(served) - 1, 0)


@dataclass
class EveryThird:
    """Deep at every third position."""

    name: str = "every third"
    lossless: bool = False
    asked: int = 0

    def deep(self, exit_logits: NDArray[np.float32], p_deep: float) -> bool:
        self.asked += 1
        return self.asked % 3 == 0


def test_skipped_positions_are_filled_in_when_a_deep_one_follows(
    new_decoder: Decoders, decoder: Decoder, prompt: list[int]
) -> None:
    """Every deep token is what the whole model says after exactly what was served before it."""
    decoder.policy = EveryThird()
    steps = list(decoder.decode(prompt, 16))
    served = [item for step in steps for item in step.served]
    assert {item.outcome for item in served} == {TokenOutcome.SHALLOW, TokenOutcome.DEEP}
    other = new_decoder(size=256)
    tokens = list(prompt)
    for item in served:
        if item.outcome is TokenOutcome.DEEP:
            assert answer(other, tokens, 1) == [item.token]
        tokens.append(item.token)


def test_a_lossy_reply_is_undone_like_any_other(decoder: Decoder, prompt: list[int]) -> None:
    expected = answer(decoder, prompt, 8)
    decoder.policy = policies.AlwaysShallow()
    list(decoder.decode(prompt, 8))
    decoder.rollback()
    decoder.policy = policies.Verified()
    assert answer(decoder, prompt, 8) == expected


def test_an_unknown_policy_is_refused(model_file: Path, halves: Path) -> None:
    wrong = replace(DecoderSettings(), exit_policy="deepest")
    with pytest.raises(ModelUnavailable, match="no exit policy 'deepest'"):
        loading.load(model_file, halves, wrong, lambda *_: None)
