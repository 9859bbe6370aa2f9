"""The real window: its display is lost, the user logs out, there is a second one."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine import paths, settings
from engine.faults import command_line as line
from engine.faults.case import NotAsExpected, Observed, until, variables
from engine.records import folders, session_log

_LONGEST_S = 90.0


@contextmanager
def display() -> Iterator[subprocess.Popen[bytes]]:
    """An X server of its own, named in the environment while the block lasts."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-nolisten", "tcp", "-noreset"]
    with open(reading, encoding="ascii") as pipe:
        server = subprocess.Popen(
            command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(writing)
        try:
            number = pipe.readline().strip()
            if not number:
                raise NotAsExpected("Xvfb does not start")
            with variables({"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}):
                yield server
        finally:
            server.kill()
            server.wait()


def losing(
    what: Callable[[line.Replaying, subprocess.Popen[bytes]], None],
) -> Callable[[Path], Observed]:
    """A check: something happens to the window; it ends in time, recorded, and leaves nothing."""

    def check(folder: Path) -> Observed:
        settings.save(settings.Settings(introduced=True), paths.settings_file())
        with display() as server, line.started(line.program(), folder) as window:
            until(lambda: _ready(window) > 0, "the window never became ready", _LONGEST_S)
            (session,) = paths.sessions().iterdir()
            shown = sum(1 for _ in session_log.read(session))
            members = line.family(window.process.pid)
            began_s = time.monotonic()
            what(window, server)
            seen = line.ended(window, members, began_s)
        if sum(1 for _ in session_log.read(session)) < shown:
            raise NotAsExpected("what was shown is not in the record")
        return seen

    return check


def doubled(folder: Path) -> Observed:
    """A check: two windows at once in one home; one is closed, the other goes on."""
    settings.save(settings.Settings(introduced=True), paths.settings_file())
    program = line.program()
    with display(), line.started(program, folder) as one, line.started(program, folder) as other:
        until(lambda: _ready(one) + _ready(other) == 4, "both never became ready", 2 * _LONGEST_S)
        members, began_s = line.family(one.process.pid), time.monotonic()
        one.process.send_signal(signal.SIGTERM)
        seen = line.ended(one, members, began_s)
        if other.process.poll() is not None:
            raise NotAsExpected(f"the other ended, too ({other.complaint()})")
        members, began_s = line.family(other.process.pid), time.monotonic()
        other.process.send_signal(signal.SIGTERM)
        line.ended(other, members, began_s)
    states = sorted(
        str((folders.read_json(session / "manifest.json") or {}).get("status"))
        for session in paths.sessions().iterdir()
    )
    if states != ["finished", "finished"]:
        raise NotAsExpected(f"their sessions are {states}")
    return Observed(
        words="both were ready, each with a record of its own; the end of one left the other alone",
        recovery_s=seen.recovery_s,
    )


def _ready(window: line.Replaying) -> int:
    """How many windows of this home are ready; `NotAsExpected` once this one has ended."""
    if window.process.poll() is not None:
        raise NotAsExpected(f"the window ended ({window.complaint()})")
    return sum(
        event["type"] == "engine_ready"
        for log in paths.sessions().glob("*/events.jsonl")
        for event in session_log.read(log.parent)
    )


def lose_display(_: line.Replaying, server: subprocess.Popen[bytes]) -> None:
    """The X server dies."""
    server.kill()


def told(name: str) -> Callable[[line.Replaying, subprocess.Popen[bytes]], None]:
    """The window gets a signal: at a logout SIGHUP or SIGTERM."""
    return lambda window, _: window.process.send_signal(line.interrupt(name))
