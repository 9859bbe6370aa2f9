"""Sampling on the real model: what self-speculation serves is distributed as plain sampling."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from engine.events import TokenOutcome
from engine.speculation import choosing, sampling
from engine.speculation.chat import Chat
from engine.speculation.decoder import Decoder
from engine.speculation.sampling import Distribution, Sampling, Verification
from tests.engine.speculation.conftest import SAID, Decoders, answer, say

_HOW = Sampling(temperature=1.5, top_k=2)
_CRITICAL = 26.1  # chi-square, 8 degrees of freedom, p = 0.001


@pytest.fixture(scope="module")
def decoder(new_decoder: Decoders) -> Decoder:
    return new_decoder(draft_tokens=1, size=256)


@pytest.fixture(scope="module")
def prompt(chat: Chat) -> list[int]:
    return chat.prompt(say(SAID[0])).tokens


@pytest.fixture(scope="module")
def expected(decoder: Decoder, prompt: list[int]) -> dict[tuple[int, ...], float]:
    """P(each reply of three tokens), from full-depth logits alone."""
    odds = {(): 1.0}
    for _ in range(3):
        longer: dict[tuple[int, ...], float] = {}
        for so_far, probability in odds.items():
            tokens = [*prompt, *so_far]
            decoder.rewind(tokens, len(tokens) - 1)
            following = sampling.distribution(decoder.logits_of(tokens[-1:])[0], _HOW)
            for token in np.flatnonzero(following):
                longer[(*so_far, int(token))] = probability * following[token]
        odds = longer
    assert len(odds) == 8
    assert not any(decoder.model.ends(token) for reply in odds for token in reply)
    return odds


def chi_square(
    decoder: Decoder, prompt: list[int], expected: dict[tuple[int, ...], float], replies: int
) -> float:
    counts = dict.fromkeys(expected, 0)
    for seed in range(replies):
        decoder.choosing = choosing.by(replace(_HOW, seed=seed))
        counts[tuple(answer(decoder, prompt, 3))] += 1
    decoder.choosing = choosing.by(Sampling())
    return sum((counts[r] - replies * p) ** 2 / (replies * p) for r, p in expected.items())


def test_served_replies_follow_the_whole_models_distribution(
    decoder: Decoder, prompt: list[int], expected: dict[tuple[int, ...], float]
) -> None:
    assert chi_square(decoder, prompt, expected, 200) < _CRITICAL


def test_drafts_kept_unchecked_would_be_noticed(
    decoder: Decoder,
    prompt: list[int],
    expected: dict[tuple[int, ...], float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def careless(
        draft: list[int],
        _: list[Distribution],
        target: list[Distribution],
        random: np.random.Generator,
    ) -> Verification:
        return Verification(len(draft), sampling.draw(target[len(draft)], random.random()))

    monkeypatch.setattr(sampling, "verify", careless)
    with pytest.raises(KeyError):  # a reply that plain sampling never gives
        chi_square(decoder, prompt, expected, 20)


def test_drafts_of_all_kinds_are_sampled(decoder: Decoder, prompt: list[int]) -> None:
    decoder.choosing = choosing.by(Sampling(temperature=1.0, top_k=40, seed=3))
    outcomes = set()
    for lookup, draft in product((False, True), (1, 3)):
        decoder.lookup, decoder.draft_tokens = lookup, draft
        served = [item for step in decoder.decode(prompt, 24) for item in step.served]
        outcomes |= {item.outcome for item in served}
    decoder.lookup, decoder.draft_tokens, decoder.choosing = False, 1, choosing.by(Sampling())
    assert {TokenOutcome.DEEP, TokenOutcome.CORRECTED} <= outcomes


def test_a_seed_and_a_prompt_give_one_reply_whatever_came_before(
    new_decoder: Decoders, chat: Chat, prompt: list[int]
) -> None:
    """An early start that stands and a late one serve the same sampled reply."""
    early, late = (new_decoder(draft_tokens=1, size=256) for _ in range(2))
    how = Sampling(temperature=1.0, top_k=40, seed=9)
    early.choosing = late.choosing = choosing.by(how)
    list(early.prefill(prompt[:-4]))
    list(early.decode(chat.prompt(say(SAID[1])).tokens, 5))
    early.rollback()
    assert answer(early, prompt, 16) == answer(late, prompt, 16)
    late.choosing = choosing.by(replace(how, seed=10))
    assert answer(early, prompt, 16) != answer(late, prompt, 16)
