from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from engine import cli, paths
from engine.evaluation.decoding import decode, decode_race, decode_ways
from engine.evaluation.decoding.decode_race import Sample
from engine.records import runs


def test_the_bench_times_every_way_and_keeps_its_samples(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["bench", "decode", "--prompts", "2", "--loads", "2", "--tokens", "9", "--exits", "15"]
    assert cli.main([*words, "--drafts", "2", "--threads", "1", "--json"]) == 0
    *rows, summary = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["way"] for row in rows] == ["off the shelf", "exit adapter"]
    for row in rows:
        assert (row["type"], row["exit_layer"], row["draft_tokens"]) == ("row", 15, 2)
        assert 0 <= row["acceptance"] <= 1
        assert row["tokens_per_verification"] >= 1
    for key in ("plain_tokens_per_s", "unspeculated_ratio", "auto_ratio"):
        assert 0 < summary[key]["low"] <= summary[key]["median"] <= summary[key]["high"]
    assert summary["same_tokens"]
    assert summary["loads"] == 2
    run = runs.find(paths.runs(), summary["run"])
    assert run.result() is not None
    ways = {line["way"] for line in run.metrics()}
    assert {decode_ways.PLAIN, decode_ways.UNSPECULATED, decode_ways.AUTO} < ways
    assert {(line["load"], line["prompt"]) for line in run.metrics()} == {(0, 0), (1, 1)}


@dataclass
class Scripted:
    """A way that takes as long as it is told."""

    name: str
    seconds: float
    tokens: int = 8

    def run(self, prompt: Sequence[int], count: int, number: int) -> Sample:
        tokens = self.tokens if prompt else 3
        return Sample(way=self.name, prompt=number, tokens=tokens, seconds=self.seconds, rounds=4)


def test_ratios_are_paired_and_short_replies_left_out() -> None:
    ways = [Scripted(decode_ways.PLAIN, 2.0), Scripted("twice", 1.0)]
    results = decode_race.race(ways, [[1], [], [2]], 8)
    assert results.ratios("twice", decode_ways.PLAIN) == [2.0, 2.0]
    figures = decode.row(results, "twice")
    assert figures["ratio"] == {"median": 2.0, "low": 2.0, "high": 2.0}
    assert figures["tokens_per_verification"] == 2.0
    assert figures["acceptance"] is None


def test_the_interval_of_a_median_widens_with_the_spread() -> None:
    narrow = decode_race.median_interval([1.0, 1.01, 0.99, 1.0, 1.02])
    wide = decode_race.median_interval([1.0, 2.0, 0.2, 1.0, 3.0])
    assert narrow["low"] <= narrow["median"] <= narrow["high"]
    assert wide["high"] - wide["low"] > narrow["high"] - narrow["low"]


def test_loads_are_the_units_of_a_ratio() -> None:
    results = decode_race.Results()
    for load, seconds in enumerate((1.0, 2.0)):
        ways = [Scripted(decode_ways.PLAIN, 2.0), Scripted("other", seconds)]
        results.add(decode_race.race(ways, [[1], [2], [3]], 8), load, 3 * load)
    assert [s.prompt for s in results.samples["other"]] == list(range(6))
    assert results.by_load(results.ratios("other", decode_ways.PLAIN)) == [2.0, 1.0]
    figures = decode.row(results, "other")
    assert figures["ratio"] == {"median": 1.5, "low": 1.0, "high": 2.0}
