"""The queue: real jobs, one after another, in a worker process of their own."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import paths
from engine.errors import JobFailed
from engine.jobs import catalogue, queue
from engine.jobs.launch import job_directory
from engine.records import runs
from engine.records.runs import RunDirectory, RunStatus
from tests.engine.jobs.conftest import workers_gone

TRAIN = catalogue.find("train-dialogue-act")
WORDS = catalogue.find("frequent-words")


def until(what: Callable[[], bool], limit_s: float = 120) -> None:
    deadline_s = time.monotonic() + limit_s
    while not what():
        assert time.monotonic() < deadline_s, "it did not happen in time"
        time.sleep(0.02)


def over(*given: RunDirectory) -> bool:
    return all(run.status() not in (RunStatus.QUEUED, RunStatus.RUNNING) for run in given)


def times(run: RunDirectory) -> tuple[str, str]:
    manifest = run.manifest()
    return manifest["started"], manifest["ended"]


def test_jobs_are_done_in_order_and_one_at_a_time(small_corpus: Path) -> None:
    first = queue.add(TRAIN, {"data": small_corpus}, purpose="the first")
    second = queue.add(WORDS, {"data": small_corpus, "words": 100})
    third = queue.add(TRAIN, {"data": small_corpus, "seed": 7})
    second.request_cancel()
    running = set()

    def all_over() -> bool:
        running.add(sum(run.status() is RunStatus.RUNNING for run in (first, second, third)))
        return over(first, second, third)

    until(all_over)
    until(workers_gone)
    assert max(running) <= 1
    assert first.status() is third.status() is RunStatus.FINISHED
    assert second.status() is RunStatus.INTERRUPTED
    assert second.manifest()["reason"] == "cancelled before it began"
    assert "started" not in second.manifest()
    assert times(first)[1] <= times(third)[0]
    assert queue.waiting() == []


def test_a_worker_goes_on_with_what_was_left(small_corpus: Path) -> None:
    """As after a restart of the machine: queued folders, and nobody at work."""
    left = [job_directory(TRAIN, {"data": small_corpus}, queued=True) for _ in range(2)]
    assert [run.name for run in queue.waiting()] == [run.name for run in left]
    queue.start_worker()
    queue.start_worker()  # meets a locked door
    until(lambda: over(*left))
    until(workers_gone)
    assert [run.status() for run in left] == [RunStatus.FINISHED] * 2


@pytest.mark.usefixtures("data")
def test_a_running_job_is_cancelled_from_elsewhere_and_the_next_begins(small_corpus: Path) -> None:
    long = queue.add(TRAIN, {})
    short = queue.add(TRAIN, {"data": small_corpus})
    until(lambda: '"Fitting"' in _text(long, "progress.jsonl"))
    long.request_cancel()
    until(lambda: over(long, short))
    until(workers_gone)
    assert long.manifest()["reason"] == "cancelled"
    assert long.manifest()["exit_code"] == 130
    assert long.result() is None
    assert short.status() is RunStatus.FINISHED


def test_a_job_for_which_there_is_no_room_fails_and_says_why(
    small_corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = job_directory(TRAIN, {"data": small_corpus}, queued=True)
    from engine.jobs import guard

    monkeypatch.setattr(guard, "FLOOR_MB", 1e9)
    assert queue.work() == 0
    manifest = run.manifest()
    assert manifest["status"] == "failed"
    assert "MB of memory" in manifest["reason"]
    lines = _text(run, "progress.jsonl").splitlines()
    assert json.loads(lines[-1])["status"] == "failed"


def test_a_damaged_manifest_waits_for_nothing(small_corpus: Path) -> None:
    damaged, whole = (job_directory(TRAIN, {"data": small_corpus}, queued=True) for _ in range(2))
    (damaged.folder / "manifest.json").write_text("{", "utf-8")
    assert [run.name for run in queue.waiting()] == [whole.name]


def test_bad_parameters_are_not_queued() -> None:
    with pytest.raises(JobFailed, match="--seed"):
        queue.add(TRAIN, {"seed": -1})
    assert runs.every(paths.runs()) == []


def _text(run: RunDirectory, name: str) -> str:
    try:
        return (run.folder / name).read_text("utf-8")
    except FileNotFoundError:
        return ""
