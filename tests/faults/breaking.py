"""Taking a defence away, here and in the programs that a check starts, to see the check fail."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

Patches = Iterable[tuple[Any, str, Any]]
"""Owners, names of their attributes, and what takes their place."""

HERE = ""
"""The place that is the tests' own process."""

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Red:
    """A case of `pads faults`, a defence that is broken, and words of what the check then says.

    `places` are modules that run as programs (`python -m PLACE`) and take the break, or `HERE`.
    """

    case: str
    broken: Callable[[str], Patches]
    says: str
    places: tuple[str, ...] = (HERE,)
    quick: bool = False

    @property
    def name(self) -> str:
        """The red test's name."""
        return f"{self.case}: {self.broken.__name__.replace('_', ' ')}"


class Unexpected(Exception):
    """Takes the place of an error that a module expects, and is never raised by others."""


def blind(module: Any, *errors: str) -> Patches:
    """The module no longer expects these errors."""
    return [(module, name, Unexpected) for name in errors]


def break_it(red: Red, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Take the defence away until the patch is undone; `folder` is empty."""
    if HERE in red.places:
        for owner, name, other in red.broken(HERE):
            patch.setattr(owner, name, other, raising=False)
    if programs := [place for place in red.places if place != HERE]:
        function = red.broken
        (folder / "sitecustomize.py").write_text(
            "from tests.faults.breaking import break_program\n"
            f"from {function.__module__} import {function.__name__}\n"
            f"break_program({function.__name__}, {programs!r})\n"
        )
        patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), str(_ROOT)]))


def break_program(broken: Callable[[str], Patches], programs: list[str]) -> None:
    """The same inside a program that starts, if it is one of these."""
    words = sys.orig_argv
    place = words[words.index("-m") + 1] if "-m" in words[:-1] else ""
    if place in programs:
        for owner, name, other in broken(place):
            setattr(owner, name, other)
