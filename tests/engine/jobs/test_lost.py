"""Runs whose folder is deleted, or cannot be written, while somebody looks or works."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from engine.jobs import catalogue, queue
from engine.jobs.following import Follower
from engine.jobs.guard import Watchdog
from engine.jobs.launch import job_directory
from engine.records.runs import RunDirectory, RunStatus

TRAIN = catalogue.find("train-dialogue-act")


def queued(small_corpus: Path) -> RunDirectory:
    return job_directory(TRAIN, {"data": small_corpus}, queued=True)


def test_a_run_that_is_deleted_while_somebody_follows_it_is_over(small_corpus: Path) -> None:
    run = queued(small_corpus)
    follower = Follower(run)
    assert not follower.over
    shutil.rmtree(run.folder)
    run.request_cancel()  # asks nobody
    assert follower.poll() == []
    assert follower.over
    assert "no readable manifest" in follower.manifest["reason"]
    assert follower.manifest["job"] == TRAIN.name


def test_the_queue_goes_on_after_a_run_whose_folder_cannot_be_written(small_corpus: Path) -> None:
    stuck, next_one = queued(small_corpus), queued(small_corpus)
    (stuck.folder / "progress.jsonl").mkdir()
    assert queue.work() == 0
    assert next_one.status() is RunStatus.FINISHED
    assert stuck.status() is RunStatus.FAILED
    assert "Is a directory" in stuck.manifest()["reason"]


def test_a_run_that_cannot_be_begun_waits_on_and_is_not_tried_for_ever(small_corpus: Path) -> None:
    stuck, next_one = queued(small_corpus), queued(small_corpus)
    (stuck.folder / f"manifest.{os.getpid()}.partial").mkdir()
    assert queue.work() == 1
    assert [run.name for run in queue.waiting()] == [stuck.name, next_one.name]


def test_a_watchdog_that_cannot_tell_its_reading_watches_on(tmp_path: Path) -> None:
    watchdog = Watchdog(os.getpid(), 1e9, tmp_path / "gone")
    assert watchdog.look() is None
    assert watchdog.peak_mb > 0
    assert Watchdog(os.getpid(), 0.001, tmp_path / "gone").look() is not None
