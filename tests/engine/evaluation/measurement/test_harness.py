"""Programs measured from outside: every way not to get a figure is an error with their words."""

from __future__ import annotations

import sys
from contextlib import suppress

import psutil
import pytest

from engine.errors import JobFailed
from engine.evaluation.measurement import harness
from engine.faults.case import running, until
from engine.telemetry import processes
from engine.telemetry.readings import Unreadable


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


HOLD = "import time; block = bytearray(60_000_000); time.sleep(1.5); print('held')"


def test_a_program_that_ends_well_is_measured() -> None:
    finished = harness.run(python(HOLD), timeout_s=60)
    assert finished.output == "held\n"
    assert 60 < finished.peak_mb < 200
    assert finished.seconds > 1.5


def test_a_program_that_ends_badly_is_quoted() -> None:
    code = "import sys, time; time.sleep(0.3); print('no such model'); sys.exit(3)"
    with pytest.raises(JobFailed, match=r"(?s)status 3; it said: no such model"):
        harness.run(python(code), timeout_s=60)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
def test_a_program_that_hangs_is_killed_with_its_children_and_quoted() -> None:
    # A shell, since an interpreter may take longer to begin than it is waited for here.
    hanging = ["sh", "-c", "sleep 600 & echo child $!; wait"]
    with pytest.raises(
        JobFailed, match=r"(?s)did not end within 2 s; it said: child \d+"
    ) as raised:
        harness.run(hanging, timeout_s=2)
    child = int(str(raised.value).split("child ")[-1].split()[0].rstrip(":"))
    # A killed process may stand in the table for a moment, and for good where nobody reaps it.
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(child)
        until(lambda: not running(process), "its child was left running", 10)


def test_a_program_that_cannot_start_is_named() -> None:
    with pytest.raises(JobFailed, match="no-such-program cannot be started"):
        harness.run(["no-such-program"], timeout_s=1)


def test_a_missing_figure_is_never_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(*_: object, **__: object) -> float:
        raise Unreadable("this system keeps no such figure")

    monkeypatch.setattr(harness, "proportional_mb", unreadable)
    with pytest.raises(JobFailed, match=r"(?s)gave no memory figure.*no such figure.*said: held"):
        harness.run(python(HOLD), timeout_s=60)


def test_the_memory_of_a_process_that_is_gone_is_not_nothing() -> None:
    with pytest.raises(Unreadable, match="has ended"):
        processes.proportional_mb(2**22 + 1)
