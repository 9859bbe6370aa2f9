"""The real window: the display is lost under it, the user logs out."""

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
from engine.records import session_log

_LONGEST_S = 30.0


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
            until(lambda: _ready(window), "the window never became ready", _LONGEST_S)
            (session,) = paths.sessions().iterdir()
            shown = sum(1 for _ in session_log.read(session))
            members = line.family(window.process.pid)
            began_s = time.monotonic()
            what(window, server)
            seen = line.ended(window, members, began_s)
        if sum(1 for _ in session_log.read(session)) < shown:
            raise NotAsExpected("what was shown is not in the record")
        if window.process.returncode < 0:
            raise NotAsExpected(f"it died of signal {-window.process.returncode}")
        return seen

    return check


def _ready(window: line.Replaying) -> bool:
    if window.process.poll() is not None:
        raise NotAsExpected(f"the window ended ({window.complaint()})")
    return any(
        event["type"] == "engine_ready"
        for log in paths.sessions().glob("*/events.jsonl")
        for event in session_log.read(log.parent)
    )


def lose_display(_: line.Replaying, server: subprocess.Popen[bytes]) -> None:
    """The X server dies."""
    server.kill()


def log_out(window: line.Replaying, _: subprocess.Popen[bytes]) -> None:
    """The session tells its programs that it ends."""
    window.process.send_signal(signal.SIGHUP)
