"""What was measured to be fastest is kept, and what is damaged of it is not believed."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from engine.speculation import tuning
from engine.speculation.tuning import Choice

CHOICE = Choice(draft_tokens=4, exit_layer=15, threads=2, gain=1.2, low=1.1, high=1.3, run="a")


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "[1]",
        "[" * 100_000,
        json.dumps({"threads": 2}),
        json.dumps(asdict(CHOICE) | {"threads": -1}),
        json.dumps(asdict(CHOICE) | {"draft_tokens": "4"}),
    ],
)
def test_a_damaged_note_is_as_good_as_none(tmp_path: Path, damage: str) -> None:
    tuning.remember("ab", tmp_path, CHOICE)
    assert tuning.remembered("ab", tmp_path) == CHOICE
    assert tuning.remembered("cd", tmp_path) is None
    (note,) = tmp_path.glob("*.json")
    note.write_text(damage, "utf-8")
    assert tuning.remembered("ab", tmp_path) is None
