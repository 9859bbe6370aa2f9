"""Every job there is, started by clicks in the real window at settings made small."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.jobs.window import JobsWindow
from app.main_window import MainWindow
from engine.jobs import catalogue
from engine.jobs.job import Value
from engine.records.runs import RunDirectory, RunStatus
from tests.app.jobs.test_jobs_window import LEFT, jobs_window, main
from tests.engine.jobs.conftest import SMALL, corpora, shallow, small_corpus

__all__ = ["corpora", "main", "shallow", "small_corpus"]

PROMPTS: dict[str, Value] = {"prompts": 2, "tokens": 8}
SMALLER: dict[str, dict[str, Value]] = {
    "frequent-words": {"words": 500},
    "train-exit-adapter": {
        **PROMPTS,
        "tokens": 64,
        "exits": "15",
        "steps": 2,
        "batch": 2,
        "replies": 4,
        "vocabulary": 512,
        "threads": 1,
    },
    "train-turn-end": {"turns": 8},
    "pauses": {"answers": 1},
    "turn-end": {"turns": 8},
    "autotune": {**PROMPTS, "exits": "15", "drafts": "1"},
    "acceptance": {**PROMPTS, "exits": "15"},
    "policies": {**PROMPTS, "prompts": 4},
    "rouge": PROMPTS,
    "bandwidth": {"loads": 2, "rounds": 1, "tokens": 8},
    "thermal": {"minutes": 0.5},
    "pipeline": {"trials": 2},
    "gate-ablation": {"demos": 1, "recordings": 1},
    "decode": {**PROMPTS, "exits": "15", "drafts": "1"},
    "identity": {"prompts": 2, "format_prompts": 1, "tokens": 8, "formats": "Q4_0"},
}
"""What is changed of a job's defaults, so that it ends within a minute or two."""
TOGETHER = ("train-layerskip", "export-model")
"""The second writes what the first has trained."""


def finished(qtbot: QtBot, window: JobsWindow, job: str, **values: Value) -> RunDirectory:
    """Choose a job, set its form, start it and look at its result, all in the window."""
    row = [one.name for one in catalogue.JOBS].index(job)
    window.jobs.scrollToItem(window.jobs.item(row))
    place = window.jobs.visualItemRect(window.jobs.item(row)).center()
    qtbot.mouseClick(window.jobs.viewport(), LEFT, pos=place)
    assert window.job.form is not None
    window.job.form.set_values(values)
    qtbot.mouseClick(window.job.start, LEFT)
    assert window.run.follower is not None
    run = window.run.follower.run
    over = (RunStatus.FINISHED, RunStatus.FAILED, RunStatus.INTERRUPTED)
    qtbot.waitUntil(lambda: run.status() in over, timeout=800_000)
    assert run.status() is RunStatus.FINISHED, run.manifest().get("reason")
    qtbot.waitUntil(lambda: bool(window.run.result.tables), timeout=20_000)
    assert "finished" in window.run.state.text()
    return run


@pytest.mark.heavy
@pytest.mark.timeout(900)
@pytest.mark.parametrize("job", [one.name for one in catalogue.JOBS if one.name not in TOGETHER])
def test_a_job_gives_its_result_in_the_window(
    qtbot: QtBot, main: MainWindow, data: Path, job: str
) -> None:
    if job == "train-exit-adapter":
        pytest.importorskip("torch")
    window = jobs_window(qtbot, main)
    run = finished(qtbot, window, job, **SMALLER.get(job, {}))
    result = run.result() or {}
    assert len(window.run.result.plots) == len(result.get("plots", []))


@pytest.mark.heavy
@pytest.mark.timeout(900)
def test_a_model_is_trained_and_written_in_another_format_in_the_window(
    qtbot: QtBot, main: MainWindow, corpora: Path, shallow: Path
) -> None:
    pytest.importorskip("torch")
    window = jobs_window(qtbot, main)
    given: dict[str, Value] = {**SMALL, "data": corpora, "model": shallow, "steps": 2}
    finished(qtbot, window, "train-layerskip", **given)
    run = finished(qtbot, window, "export-model", formats="Q8_0")
    assert list(run.folder.rglob("*Q8_0.gguf"))
