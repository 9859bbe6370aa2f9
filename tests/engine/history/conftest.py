"""Sessions to look at: a real one in the user's folder, and copies of it with damage."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import paths


@pytest.fixture
def session(recorded: Path, home: Path) -> Path:
    """A copy of the recorded session where the product keeps its own."""
    folder = paths.sessions() / recorded.name
    shutil.copytree(recorded, folder)
    return folder


@pytest.fixture
def altered(session: Path) -> Callable[[Callable[[dict[str, Any]], None]], Path]:
    """The session after a change to each of its events."""

    def alter(change: Callable[[dict[str, Any]], None]) -> Path:
        file = session / "events.jsonl"
        records = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        for record in records:
            change(record)
        file.write_text("".join(json.dumps(r) + "\n" for r in records), "utf-8")
        return session

    return alter
