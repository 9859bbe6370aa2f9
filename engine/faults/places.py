"""Places to write to that vanish, fill up or cannot be written, and files that others shorten."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

import psutil

from engine import paths
from engine.faults import command_line as line
from engine.faults.case import NotAsExpected, Observed, until
from engine.faults.conversation import recorded

_SHORT = 1000  # bytes that are left of a file


def data_deleted(folder: Path) -> Observed:
    """A check: the data folder is deleted while someone speaks."""
    with line.started(line.replaying(recorded(folder)), folder) as replay:
        replay.until(line.MOMENTS["speaking"], "speaking")
        until(lambda: _deleted(paths.data()), "it cannot be deleted", 10.0)
        line.answered(replay.rest())
    told = [event["message"] for event in replay.events if event["type"] == "problem"]
    if not any("no longer recorded" in message for message in told):
        raise NotAsExpected(f"it was not said that nothing is recorded: {told}")
    return Observed(words=f"answered, and said “{told[0]}”", lost="the record, which was said")


def _deleted(place: Path) -> bool:
    """Delete a folder in which others may write meanwhile; whether it is gone."""
    shutil.rmtree(place, ignore_errors=True)
    return not place.exists()


def cache_read_only(folder: Path) -> Observed:
    """A check: the language model's halves are not there and cannot be written."""
    small = [sys.executable, "-m", "engine.faults.small_disk", str(paths.cache()), "ro"]
    command = [*line.apart("--mount"), *small, *line.replaying(recorded(folder))]
    with line.started(command, folder) as replay:
        return _refused(replay, "cannot be kept in")


def output_full(folder: Path) -> Observed:
    """A check: what it prints goes to a disk that is full."""
    command = ["sh", "-c", 'exec "$@" >/dev/full', "sh", *line.replaying(recorded(folder))]
    with line.started(command, folder) as replay:
        return _refused(replay, "cannot be written")


def _refused(replay: line.Replaying, why: str) -> Observed:
    """What is said by a command that ends by itself with status 1, a sentence, and no process."""
    members: set[psutil.Process] = set()

    def ended() -> bool:
        members.update(line.family(replay.process.pid))
        return replay.process.poll() is not None

    until(ended, "it did not end", 90.0)
    line.gone(list(members))
    said = replay.complaint()
    if replay.process.returncode != 1 or not said.startswith("pads: ") or why not in said:
        raise NotAsExpected(f"it ended with status {replay.process.returncode} ({said})")
    return Observed(words=f"said “{said.removeprefix('pads: ')}”", lost="what was to be said")


def halves_shortened(folder: Path) -> Observed:
    """A check: the files that the decoder works from are cut off while someone speaks."""
    halves = paths.cache() / "halves"
    shared = halves.resolve()
    halves.unlink()
    shutil.copytree(shared, halves)
    with line.started(line.replaying(recorded(folder)), folder) as replay:
        replay.until(line.MOMENTS["speaking"], "speaking")
        files = list(halves.glob("*.gguf"))
        for file in files:
            os.truncate(file, _SHORT)
        began_s = time.monotonic()
        replay.until(line.MOMENTS["replying"], "a reply")
        replied_s = time.monotonic()
        line.answered(replay.rest())
    states = [event["state"] for event in replay.events if event["type"] == "decoder_status"]
    if "died" not in states:
        return Observed(words=f"{len(files)} files were cut off; it had read them, and answered")
    if not any(file.stat().st_size > _SHORT for file in files):
        raise NotAsExpected("the files were not made anew")
    return Observed(
        words="the decoder died of it, was started again with its files made anew, and answered",
        recovery_s=replied_s - began_s,
    )
