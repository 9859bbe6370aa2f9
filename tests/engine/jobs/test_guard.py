"""The guard over real jobs: let in by what is free, ended alone by what they take."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from engine.errors import JobFailed
from engine.faults.case import running
from engine.jobs import catalogue, guard, priority
from engine.jobs.guard import Watchdog
from engine.jobs.runner import JobProcess
from engine.records.progress import Ended
from engine.records.runs import RunStatus
from tests.virtual_microphone import until

TRAIN = catalogue.find("train-dialogue-act")

LIMIT_MB = 200.0
"""Less than the fit over all of DailyDialog takes, and more than that over a part of it."""

HOARDER = """
import sys, time
kept = bytearray(int(sys.argv[1]) * 1_000_000)
print("full", flush=True)
time.sleep(60)
"""


def outcome(process: JobProcess, limit_s: float = 200) -> Ended:
    deadline_s = time.monotonic() + limit_s
    while time.monotonic() < deadline_s:
        for report in process.poll():
            if isinstance(report, Ended):
                process.wait(20)
                return report
        process.wait(0.05)
    pytest.fail("the job did not end")


@pytest.fixture
def hoarder() -> Iterator[subprocess.Popen[bytes]]:
    """A process that keeps 150 MB."""
    with subprocess.Popen([sys.executable, "-c", HOARDER, "150"], stdout=subprocess.PIPE) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == b"full\n"
        yield one
        one.kill()


@pytest.mark.usefixtures("data")
def test_a_job_that_takes_too_much_memory_ends_alone(tmp_path: Path, small_corpus: Path) -> None:
    runs = tmp_path / "runs"
    with (
        closing(JobProcess(TRAIN, {}, runs=runs, memory_limit_mb=LIMIT_MB)) as greedy,
        closing(JobProcess(TRAIN, {"data": small_corpus}, runs=runs)) as modest,
    ):
        ended = outcome(greedy)
        assert outcome(modest).status == "finished"
    assert ended.status == "failed"
    assert "MB of memory" in ended.reason
    assert greedy.exit_code == 137
    manifest = greedy.run.manifest()
    assert manifest["status"] == "failed"
    assert manifest["exit_code"] == 137
    assert manifest["breach"]["used_mb"] > manifest["breach"]["limit_mb"] == LIMIT_MB
    assert greedy.run.result() is None
    assert modest.exit_code == 0
    result = modest.run.result()
    assert result is not None
    assert 20 < result["peak_memory"]["value"] < LIMIT_MB
    assert result["peak_memory"]["evidence"] == "measured"
    assert modest.run.manifest()["peak_memory_mb"] > 20


def test_the_watchdog_lets_what_stays_below_its_limit_live(
    hoarder: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    tight = Watchdog(hoarder.pid, 100, tmp_path)
    wide = Watchdog(hoarder.pid, 1000, tmp_path)
    taken_mb = tight.look()
    assert taken_mb is not None
    assert taken_mb > 150
    assert wide.look() is None
    assert wide.peak_mb > 150
    gone = Watchdog(2**22 + 1, 100, tmp_path)
    assert gone.look() is None


def test_what_is_shared_counts_once(tmp_path: Path) -> None:
    """A process that has forked shares all its pages: resident twice, proportionally once."""
    program = HOARDER.replace("print(", "child = __import__('os').fork()\nif child: print(")
    with subprocess.Popen([sys.executable, "-c", program, "150"], stdout=subprocess.PIPE) as one:
        assert one.stdout is not None
        one.stdout.readline()
        try:
            watchdog = Watchdog(one.pid, 250, tmp_path)
            assert watchdog.look() is None
            assert 150 < watchdog.peak_mb < 250
            resident = [one.pid, *(p.pid for p in psutil.Process(one.pid).children())]
            assert sum(psutil.Process(pid).memory_info().rss for pid in resident) > 300e6
        finally:
            for process in psutil.Process(one.pid).children():
                process.kill()
            one.kill()


def test_a_job_is_let_in_only_where_there_is_room(tmp_path: Path) -> None:
    admitted = guard.admit(replace(TRAIN, memory_mb=1), tmp_path)
    free_mb = psutil.virtual_memory().available / 1e6
    assert admitted.limit_mb == pytest.approx(free_mb - guard.FLOOR_MB, abs=2000)
    assert guard.admit(TRAIN, tmp_path, 50).limit_mb == 50
    with pytest.raises(JobFailed, match="MB of memory"):
        guard.admit(replace(TRAIN, memory_mb=10_000_000), tmp_path)
    with pytest.raises(JobFailed, match="MB of disk"):
        guard.admit(replace(TRAIN, memory_mb=1, disk_mb=10**12), tmp_path)


def test_a_named_limit_is_enough_and_neither_floor_is_touched(tmp_path: Path) -> None:
    assert guard.admit(replace(TRAIN, memory_mb=10_000_000), tmp_path, 50).limit_mb == 50
    generous = guard.admit(replace(TRAIN, memory_mb=1), tmp_path, 10_000_000)
    assert generous.limit_mb < psutil.virtual_memory().total / 1e6
    free_mb = shutil.disk_usage(tmp_path).free / 1e6
    with pytest.raises(JobFailed, match="MB of disk"):
        guard.admit(
            replace(TRAIN, memory_mb=1, disk_mb=round(free_mb - guard.DISK_FLOOR_MB / 2)), tmp_path
        )


def test_a_refused_job_fails_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 10**7
    monkeypatch.setattr(guard, "FLOOR_MB", float(asked))
    with pytest.raises(JobFailed, match=f"{asked} MB are kept free"):
        guard.admit(TRAIN, tmp_path)


@pytest.mark.parametrize(("degrees", "warned"), [(95, 1), (60, 0)])
def test_heat_is_warned_about(
    degrees: int, warned: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.telemetry import thermal

    zone = tmp_path / "class" / "thermal" / "thermal_zone0"
    zone.mkdir(parents=True)
    (zone / "type").write_text("x86_pkg_temp\n", "ascii")
    (zone / "temp").write_text(f"{degrees * 1000}\n", "ascii")
    read = thermal.temperature_c
    monkeypatch.setattr(thermal, "temperature_c", lambda: read(tmp_path))
    admission = guard.admit(replace(TRAIN, memory_mb=1), tmp_path)
    assert len(admission.warnings) == warned


def test_a_scope_limits_memory_and_swap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for systemd-run writes down what it is asked, and does it."""
    stand_in = tmp_path / "systemd-run"
    stand_in.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n'
        'while [ "$1" != "--" ]; do shift; done\nshift\nexec "$@"\n',
        "utf-8",
    )
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert guard.scope_available()
    command = guard.scoped(["echo", "worked"], 512)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "worked\n"
    asked = (tmp_path / "asked").read_text("utf-8")
    assert "--user --scope" in asked
    assert "-p MemoryMax=512000000 -p MemorySwapMax=2000000000 --" in asked
    stand_in.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    assert not guard.scope_available()


@pytest.mark.skipif(not guard.scope_available(), reason="no systemd manager for this user")
def test_the_kernel_ends_what_outgrows_its_scope() -> None:
    command = guard.scoped([sys.executable, "-c", HOARDER, "4000"], 100)
    assert subprocess.run(command, check=False, capture_output=True, timeout=60).returncode in (
        -9,
        137,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="niceness and the OOM killer are Linux's")
@pytest.mark.usefixtures("data")
def test_a_job_stands_back_and_ends_with_its_supervisor(tmp_path: Path) -> None:
    with closing(JobProcess(TRAIN, {}, runs=tmp_path / "runs")) as process:
        deadline_s = time.monotonic() + 60
        while not process.poll():
            assert time.monotonic() < deadline_s
            process.wait(0.05)
        child = psutil.Process(process.run.manifest()["process"])
        assert child.nice() == max(os.nice(0), priority.NICE)
        autogroup = Path(f"/proc/{child.pid}/autogroup")
        if autogroup.exists():
            assert autogroup.read_text("ascii").split()[-2:] == ["nice", str(priority.NICE)]
        assert Path(f"/proc/{child.pid}/oom_score_adj").read_text("ascii").strip() == "800"
        child.parent().kill()
        until(lambda: not running(child), "the job outlives its supervisor")
        assert outcome(process).status == "interrupted"
    assert process.run.status() is RunStatus.INTERRUPTED
