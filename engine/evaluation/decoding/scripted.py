"""Self-speculation with scripted acceptance on a generated model: timed and predicted."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import paths, settings
from engine.evaluation.decoding.cost_model import break_even, tokens_per_round
from engine.evaluation.decoding.decode_race import (
    HalvesWay,
    PlainWay,
    Results,
    Way,
    median_interval,
    race,
)
from engine.evaluation.decoding.generated_model import Shape, generated
from engine.evaluation.decoding.plain import Plain
from engine.events import Evidence, TokenOutcome
from engine.speculation import split
from engine.speculation.choosing import Choosing, Greedy
from engine.speculation.decoder import Decoder
from engine.speculation.verifying import Verified
from engine.store.fetching import locate

PLAIN, UNSPECULATED = "plain llama-cpp-python", "unspeculated"

_CONTEXT = 256
_PROMPT = range(100, 116)
_ROUNDS = 16

Floats = NDArray[np.float32]


class Scripted(Greedy):
    """Keeps each draft with a set probability, whatever the model says."""

    def __init__(self, acceptance: float, seed: int) -> None:
        self._acceptance, self._random = acceptance, np.random.default_rng(seed)

    def verify(self, draft: Sequence[int], logits: Floats) -> list[Verified]:
        """As many drafts as the dice keep, and full depth's token after them."""
        kept = 0
        while kept < len(draft) and self._random.random() < self._acceptance:
            kept += 1
        own = [int(token) for token in logits.argmax(axis=1)]  # as any chooser has to
        outcome = TokenOutcome.CORRECTED if kept < len(draft) else TokenOutcome.DEEP
        served = [Verified(token, TokenOutcome.KEPT) for token in draft[:kept]]
        return [*served, Verified(own[kept], outcome)]


def _scripted(acceptance: float) -> Choosing:
    return lambda prompt: Scripted(acceptance, seed=sum(prompt))


def measure(
    shape: Shape,
    *,
    exit_layer: int,
    vocabulary: int,
    drafts: int,
    threads: int,
    replies: int,
    tokens: int,
    acceptances: Sequence[float],
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Time whole replies, interleaved: a row per acceptance, and the summary."""
    folder, like = paths.cache() / "generated", locate(settings.DecoderSettings().model)
    model = generated(shape, like, folder)
    cut = split.halves(model, exit_layer, paths.cache() / "halves", vocabulary)
    with ExitStack() as stack:
        plain = Plain(model, size=_CONTEXT, threads=threads)
        stack.callback(plain.close)
        decoder = Decoder(cut, size=_CONTEXT, threads=threads)
        stack.callback(decoder.close)
        ways = [
            HalvesWay(f"scripted {a}", decoder, drafts, choosing=_scripted(a)) for a in acceptances
        ]
        prompts = [[*_PROMPT, 200 + number] for number in range(replies)]
        costs = _costs(decoder, drafts)
        references: list[Way] = [PlainWay(PLAIN, plain), HalvesWay(UNSPECULATED, decoder, 0)]
        results = race([*references, *ways], prompts, tokens, _progress)
        after = _costs(decoder, drafts)
    costs = {name: (costs[name] + after[name]) / 2 for name in costs}
    plain_ms = 1000 / float(np.median(results.speeds(PLAIN)))
    round_ms = sum(costs.values())
    rows = [
        {
            "acceptance": acceptance,
            **_row(results, way.name, plain_ms / round_ms, drafts, acceptance),
        }
        for acceptance, way in zip(acceptances, ways, strict=True)
    ]
    return rows, {
        "type": "summary",
        "model": f"{shape.name} shape, Q4_0, random weights",
        "exit_layer": exit_layer,
        "draft_tokens": drafts,
        "draft_vocabulary": vocabulary,
        "threads": threads,
        "plain_step_ms": round(plain_ms, 2),
        **{name: round(value, 2) for name, value in costs.items()},
        "unspeculated_ratio": median_interval(results.ratios(UNSPECULATED, PLAIN)),
        "pays_from_acceptance": break_even(round_ms / plain_ms, drafts),
        "largest_error": round(max(abs(r["measured_against_predicted"] - 1) for r in rows), 4),
        "interval": "median over replies, 95 % percentile bootstrap",
    }


def _row(
    results: Results, way: str, rounds_per_step: float, drafts: int, acceptance: float
) -> dict[str, Any]:
    """One acceptance: predicted, timed, and timed against predicted for the dice as they fell."""
    samples = results.samples[way]
    rounds = sum(s.rounds for s in samples)
    served = sum(s.tokens for s in samples) / rounds
    measured = median_interval(results.ratios(way, PLAIN))
    return {
        "type": "row",
        "acceptance_evidence": Evidence.SCRIPTED.value,
        "predicted_ratio": round(tokens_per_round(acceptance, drafts) * rounds_per_step, 4),
        "measured_ratio": measured,
        "tokens_per_verification": round(served, 4),
        "measured_against_predicted": round(measured["median"] / (served * rounds_per_step), 4),
        "drafting_ms": round(sum(s.head_ms for s in samples) / rounds, 2),
        "verification_ms": round(sum(s.tail_ms for s in samples) / rounds, 2),
    }


def _costs(decoder: Decoder, drafts: int) -> dict[str, float]:
    """Median milliseconds of a round's two parts, when no draft is kept."""
    decoder.draft_tokens, decoder.choosing = drafts, lambda _: Scripted(0.0, 0)
    decoder.forget()
    rounds = [step for step in decoder.decode(list(_PROMPT), _ROUNDS) if step.drafted == drafts]
    return {
        "drafting_ms": float(np.median([step.head_ms for step in rounds])),
        "verification_ms": float(np.median([step.tail_ms for step in rounds])),
    }


def _progress(done: int, of: int) -> None:
    print(f"\rreply {done} of {of}", end="\n" if done == of else "", file=sys.stderr, flush=True)
