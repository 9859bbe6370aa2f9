"""How this program starts itself again, from source and as a frozen application."""

from __future__ import annotations

import sys


def job_command(*words: str) -> list[str]:
    """The command line of `pads job WORDS…` as a child process.

    A frozen application has no interpreter beside it: its own executable takes the verbs.
    """
    if getattr(sys, "frozen", False):
        return [sys.executable, "job", *words]
    return [sys.executable, "-m", "engine.jobs", *words]
