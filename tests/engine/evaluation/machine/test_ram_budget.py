"""Job ram-budget: a pass condition that fails, and every real part measured."""

from __future__ import annotations

import io
import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from engine.errors import JobFailed
from engine.evaluation.machine import ram_budget, ram_parts
from engine.evaluation.machine.ram_budget import Budget
from engine.events import Evidence
from engine.records.runs import ActiveRun
from engine.settings import DecoderSettings
from engine.store import manifest


def budget(**changes: float) -> Budget:
    sizes = {"parts_mb": 600.0, "others_mb": 3000.0, "reserve_mb": 500.0, "memory_mb": 4100.0}
    return Budget(**(sizes | changes))


def test_what_just_fits_passes_and_one_megabyte_more_of_anything_does_not() -> None:
    assert budget().passed
    assert budget().left_mb == 0
    for name, value in (("parts_mb", 601.0), ("others_mb", 3001.0), ("reserve_mb", 501.0)):
        assert not budget(**{name: value}).passed
    failing = budget(memory_mb=4099.0)
    assert not failing.passed
    assert ram_budget.in_words(failing).startswith("KILL SIGNAL")
    assert "1 MB are missing" in ram_budget.in_words(failing)
    assert not ram_budget.in_words(budget()).startswith("KILL SIGNAL")


def test_memory_that_somebody_names_is_not_measured() -> None:
    for named, tag in ((True, "scripted"), (False, "measured")):
        result = ram_budget.summarise({}, budget(), Evidence.MEASURED, named=named)
        assert result["memory"]["evidence"] == tag


def test_a_decoder_that_cannot_load_its_model_or_is_late_has_no_figure(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = manifest.find(DecoderSettings().model)
    (tmp_path / model.file).parent.mkdir(parents=True, exist_ok=True)
    with (tmp_path / model.file).open("wb") as spoilt:
        spoilt.truncate(model.size)
    monkeypatch.setenv("PADS_MODELS", str(tmp_path))
    with pytest.raises(JobFailed, match="memory was not measured"):
        ram_parts.decoder_mb()
    monkeypatch.setenv("PADS_MODELS", str(models))
    monkeypatch.setattr(ram_parts, "_DECODER_S", 0.0)
    with pytest.raises(JobFailed, match=r"not measured \(it was not ready in time"):
        ram_parts.decoder_mb()


def on_a_small_machine(folder: Path) -> dict[str, Any]:
    """The job's result."""
    job = ActiveRun(folder, evidence=Evidence.MEASURED, stream=io.StringIO())
    return ram_budget.run(job, memory_gb=0.3, reserve_mb=0.0, strict=False)


@pytest.mark.usefixtures("models", "display")
def test_every_part_is_measured_and_a_small_machine_fails(tmp_path: Path) -> None:
    # In a process of its own, as jobs run: in one that had the models before, they grow nothing.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        result = pool.submit(on_a_small_machine, tmp_path).result()
    json.dumps(result, allow_nan=False)
    parts = {name: figure["value"] for name, figure in result["parts"].items()}
    assert parts["window"] > 50
    assert parts["decoder"] > 90  # the weights alone
    assert parts["recogniser"] > 30
    assert parts["turn end and speech detection"] > 10
    assert result["together"]["value"] == pytest.approx(sum(parts.values()))
    assert not result["passed"]
    assert result["verdict"] == "does not fit"
    assert result["left"]["value"] < 0
    assert result["memory"]["evidence"] == "scripted"
