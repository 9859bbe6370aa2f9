"""The process tree's own use of the machine, on real processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from engine.telemetry.processes import ProcessTree, private_mb, proportional_mb
from engine.telemetry.readings import Unreadable

_MAP = (
    "import mmap, sys; file = open(sys.argv[1], 'rb'); "
    "view = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ); sum(view[::4096]); "
)
_HOLD = "block = bytearray(60_000_000); print('held', flush=True); input()"


def test_work_of_this_process_is_load() -> None:
    tree = ProcessTree()
    end_s = time.process_time() + 0.1  # kernels count processor time in steps of 10 ms
    while time.process_time() < end_s:
        pass
    assert tree.load_percent() > 0


def test_memory_of_children_is_counted() -> None:
    alone, mine_mb = ProcessTree().memory_mb(), proportional_mb(children=False)
    command = [sys.executable, "-c", _HOLD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"held\n"
        together = ProcessTree().memory_mb()
        now_mb, still_mine_mb = proportional_mb(), proportional_mb(children=False)
        child.communicate(b"\n")
    assert together - alone > 50
    assert now_mb - mine_mb > 50
    assert still_mine_mb - mine_mb < 50


@pytest.mark.skipif(sys.platform != "linux", reason="others keep no processes that have ended")
def test_the_memory_of_a_process_that_has_ended_and_still_stands_in_the_table_is_not_nothing() -> (
    None
):
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        with pytest.raises(Unreadable, match="has ended"):
            proportional_mb(child.pid)


def test_child_that_ends_between_readings_does_not_make_load_negative() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        tree = ProcessTree()
        child.communicate(b"\n")
    assert tree.load_percent() >= 0


@pytest.mark.skipif(sys.platform != "linux", reason="kernels of others do not tell it apart")
def test_private_memory_is_what_is_written_and_not_what_is_mapped(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(bytes(40_000_000))
    command = [sys.executable, "-c", _MAP + _HOLD, str(tmp_path / "model")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        held = private_mb(psutil.Process(child.pid))
        child.communicate(b"\n")
    assert 60 < held < 90


def test_unknown_process_is_an_error() -> None:
    with pytest.raises(Exception, match="pid"):
        ProcessTree(2**22 + 1)
