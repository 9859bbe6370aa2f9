"""Acceptance without torch: the arithmetic, the decoder's own count, the job on real corpora."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from engine import settings
from engine.errors import SettingsRejected
from engine.evaluation.exits import (
    acceptance,
    acceptance_report,
    exit_acceptance,
    exit_reading,
    prompt_sets,
)
from engine.evaluation.exits import acceptance_figures as figures
from engine.evaluation.exits.draft_replay import replayed
from engine.evaluation.exits.exit_acceptance import EVERY, MANY, MEASURES, ONE, SAMPLED, Request
from engine.evaluation.exits.exit_reading import ADAPTER, SHELF, Way
from engine.events import Evidence
from engine.records.evidence import Figure, Interval
from engine.records.runs import ActiveRun
from engine.speculation import choosing
from engine.speculation.sampling import Sampling
from engine.store.fetching import locate

MEASURED = Evidence.MEASURED


def test_empty_generations_are_skipped_and_charged() -> None:
    values = [0.5, None, 0.7, None]
    replies, charged = figures.mean(values, MEASURED), figures.conservative(values, MEASURED)
    assert replies.value == pytest.approx(0.6)
    assert charged.value == pytest.approx(0.3)
    assert charged.interval is not None
    assert "4 prompts" in charged.interval.method


def test_a_mean_without_replies_is_unavailable() -> None:
    found = figures.mean([None, None, 0.2], MEASURED)
    assert (found.value, found.evidence) == (None, Evidence.UNAVAILABLE)
    assert "1 of 3" in found.reason


def test_gains_are_paired_by_prompt() -> None:
    # The prompts differ far more than the ways do: only the pairing makes the gain certain.
    before = [n / 20 for n in range(10)]
    found = figures.gain([value + 0.1 for value in before], before, MEASURED)
    assert found.value == pytest.approx(0.1)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(found.interval.high)
    assert figures.gain([0.5, None, 0.5], [0.4, 0.1, 0.2], MEASURED).value == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.1, 0.4, figures.FIRES),
        (0.6, 0.8, figures.QUIET),
        (0.3, 0.6, figures.OPEN),
        (0.4, 0.8, figures.OPEN),
    ],
)
def test_the_kill_signal_can_fire_and_not_fire(low: float, high: float, expected: str) -> None:
    interval = Interval(low=low, high=high, level=0.95, method="")
    found = Figure(value=(low + high) / 2, evidence=MEASURED, interval=interval)
    assert figures.kill_signal(found, figures.break_even(15, 30)) == expected


def test_an_unmeasured_acceptance_kills_nothing() -> None:
    missing = Figure(value=None, evidence=Evidence.UNAVAILABLE, reason="none")
    assert figures.kill_signal(missing, figures.break_even(15, 30)) == figures.OPEN


def test_half_the_depth_is_judged_with_empty_generations_charged() -> None:
    request = Request(prompts=20, tokens=8, draft_tokens=3, exits=(4, 15), sampling=Sampling())
    shares: list[float | None] = [0.7, None] * 10  # over the break-even, but charged far below it
    ways = [Way(SHELF, Path("a.gguf"), layer) for layer in request.exits]
    result = acceptance_report.result(
        MEASURED,
        request,
        {},
        {("some", way): dict.fromkeys(MEASURES, shares) for way in ways},
        {way: {"layers": 30, "sha256": "", "exactness": ""} for way in ways},
    )
    (signal,) = result["kill_signal"].values()
    assert signal["exit_layer"] == 15
    assert signal["acceptance"]["value"] == pytest.approx(0.35)
    assert signal["break_even"]["value"] == 0.5
    assert signal["signal"] == figures.FIRES


def test_exit_layers_are_read_from_text() -> None:
    assert acceptance.exit_layers("15, 4,4") == (4, 15)
    for wrong in ("four", "", "0"):
        with pytest.raises(SettingsRejected):
            acceptance.exit_layers(wrong)


def test_the_replay_counts_as_the_decoder_does(models: Path, data: Path) -> None:
    chosen = settings.DecoderSettings()
    (way,) = [
        way for way in exit_reading.ways(locate(chosen.model), (15,), None) if way.name == ADAPTER
    ]
    how = Sampling()
    with exit_reading.opened(way, chosen) as reader:
        decoder = reader.decoder
        for item in prompt_sets.ami(None)[:2]:
            prompt = reader.loaded.chat.prompt(item.messages).tokens
            reply = reader.reply(prompt, 16, how)
            proposed = exit_acceptance.proposals(reader, prompt, reply.tokens)
            for draft_tokens in (1, 3):
                decoder.draft_tokens, decoder.choosing = draft_tokens, choosing.by(how)
                steps = list(decoder.decode(prompt, 16))
                served = [item.token for step in steps for item in step.served]
                found = replayed(
                    proposed,
                    reply.tokens,
                    draft_tokens=draft_tokens,
                    max_tokens=16,
                    widest=decoder.widest,
                    ends=decoder.model.ends,
                )
                drafted = sum(step.drafted for step in steps)
                assert served == list(reply.tokens[: len(served)])
                assert found.accepted == sum(step.accepted for step in steps)
                # What follows a wrong draft may end a reply, which the replay cannot know.
                assert found.drafted == drafted if draft_tokens == 1 else found.drafted >= drafted
            # Read again, full depth says what it served: the texts that exits read are right.
            rows = reader.deep_logits(prompt[:-1], (prompt[-1], *reply.tokens[:-1]))
            assert [int(row.argmax()) for chunk in rows for row in chunk] == list(reply.tokens)


def test_the_job_measures_both_sets_off_the_shelf_and_trained(
    models: Path, data: Path, tmp_path: Path
) -> None:
    job = ActiveRun(tmp_path, evidence=MEASURED, stream=io.StringIO())
    result = acceptance.run(
        job,
        data=data,
        prompts=2,
        tokens=12,
        exits="15",
        draft_tokens=3,
        temperature=0.6,
        trained_model=None,
        seed=42,
    )
    json.dumps(result)
    for name in (prompt_sets.AMI, prompt_sets.DAILYDIALOG):
        ways = result["acceptance"][name]["exit 15"]
        assert set(ways) == {SHELF, ADAPTER, f"gain of {ADAPTER}"}
        for measure in (EVERY, ONE, MANY, SAMPLED):
            assert 0 <= ways[SHELF][measure]["replies"]["value"] <= 1
        assert ways[f"gain of {ADAPTER}"][EVERY]["low"] > 0
    signals = result["kill_signal"].values()
    assert {signal["set"] for signal in signals} == set(result["acceptance"])
    assert {signal["exit_layer"] for signal in signals} == {15}
    lines = (tmp_path / "metrics.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 4
    assert all(len(json.loads(line)[EVERY]) == 2 for line in lines)
