"""Clocks that jump and a machine that is suspended: audio goes missing, time does not wait."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import psutil

from engine import paths
from engine.faults import command_line as line
from engine.faults.case import NotAsExpected, Observed, until, variables
from engine.faults.conversation import recorded
from engine.faults.virtual_microphone import VirtualMicrophone
from engine.history import sessions
from engine.records import session_log

_LISTENS_S = 40


def suspended(moment: str, seconds: float) -> Callable[[Path], Observed]:
    """A check: the whole family stands still for a while, as in a suspend."""

    def check(folder: Path) -> Observed:
        with line.started(line.replaying(recorded(folder)), folder) as replay:
            replay.until(line.MOMENTS[moment], moment)
            _stand_still(replay, seconds)
            line.answered(replay.rest())
        states = [event["state"] for event in replay.events if event["type"] == "decoder_status"]
        if "died" in states:
            raise NotAsExpected("the decoder was taken for hung, and killed")
        return Observed(words="went on where it was and answered once")

    return check


def suspended_listening(folder: Path) -> Observed:
    """A check: a suspend while a microphone is heard, which talks on meanwhile."""
    air = VirtualMicrophone(folder / "sound")
    command = [*line.program(), "listen", "--seconds", str(_LISTENS_S), "--json", "--log"]
    try:
        air.start()
        with variables(air.environment), line.started(command, folder) as listening:
            listening.until(lambda event: event["type"] == "audio_heard", "the microphone")
            before = air.play(recorded(folder))
            listening.until(line.MOMENTS["speaking"], "speaking")
            _stand_still(listening, 5.0)
            resumed_s = time.monotonic()
            before.wait(30)
            listening.until(lambda event: event["type"] == "audio_heard", "sound again")
            again_s = time.monotonic()
            _let_turns_end(listening)
            air.play(recorded(folder)).wait(30)
            summary = listening.rest()
    finally:
        air.stop()
    heard_s = [event["heard_s"] for event in listening.events if event["type"] == "audio_heard"]
    if any(later < earlier for earlier, later in pairwise(heard_s)):
        raise NotAsExpected("the sample clock went backwards")
    if summary["turns"] != summary["replies"]:
        raise NotAsExpected(f"{summary['turns']} turns got {summary['replies']} replies")
    if "cactus" not in summary["transcripts"][-1].lower():
        raise NotAsExpected(f"afterwards it understood {summary['transcripts']}")
    return Observed(
        words=f"heard on, and understood “{summary['transcripts'][-1]}” afterwards; "
        f"{summary['dropped_blocks']} blocks counted as lost",
        recovery_s=again_s - resumed_s,
        lost="what was said meanwhile, as far as the sound server did not keep it",
    )


def _let_turns_end(listening: line.Replaying) -> None:
    """Wait until what was under way at the suspend is over."""
    listening.until(
        lambda event: event["type"] == "state_changed" and event["state"] == "listening",
        "the end of the turn",
    )


def _stand_still(program: line.Replaying, seconds: float) -> None:
    members = line.family(program.process.pid)
    for one in members:
        one.suspend()
    until(lambda: all(_stopped(one) for one in members), "it goes on regardless", 10.0)
    time.sleep(seconds)
    for one in members:
        one.resume()


def _stopped(one: psutil.Process) -> bool:
    return bool(one.status() == psutil.STATUS_STOPPED)


def jumping(hours: int) -> Callable[[Path], Observed]:
    """A check: the clock of the wall jumps while someone speaks."""

    def check(folder: Path) -> Observed:
        verb = line.replaying(recorded(folder))[-4:]
        command = [sys.executable, "-m", "engine.faults.jumping_clock", str(hours), *verb]
        with line.started(command, folder) as replay:
            replay.until(line.MOMENTS["speaking"], "speaking")
            with _set_anew(hours):
                if session_log.mark_interrupted(paths.sessions()):
                    raise NotAsExpected("the session that goes on is called interrupted")
            line.answered(replay.rest())
        (session,) = sessions.folders()
        (brief,) = sessions.brief(session).conversations
        if not 5 < brief.seconds < 15:
            raise NotAsExpected(f"the history says that it lasted {brief.seconds:.0f} s")
        return Observed(words="answered once; nobody took the session for dead")

    return check


@contextmanager
def _set_anew(hours: int) -> Iterator[None]:
    """What a clock that is set anew does to the boot's time, from which Linux counts."""
    real = psutil._pslinux.boot_time
    psutil._pslinux.boot_time = lambda: real() + 3600 * hours
    try:
        yield
    finally:
        psutil._pslinux.boot_time = real
