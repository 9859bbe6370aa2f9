"""Job bandwidth: where the plateau begins, what is extrapolated, and a short real run."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest

from engine.errors import JobFailed
from engine.evaluation.decoding import bandwidth
from engine.evaluation.decoding.copying import Copier, cache_bytes
from engine.events import Evidence
from engine.records.runs import ActiveRun
from tests.engine.telemetry import kernel

MEASURED = Evidence.MEASURED


def loads(*speeds: float, spread: float = 0.01) -> np.ndarray:
    noise = np.random.default_rng(1).normal(1, spread, (12, len(speeds)))
    return np.array(speeds) * noise


def test_a_plateau_is_found_where_more_threads_help_no_more() -> None:
    found = bandwidth.plateau(loads(10, 19, 24, 24.2, 24.1), (1, 2, 3, 4, 5), MEASURED)
    assert found.value == 3
    assert found.interval is not None
    assert 2 <= found.interval.low <= 3 <= found.interval.high <= 5


def test_no_plateau_is_claimed_while_speed_still_rises() -> None:
    found = bandwidth.plateau(loads(10, 20, 30, 40), (1, 2, 3, 4), MEASURED)
    assert found.value is None
    assert "still becomes faster up to 4 threads" in found.reason
    alone = bandwidth.plateau(loads(10), (1,), MEASURED)
    assert alone.value is None
    assert "only one" in alone.reason


def test_a_plateau_that_noise_could_move_to_the_end_is_undecided() -> None:
    # One and two threads reach 95 % of three's speed in the median, but not in every resample.
    noisy = {("decode", n): [24.8] * 12 if n == 3 else [20.0, 28.0] * 6 for n in (1, 2, 3)}
    flat = {("decode", n): [24.0 - n / 100] * 12 for n in (1, 2, 3)}
    copies = {("copy", n): [1e10] * 12 for n in (1, 2, 3)}
    verdicts = [
        bandwidth.summarise({**speeds, **copies}, (1, 2, 3), 100_000_000, 1e9, MEASURED)["verdict"]
        for speeds in (flat, noisy)
    ]
    assert verdicts == ["saturated", "undecided"]


def test_another_size_is_extrapolated_and_says_so() -> None:
    found = {
        **{("decode", n): [20.0, 21.0, 22.0] for n in (1, 2)},
        **{("copy", n): [8e9, 9e9, 10e9] for n in (1, 2)},
    }
    result = bandwidth.summarise(found, (1, 2), 100_000_000, 1e9, MEASURED)
    other, most = result["other_model"], result["other_model_at_most"]
    assert other.value == pytest.approx(2.1)
    assert most.value == pytest.approx(9.0)
    assert {other.evidence, most.evidence} == {Evidence.EXTRAPOLATED}
    assert other.interval.high == pytest.approx(2.2)
    at_two = result["by_threads"]["2"]
    assert at_two["weights_read"].value == pytest.approx(2.1)
    assert at_two["weights_read"].evidence is Evidence.DERIVED


@pytest.mark.parametrize(("cache", "told"), [(200 << 20, True), (8 << 20, False), (None, False)])
def test_a_model_that_fits_into_the_cache_says_little_of_the_memory(
    cache: int | None, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bandwidth, "cache_bytes", lambda: cache)
    found = {("decode", 1): [20.0, 21.0], ("copy", 1): [8e9, 9e9]}
    result = bandwidth.summarise(found, (1,), 100_000_000, 1e9, MEASURED)
    assert ("fits into this processor's cache" in result["caveat"]) == told
    assert ("fits into this processor's cache" in result["other_model"].reason) == told


@pytest.mark.parametrize("text", ["0", "1,x", ",", "-1,2"])
def test_thread_counts_are_checked(text: str) -> None:
    with pytest.raises(JobFailed, match="no list of thread counts"):
        bandwidth.thread_counts(text)


def test_thread_counts_default_to_all_there_are() -> None:
    assert bandwidth.thread_counts(" ")[0] == 1
    assert bandwidth.thread_counts("4,1,4") == [1, 4]


def test_the_caches_size_is_the_kernels(tmp_path: Path) -> None:
    assert cache_bytes(tmp_path) is None
    sizes = {"index0": "32K", "index2": "1M", "index3": "8192K", "index9": "?"}
    cache = "devices/system/cpu/cpu0/cache"
    kernel.write(tmp_path, {f"{cache}/{name}/size": size for name, size in sizes.items()})
    assert cache_bytes(tmp_path) == 8 << 20


def test_copying_has_a_rate(tmp_path: Path) -> None:
    copier = Copier(tmp_path)
    assert copier.bytes == 256 << 20
    assert copier.best_rate(2, copies=2) > 1e8


@pytest.mark.usefixtures("models")
def test_a_short_run_keeps_every_sample(tmp_path: Path) -> None:
    job = ActiveRun(tmp_path, evidence=MEASURED, stream=io.StringIO())
    result = bandwidth.run(
        job, threads="1,2", loads=2, rounds=1, tokens=4, other_gb=4.68, strict=False
    )
    json.dumps(result, allow_nan=False)
    lines = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert len(lines) == 2 * (1 + 1 + 1) * 4  # warm-up, discarded, kept; two ways at two counts
    kept = [line for line in lines if line["kept"]]
    assert [line["load"] for line in kept] == [0] * 4 + [1] * 4
    speed = result["by_threads"]["1"]["tokens_per_s"]
    one = [line["per_s"] for line in kept if (line["way"], line["threads"]) == ("decode", 1)]
    assert speed["value"] == pytest.approx(sum(one) / 2, abs=1e-4)
    assert "2 loads of the model" in speed["method"]
    assert result["other_model"]["evidence"] == "extrapolated"
    assert {plot["title"] for plot in result["plots"]} == {"Decoding", "Bytes moved"}
    titles = {table["title"] for table in result["tables"]}
    assert titles == {"By threads", "Conditions of the measurement"}
