"""The proof that each check can fail: its defence is taken away, and it is not content."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.faults.case import run
from engine.faults.catalogue import CASES
from tests.faults import (
    broken_conversations,
    broken_files,
    broken_models,
    broken_places,
    broken_programs,
)
from tests.faults.breaking import Red, break_it

RED: tuple[Red, ...] = (
    *broken_files.RED,
    *broken_models.RED,
    *broken_conversations.RED,
    *broken_programs.RED,
    *broken_places.RED,
)

pytestmark = [
    pytest.mark.usefixtures("models"),
    pytest.mark.skipif(sys.platform != "linux", reason="the faults are done with Linux's means"),
]


def test_every_check_has_its_proof() -> None:
    assert {red.case for red in RED} == {case.name for case in CASES}


@pytest.mark.parametrize(
    "red",
    [pytest.param(red, id=red.name, marks=[] if red.quick else [pytest.mark.heavy]) for red in RED],
)
def test_it_is_not_withstood_without_its_defence(
    red: Red, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (case,) = (case for case in CASES if case.name == red.case)
    folder = tmp_path / "broken"
    folder.mkdir()
    break_it(red, folder, monkeypatch)
    outcome = run(case)
    assert not outcome.withstood, f"though {red.name}, it {outcome.observed}"
    assert red.says in outcome.observed
