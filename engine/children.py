"""How a process of this very program is started, wherever we were started from ourselves."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def command(module: str, argument: str) -> list[str]:
    """The beginning of a command that runs a module; the frozen application knows an argument."""
    if getattr(sys, "frozen", False):
        return [sys.executable, argument]
    return [sys.executable, "-P", "-m", module]


def environment() -> dict[str, str]:
    """A child's environment, in which it finds this very engine."""
    root = str(Path(__file__).resolve().parents[1])
    inherited = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([root, inherited]) if inherited else root
    return {**os.environ, "PYTHONPATH": path}
