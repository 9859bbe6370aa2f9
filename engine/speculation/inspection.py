"""Whether a file of the user's can be the language model, found out by a process of its own.

llama.cpp reads the file there: a file made to crash it, or one that does so by being damaged,
takes nothing with it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from engine import children
from engine.errors import ModelUnavailable

ARGUMENT = "--inspect-model"
"""First argument, before the file, with which the frozen application runs `examination.main`."""

_POLL_S, _LONGEST_POLLS = 0.1, 1200
_OTHER = "choose another file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What was found out about a usable model; `notes` are sentences about what it lacks."""

    name: str
    architecture: str
    layers: int
    number_format: str
    vocabulary: int
    licence: str
    notes: tuple[str, ...]


def inspect(file: Path, report: Callable[[str, float], None]) -> Facts:
    """The facts about a model; raises `ModelUnavailable` with the reason it cannot be used.

    `report` is called ten times a second; what it raises ends the inspection.
    """
    facts = asked(
        [*children.command("engine.speculation.examination", ARGUMENT), str(file.absolute())],
        file,
        report,
    )
    try:
        return Facts(**{**facts, "notes": tuple(facts["notes"])})
    except (KeyError, TypeError) as exc:
        raise ModelUnavailable(
            f"What was found out about {file.name} makes no sense", remedy=_OTHER
        ) from exc


def asked(
    command: Sequence[str], file: Path, report: Callable[[str, float], None]
) -> dict[str, Any]:
    """The facts that a process of its own finds out about a file; `ModelUnavailable` otherwise.

    It prints one JSON object: `facts`, or the `thing` and `remedy` of what stands against the file.
    """
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as errors:
        try:
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=errors,
                env=children.environment(),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as exc:
            raise ModelUnavailable(
                f"The model {file.name} could not be inspected ({exc.strerror})", remedy="try again"
            ) from exc
        try:
            for waited in range(_LONGEST_POLLS):
                report(f"inspecting {file.name}", waited / _LONGEST_POLLS)
                if _ended(child):
                    break
            else:
                raise ModelUnavailable(
                    f"The model {file.name} cannot be read in two minutes", remedy=_OTHER
                )
        finally:
            child.kill()
            child.wait()
        said.seek(0)
        return _understood(file, child.returncode, said.read(), errors)


def _understood(file: Path, code: int, said: bytes, errors: IO[bytes]) -> dict[str, Any]:
    try:
        record = json.loads(said)
        if "facts" in record:
            return dict(record["facts"])
        raise ModelUnavailable(record["thing"], remedy=record["remedy"])
    except (ValueError, KeyError, TypeError) as exc:
        how = f"exit code {code}"
        if code < 0 and -code in set(signal.Signals):
            how = signal.Signals(-code).name
        errors.seek(0)
        lines = errors.read().decode("utf-8", "replace").strip().splitlines()
        cause = f"; it said: {lines[-1][:200]}" if lines else ""
        raise ModelUnavailable(
            f"The file {file.name} makes its reader crash ({how}{cause}): it is damaged",
            remedy=_OTHER,
        ) from exc


def _ended(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(_POLL_S)
    except subprocess.TimeoutExpired:
        return False
    return True


def answer(find: Callable[[], dict[str, Any]]) -> int:
    """The inside of such a process: print what is found, or what stands against it."""
    protocol = os.dup(1)
    os.dup2(2, 1)  # what libraries print goes to standard error
    record: dict[str, Any]
    try:
        record = {"facts": find()}
    except ModelUnavailable as exc:
        record = {"thing": exc.thing, "remedy": exc.remedy}
    with os.fdopen(protocol, "w", encoding="utf-8") as stream:
        json.dump(record, stream)
    return 0
