"""A fault, what is expected of the application, and running it in a home of its own."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from engine import paths

NOTHING = "nothing"
"""What a case's `lost` says when nothing was."""


class NotAsExpected(Exception):
    """A check's finding: what happened instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What happened; `recovery_s` is the time until it worked again, None if it never stopped."""

    words: str
    recovery_s: float | None = None
    lost: str = NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One fault; `check` gets an empty folder and raises `NotAsExpected` if it is not withstood."""

    name: str
    group: str
    done: str
    expected: str
    check: Callable[[Path], Observed]
    heavy: bool = False
    """Takes longer than half a minute."""
    linux: bool = False
    """Needs signals or tools that only Linux has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a case went; `seconds` is what the whole check took."""

    name: str
    group: str
    done: str
    expected: str
    observed: str
    recovery_s: float | None
    lost: str
    withstood: bool
    seconds: float

    def record(self) -> dict[str, Any]:
        """It as one JSON-ready object."""
        return {"type": "fault", **asdict(self)}


def run(case: Case) -> Outcome:
    """Do the fault in a home of its own and say what came of it; never raises."""
    began_s = time.monotonic()
    withstood = False
    try:
        with own_home() as folder:
            seen = case.check(folder)
            withstood = True
    except NotAsExpected as exc:
        seen = Observed(words=str(exc), lost="unknown")
    except Exception as exc:  # noqa: BLE001 - whatever else a check raises was not withstood either
        seen = Observed(words=f"{type(exc).__name__}: {exc}", lost="unknown")
    return Outcome(
        name=case.name,
        group=case.group,
        done=case.done,
        expected=case.expected,
        observed=without_places(seen.words),
        recovery_s=None if seen.recovery_s is None else round(seen.recovery_s, 2),
        lost=seen.lost,
        withstood=withstood,
        seconds=round(time.monotonic() - began_s, 1),
    )


def without_places(words: str) -> str:
    """The words without this machine's folders: models, program, temporary files."""
    program = Path(__file__).resolve().parents[2]
    for folder in (paths.fetched_models().resolve(), program, Path(tempfile.gettempdir())):
        words = words.replace(str(folder), "…")
    return words


@contextmanager
def own_home() -> Iterator[Path]:
    """An empty folder, in it a home for this process's user files; models are shared."""
    models, halves = paths.fetched_models().resolve(), (paths.cache() / "halves").resolve()
    with tempfile.TemporaryDirectory(prefix="pads-faults-") as name:
        folder = Path(name)
        cache = folder / "home" / "cache"
        cache.mkdir(parents=True)
        halves.mkdir(parents=True, exist_ok=True)
        (cache / "halves").symlink_to(halves)
        with variables({"PADS_HOME": str(folder / "home"), "PADS_MODELS": str(models)}):
            yield folder


@contextmanager
def variables(wanted: Mapping[str, str]) -> Iterator[None]:
    """Environment variables for as long as the block lasts."""
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def until(true: Callable[[], bool], otherwise: str, patience_s: float = 60.0) -> float:
    """Wait for what another process does and return the seconds; `NotAsExpected(otherwise)`."""
    began_s = time.monotonic()
    while not true():
        if time.monotonic() - began_s > patience_s:
            raise NotAsExpected(otherwise)
        time.sleep(0.005)
    return time.monotonic() - began_s


def running(process: psutil.Process) -> bool:
    """Whether a process still runs."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False
