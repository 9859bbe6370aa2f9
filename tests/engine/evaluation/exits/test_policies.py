"""Exit policies at matched compute: the product's own rules on real positions, and the job."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import settings
from engine.errors import JobFailed, ModelUnavailable
from engine.evaluation.exits import (
    exit_reading,
    policies,
    policy_reading,
    prompt_sets,
    rouge,
    tokeniser_check,
)
from engine.evaluation.exits.exit_reading import ADAPTER, SHELF, Way
from engine.evaluation.exits.matched_compute import BUDGETS, FIXED, RECHOSEN, THRESHOLDS
from engine.evaluation.exits.policy_reading import Read, Text
from engine.events import Evidence
from engine.records.runs import ActiveRun
from engine.speculation import gguf, llama
from engine.speculation.policies import DialogueAct, TokenConfidence, top_probability
from engine.store.fetching import locate

MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"


def test_the_curves_follow_the_products_policies() -> None:
    random = np.random.default_rng(1)
    logits = [random.normal(0, 4, (n, 20)).astype(np.float32) for n in (3, 5)]
    tops = [np.array([top_probability(row) for row in rows]) for rows in logits]
    found = [Read(np.zeros(len(top), bool), top) for top in tops]
    p_deep = [0.33, 0.8]
    sure, act = policy_reading.by_confidence(found), policy_reading.by_act(found, p_deep)
    for column, threshold in enumerate(THRESHOLDS):
        for prompt, rows in enumerate(logits):
            for curve, policy in (
                (sure, TokenConfidence(threshold)),
                (act, DialogueAct(threshold)),
            ):
                deep = sum(policy.deep(row, p_deep[prompt]) for row in rows)
                assert curve.deep[prompt, column] == deep
                # Where the exit is never right, only the deep positions are.
                assert curve.right[prompt, column] == deep


def test_an_independent_tokeniser_counts_alike(models: Path, data: Path) -> None:
    count = tokeniser_check.counter(models / MODEL)
    opened = llama.Model(models / MODEL, vocab_only=True)
    try:
        hard = ["It's 12,345.67 — naïve café 😀!", "  two  spaces\n\n\tand a tab ", "don't I'LL"]
        for text in [*hard, *(item.text for item in prompt_sets.ami(None))]:
            assert count(text) == len(opened.tokenize(text))
    finally:
        opened.close()


def test_positions_that_the_tokeniser_does_not_confirm_fail_the_job(models: Path) -> None:
    opened = llama.Model(models / MODEL, vocab_only=True)
    asked = tuple(opened.tokenize("Nobody counts this wrong."))
    opened.close()
    right = [Text((), asked, "Nobody counts this wrong.")]
    found = policies.tokeniser(models / MODEL, right, "prompts", Evidence.MEASURED)
    assert found["positions"]["value"] == len(asked)
    assert found["prompts_counted_alike"]["value"] == 1
    wrong = [Text((), asked[1:], "Nobody counts this wrong.")]
    with pytest.raises(JobFailed, match="other positions in 1 of 1 prompts"):
        policies.tokeniser(models / MODEL, wrong, "prompts", Evidence.MEASURED)
    replies = policies.tokeniser(models / MODEL, wrong, "replies", Evidence.MEASURED)
    assert replies["prompts_counted_alike"]["evidence"] == "unavailable"


def test_a_tokeniser_of_another_kind_is_refused(models: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.gguf"
    with gguf.File(models / MODEL, copying=True) as file:
        file.write(path, words={"tokenizer.ggml.pre": "another"})
    with pytest.raises(ModelUnavailable, match="gpt2/another"):
        tokeniser_check.counter(path)


def test_half_depth_is_read_from_the_model(models: Path) -> None:
    assert exit_reading.half_depth(models / MODEL) == 15


def compared(folder: Path, data: Path, **given: Any) -> dict[str, Any]:
    job = ActiveRun(folder, evidence=Evidence.MEASURED, stream=io.StringIO())
    parameters = {"exit_layer": 0, "tokens": 12, "trained_model": None, "prompts": 6} | given
    return policies.run(job, data=data, **parameters)


def test_the_job_compares_policies_at_matched_compute(
    models: Path, data: Path, tmp_path: Path
) -> None:
    result = compared(tmp_path, data, positions="prompts")
    json.dumps(result)
    positions = result["tokeniser_check"]["positions"]["value"]
    written = (tmp_path / "metrics.jsonl").read_text("utf-8").splitlines()
    lines = [json.loads(line) for line in written]
    assert sum(len(line["agrees"]) for line in lines) == 2 * positions
    assert result["exit_layer"] == 15
    for name, figure in result["always_shallow"].items():
        agrees = [sum(line["agrees"]) for line in lines if line["way"] == name]
        assert figure["value"] == pytest.approx(sum(agrees) / positions)
    assert result["always_shallow"][ADAPTER]["value"] > result["always_shallow"][SHELF]["value"]
    assert len(result["matched"]) == 4 * len(BUDGETS)
    for name, curve in result["curves"].items():
        for budget in BUDGETS:
            inside = min(curve["deep_fraction"]) <= budget <= max(curve["deep_fraction"])
            for convention in (RECHOSEN, FIXED):
                figure = result["matched"][f"{name}, {budget:.0%} deep"][convention]
                assert (figure["evidence"] == "derived") == inside
    # Token confidence goes deep where the exit is unsure: more depth never says less.
    for name, curve in result["curves"].items():
        if name.startswith("token confidence"):
            assert curve["agreement"] == sorted(curve["agreement"])


def test_positions_of_replies_are_those_that_full_depth_served(models: Path, data: Path) -> None:
    chosen = settings.DecoderSettings()
    way = Way(SHELF, locate(chosen.model), 15)
    items = prompt_sets.ami(data)[:2]
    with exit_reading.opened(way, chosen) as reader:
        for text in policy_reading.texts(reader, items, policy_reading.REPLIES, 10):
            deep = policy_reading.deepest(reader, text)
            # What follows each position is what full depth says there: the reply itself.
            assert deep[:-1].tolist() == list(text.asked[1:])
            found = policy_reading.read(reader, text, deep)
            assert found.agrees.shape == found.top.shape == (len(text.asked),)
            assert found.top.min() > 0
            assert found.top.max() <= 1


def test_replies_are_scored_with_and_without_depth(
    models: Path, data: Path, tmp_path: Path
) -> None:
    job = ActiveRun(tmp_path, evidence=Evidence.MEASURED, stream=io.StringIO())
    result = rouge.run(job, data=data, prompts=3, exit_layer=0, tokens=12, trained_model=None)
    found = result["rouge_l"]
    assert set(found) == {rouge.FULL, f"exit 15 alone, {SHELF}", f"exit 15 alone, {ADAPTER}"}
    for figures in found.values():
        assert figures["replies"]["value"] + figures["empty"]["value"] == 3
        assert figures["conservative"]["value"] <= figures["rouge_l"]["value"] <= 1


def test_empty_replies_are_counted_and_charged() -> None:
    scores: dict[str, list[float | None]] = {rouge.FULL: [0.2, 0.4, None, None]}
    found = rouge.result(Evidence.MEASURED, 15, scores)["rouge_l"][rouge.FULL]
    assert (found["replies"]["value"], found["empty"]["value"]) == (2, 2)
    assert found["rouge_l"]["value"] == pytest.approx(0.3)
    assert found["conservative"]["value"] == pytest.approx(0.15)
