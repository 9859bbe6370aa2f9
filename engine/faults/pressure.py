"""A machine that has no memory left, or that other programs keep busy."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import psutil

from engine import events
from engine.events import Event
from engine.faults import command_line as line
from engine.faults.case import NotAsExpected, Observed
from engine.faults.conversation import complete, decoder, hear, recorded, undisturbed

_BUSY = "while True: pass"
_ENOUGH_MB, _LITTLE_MB = 3000, 700
_FILES = 14


def busy(folder: Path) -> Observed:
    """A check: two programs for each core compute all the time beside it."""
    busy_ones = 2 * (os.cpu_count() or 1)
    with ExitStack() as stack:
        for _ in range(busy_ones):
            stack.enter_context(line.started([sys.executable, "-c", _BUSY], folder))
        replay = stack.enter_context(line.started(line.replaying(recorded(folder)), folder))
        summary = replay.rest()
    if summary["dropped_blocks"]:
        raise NotAsExpected(f"{summary['dropped_blocks']} blocks of sound were lost")
    line.answered(summary)
    ttft_ms = summary["post_confirmation_ttft_ms"]["median"]
    return Observed(
        words=f"answered once, the first word {ttft_ms:.0f} ms after the turn, beside {busy_ones} "
        "busy programs; no block of sound was lost"
    )


def full(folder: Path) -> Observed:
    """A check: the decoder may take no more memory once it decodes ahead; the reply is the same."""
    file = recorded(folder)
    wanted = undisturbed(file.read_bytes())
    allowed: list[int] = []

    def see(event: Event) -> None:
        if isinstance(event, events.BranchStarted) and not allowed:
            process = decoder()
            allowed.append(process.memory_info().vms)
            process.rlimit(psutil.RLIMIT_AS, (allowed[0], allowed[0]))

    summary, seen = hear(file, see, folder / "sessions")
    if not allowed:
        raise NotAsExpected("nothing was decoded ahead, so nothing was done")
    if (tuple(summary.transcripts), tuple(summary.replies)) != wanted:
        raise NotAsExpected(f"answered {summary.replies} instead of {wanted[1]}")
    complete(folder / "sessions", seen)
    died = any(isinstance(e, events.DecoderStatus) and e.state == "died" for e in seen)
    how = "said that it died, restarted" if died else "it had all it needs"
    return Observed(words=f"{how}, and gave the same reply")


def few_files(folder: Path) -> Observed:
    """A check: it may have so few files open at once that it cannot do its work."""
    command = ["prlimit", f"--nofile={_FILES}", *line.replaying(recorded(folder))]
    with line.started(command, folder) as replay:
        return _told_or_answered(replay, line.family(replay.process.pid))


def short(at_once: bool) -> Callable[[Path], Observed]:
    """A check: too little memory to start with, or none that is left while someone speaks."""

    def check(folder: Path) -> Observed:
        limit = _LITTLE_MB if at_once else _ENOUGH_MB
        command = ["prlimit", f"--as={limit << 20}", *line.replaying(recorded(folder))]
        with line.started(command if at_once else command[2:], folder) as replay:
            if not at_once:
                replay.until(line.MOMENTS["speaking"], "speaking")
                program = psutil.Process(replay.process.pid)
                held = program.memory_info().vms
                program.rlimit(psutil.RLIMIT_AS, (held, held))
            members = line.family(replay.process.pid)
            return _told_or_answered(replay, members)

    return check


def _told_or_answered(replay: line.Replaying, members: list[psutil.Process]) -> Observed:
    try:
        line.answered(replay.rest())
    except NotAsExpected:
        code, said = replay.process.returncode, replay.complaint()
        if code != 1 or not said.startswith("pads: "):
            raise
        line.gone(members)
        line.kept(replay)
        return Observed(words=f"said “{said.removeprefix('pads: ')}”", lost="the turn under way")
    return Observed(words="had all it needs, and answered once")
