"""The real window is told to end in each of its states: nothing of it is left, and soon."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import psutil
import pytest

from engine import cli, paths
from engine.faults import command_line
from engine.faults.case import until
from engine.faults.conversation import recorded
from engine.records import runs
from engine.records.runs import RunStatus
from tests.faults.closing import REACHED

pytestmark = [
    pytest.mark.usefixtures("display", "models"),
    pytest.mark.skipif(sys.platform != "linux", reason="signals of POSIX"),
]


def end(state: str, folder: Path, times: int = 1) -> float:
    """Seconds that the window took to end after the signal."""
    command = [sys.executable, "-m", "tests.faults.closing", state, str(recorded(folder))]
    with command_line.started(command, folder) as window:
        window.until(lambda event: event["type"] == state, state)
        members = own(window.process.pid)
        began_s = time.monotonic()
        for _ in range(times):
            window.process.send_signal(signal.SIGINT)
        seen = command_line.ended(window, members, began_s)
    assert seen.recovery_s is not None
    return seen.recovery_s


def own(pid: int) -> list[psutil.Process]:
    """A process and what it must take with it: all but the queue's worker, which outlives it."""
    outliving = {
        one.pid
        for worker in command_line.family(pid)
        if worker.cmdline()[-2:] == ["engine.jobs", "work"]
        for one in command_line.family(worker.pid)
    }
    return [one for one in command_line.family(pid) if one.pid not in outliving]


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(state, marks=[] if state in ("loading", "idle") else [pytest.mark.heavy])
        for state in REACHED
    ],
)
def test_it_ends_and_leaves_nothing(
    state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_line, "ENDS_S", 10.0)  # other tests may hold the processor
    took_s = end(state, tmp_path)
    print(f"{state}: {took_s:.2f} s")
    if state == "job":
        (run,) = runs.every(paths.runs())
        assert run.status() in (RunStatus.QUEUED, RunStatus.RUNNING)
        run.request_cancel()
        until(lambda: run.status() is RunStatus.INTERRUPTED, "the job did not end")
    sessions = list(paths.sessions().glob("*/manifest.json"))
    assert len(sessions) == 1


def test_a_program_that_was_started_to_outlive_a_logout_does() -> None:
    before = signal.getsignal(signal.SIGHUP), signal.getsignal(signal.SIGTERM)
    try:
        for number in (signal.SIG_IGN, signal.SIG_DFL):
            signal.signal(signal.SIGHUP, number)
            cli._end_in_order()
            assert (signal.getsignal(signal.SIGHUP) is number) is (number is signal.SIG_IGN)
    finally:
        signal.signal(signal.SIGHUP, before[0])
        signal.signal(signal.SIGTERM, before[1])


def test_a_second_signal_ends_it_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_line, "ENDS_S", 10.0)
    end("loading", tmp_path, times=2)
