from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.jobs import catalogue, child
from engine.jobs.launch import job_directory
from engine.records.runs import RunStatus

_CUT_SHORT = """
import os, signal, sys, threading
from pathlib import Path
from engine.jobs import child
from engine.jobs.job import Job

def importing(active, **parameters):
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(60)
    except BaseException as exc:
        raise ImportError("initialization failed") from exc

Job.function = lambda job: importing
sys.exit(child.run(Path(sys.argv[1]), os.getppid()))
"""
"""A job that is cancelled while a native module is imported, which tells it as its own failure."""


@pytest.fixture
def handlers() -> Iterator[None]:
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


def test_a_cancellation_that_native_code_swallows_comes_again(
    handlers: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "unraisablehook", child._cancel_again)
    ctypes.CFUNCTYPE(None)(child._cancel)()  # returns as if nothing had happened
    with pytest.raises(child.Cancelled):
        threading.Event().wait(10)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_cancellation_that_native_code_tells_as_its_own_failure_is_one(tmp_path: Path) -> None:
    run = job_directory(catalogue.find("pauses"), {}, runs=tmp_path)
    command = [sys.executable, "-c", _CUT_SHORT, str(run.folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == child.CANCELLED, done.stderr
    assert run.status() is RunStatus.INTERRUPTED
    assert run.manifest()["reason"] == "cancelled"
