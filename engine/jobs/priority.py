"""How a job's process makes itself small: the conversation and the desktop come first."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import psutil

NICE = 10
"""Niceness of a job's processes; the live engine runs at 0."""

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


def lower() -> None:
    """Run this process and all it starts behind the others; it should lead a session of its own.

    Linux' autogroups share the processor fairly between sessions and weigh niceness within one
    only (sched(7)), so the session is lowered too. When memory runs out the kernel ends a job
    first. No core is dumped: one of a model's size fills a disk.
    """
    if sys.platform == "win32":
        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
        return
    import resource

    with suppress(OSError):  # already lower than that
        os.nice(max(NICE - os.nice(0), 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError):  # a kernel without autogroups
        Path("/proc/self/autogroup").write_text(str(NICE), "ascii")
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("800", "ascii")


def end_with(supervisor: int) -> None:
    """Let the kernel end this process when its parent `supervisor` is gone (Linux alone)."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != supervisor:  # it was gone before
        os.kill(os.getpid(), signal.SIGKILL)
