"""`pads replay` as a process of its own: ended, suspended, doubled, without room or network."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import psutil

from engine import paths
from engine.faults.case import NotAsExpected, Observed, running, until
from engine.faults.conversation import recorded
from engine.records import session_log

ENDS_S = 2.0
"""From any state an end may take so long."""

_PATIENCE_S = 90.0

MOMENTS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "loading": lambda event: event["type"] == "engine_progress",
    "speaking": lambda event: event.get("state") == "speaking",
    "pausing": lambda event: event["type"] == "branch_started",
    "replying": lambda event: event["type"] == "reply_served",
}
"""Moments of a replay, each with the line by which it is known to have come."""


def program() -> list[str]:
    """The command that is `pads`."""
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "app"]


def replaying(file: Path) -> list[str]:
    """The command that converses over a recording and prints every event."""
    return [*program(), "replay", str(file), "--json", "--log"]


class Replaying:
    """A running command, and the events it has printed so far."""

    def __init__(self, process: subprocess.Popen[str], errors: IO[str]) -> None:
        self.process = process
        self.events: list[dict[str, Any]] = []
        self._errors = errors

    def until(self, reached: Callable[[dict[str, Any]], bool], name: str) -> None:
        """Read until such an event comes."""
        for event in self._told():
            if reached(event):
                return
        raise NotAsExpected(f"{name} was never reached ({self.complaint()})")

    def rest(self) -> dict[str, Any]:
        """Read to the end; the summary, which is the last line of a command that ended well."""
        for _ in self._told():
            pass
        code = self.process.wait(_PATIENCE_S)
        if code or not self.events or self.events[-1]["type"] != "summary":
            raise NotAsExpected(f"it ended with status {code} ({self.complaint()})")
        return self.events[-1]

    def _told(self) -> Iterator[dict[str, Any]]:
        """The events from here on; a command that neither goes on nor ends is killed."""
        assert self.process.stdout is not None
        hung = threading.Timer(_PATIENCE_S, self.process.kill)
        hung.start()
        try:
            for line in self.process.stdout:
                self.events.append(json.loads(line))
                yield self.events[-1]
            if hung.finished.is_set():
                raise NotAsExpected(f"it did not end ({self.complaint()})")
        finally:
            hung.cancel()

    def complaint(self) -> str:
        """The last line it wrote to standard error."""
        self._errors.seek(0)
        return (self._errors.read().strip().splitlines() or ["it said nothing"])[-1][:200]


@contextmanager
def started(command: Sequence[str], folder: Path) -> Iterator[Replaying]:
    """A command in a process group of its own, of which nothing is left afterwards."""
    _let_signals_through()
    root = str(Path(__file__).resolve().parents[2])
    with open(folder / f"errors-{time.monotonic_ns()}", "w+", encoding="utf-8") as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
            cwd=root,
        )
        try:
            yield Replaying(process, errors)
        finally:
            for one in [*family(process.pid)]:
                if running(one):
                    one.kill()
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


def _let_signals_through() -> None:
    """Behind a shell's `&` or `nohup` they are not for us; a child would inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    hangup = getattr(signal, "SIGHUP", None)
    if hangup is not None and signal.getsignal(hangup) is signal.SIG_IGN:
        signal.signal(hangup, signal.SIG_DFL)


def family(pid: int) -> list[psutil.Process]:
    """A process and all that descend from it; empty when it is gone."""
    try:
        parent = psutil.Process(pid)
        return [parent, *parent.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def ending(number: int, moment: str, *, times: int = 1) -> Callable[[Path], Observed]:
    """A check: signal a replay at a moment; it ends in time and leaves no process."""

    def check(folder: Path) -> Observed:
        with started(replaying(recorded(folder)), folder) as replay:
            replay.until(MOMENTS[moment], moment)
            members = family(replay.process.pid)
            began_s = time.monotonic()
            for _ in range(times):
                replay.process.send_signal(number)
            return ended(replay, members, began_s)

    return check


def unread(folder: Path) -> Observed:
    """A check: whoever reads what it prints goes away; it ends and leaves no process."""
    with started(replaying(recorded(folder)), folder) as replay:
        replay.until(MOMENTS["speaking"], "speaking")
        members = family(replay.process.pid)
        assert replay.process.stdout is not None
        replay.process.stdout.close()
        return ended(replay, members, time.monotonic())


def ended(replay: Replaying, members: list[psutil.Process], began_s: float) -> Observed:
    """What is left of a command that was told to end at `began_s`."""
    try:
        code = replay.process.wait(10 * ENDS_S)
    except subprocess.TimeoutExpired as exc:
        raise NotAsExpected("it did not end") from exc
    took_s = time.monotonic() - began_s
    gone(members)
    if code < 0:
        raise NotAsExpected(f"it died of signal {-code}")
    if took_s > ENDS_S:
        raise NotAsExpected(f"it took {took_s:.1f} s to end")
    kept(replay)
    return Observed(words=f"ended with status {code} and left no process", recovery_s=took_s)


def gone(members: list[psutil.Process]) -> None:
    """Check that processes end soon; those that do not are killed."""
    try:
        until(lambda: not any(running(one) for one in members), "left running", ENDS_S)
    except NotAsExpected as exc:
        left = [one for one in members if running(one)]
        names = ", ".join(" ".join(one.cmdline()[-3:]) for one in left)
        for one in left:
            one.kill()
        raise NotAsExpected(f"left running: {names}") from exc


def kept(replay: Replaying) -> None:
    """Check that all that a command has shown is in its record."""
    shown = len(replay.events)
    for session in paths.sessions().glob("*/"):
        lines = sum(1 for _ in session_log.read(session))
        if lines < shown:
            raise NotAsExpected(f"{shown - lines} of {shown} events are not in the record")


def answered(summary: dict[str, Any]) -> None:
    """Check that the one turn was understood and answered once."""
    if (summary["turns"], summary["replies"]) != (1, 1):
        raise NotAsExpected(f"{summary['turns']} turns and {summary['replies']} replies, not one")
    if "cactus" not in summary["transcripts"][0].lower():
        raise NotAsExpected(f"it understood {summary['transcripts'][0]!r}")


def doubled(folder: Path) -> Observed:
    """A check: two at once in one home."""
    command = replaying(recorded(folder))
    with started(command, folder) as one, started(command, folder) as other:
        for replay in (one, other):
            answered(replay.rest())
    logs = [session_log.read(session) for session in paths.sessions().glob("*/")]
    counts = sorted(sum(1 for _ in log) for log in logs)
    if counts != sorted(len(replay.events) - 1 for replay in (one, other)):
        raise NotAsExpected(f"the records hold {counts} events")
    return Observed(words="both answered, each in a record of its own")


def without_room(read_only: bool) -> Callable[[Path], Observed]:
    """A check: the data folder is a disk of 32 kB, or cannot be written."""

    def check(folder: Path) -> Observed:
        paths.data().mkdir(parents=True)
        small = [sys.executable, "-m", "engine.faults.small_disk", str(paths.data())]
        inside = [*apart("--mount"), *small, "ro" if read_only else "32k"]
        with started([*inside, *replaying(recorded(folder))], folder) as replay:
            answered(replay.rest())
        told = [event["message"] for event in replay.events if event["type"] == "problem"]
        if not any("no longer recorded" in message for message in told):
            raise NotAsExpected(f"it was not said that nothing is recorded: {told}")
        return Observed(
            words=f"answered, and said “{told[0][:90]}…”",
            lost="the record from then on, which was said",
        )

    return check


def without_network(folder: Path) -> Observed:
    """A check: no interface at all, not even to itself, and a socket ends the program."""
    file = recorded(folder)
    watched = [sys.executable, "-m", "engine.faults.no_sockets", *replaying(file)[-4:]]
    with started([*apart("--net"), *watched], folder) as replay:
        answered(replay.rest())
    return Observed(words="answered; neither it nor its decoder had a network to reach")


def apart(what: str) -> list[str]:
    """A command's beginning that gives it namespaces of its own."""
    return ["unshare", "--user", "--map-root-user", what]


def saving_at_once(folder: Path) -> Observed:
    """A check: two processes save the settings two hundred times each while one reads them.

    What they save names a microphone: settings without one were read before all was written.
    """
    from engine import settings

    file = folder / "settings.toml"
    code = "engine.faults.saving"
    with (
        started([sys.executable, "-m", code, str(file)], folder) as one,
        started([sys.executable, "-m", code, str(file)], folder) as other,
    ):
        reads = 0
        while one.process.poll() is None or other.process.poll() is None:
            written = file.exists()
            if settings.load(file).microphone is None and written:
                raise NotAsExpected("settings were read of which a part was missing")
            reads += 1
        for process in (one, other):
            if process.process.returncode:
                raise NotAsExpected(process.complaint())
    return Observed(words=f"{reads} reads meanwhile each found whole settings")


def interrupt(number: str) -> int:
    """A signal by its name; SIGTERM where the system does not know it."""
    return int(getattr(signal, number, signal.SIGTERM))
