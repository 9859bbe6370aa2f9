"""The table in the documents is about the faults that there are."""

from __future__ import annotations

from pathlib import Path

from engine.faults import command
from engine.faults.case import Case, Outcome
from engine.faults.catalogue import CASES

_TABLE = Path(__file__).resolve().parents[2] / "docs" / "faults.md"
_AGAIN = "write it again: `pads faults --table docs/faults.md`"


def beginnings(text: str) -> list[str]:
    """Of each fault's row what does not depend on how it went: what is done, what is expected."""
    rows = [line for line in text.splitlines() if line.startswith("| ")][1:]
    return [" | ".join(row.split(" | ")[:2]) for row in rows]


def expected(cases: tuple[Case, ...]) -> str:
    """A table of these faults, of which nothing is done."""
    outcomes = [
        Outcome(
            name=case.name,
            group=case.group,
            done=case.done,
            expected=case.expected,
            observed="",
            recovery_s=None,
            lost="",
            withstood=True,
            seconds=0.0,
        )
        for case in cases
    ]
    return command.table(outcomes)


def test_it_names_each_fault_of_the_catalogue_and_what_is_expected_and_no_other() -> None:
    text = _TABLE.read_text("utf-8")
    assert beginnings(text) == beginnings(expected(CASES)), _AGAIN
    assert f"{len(CASES)} faults, 0 not withstood" in text, _AGAIN


def test_no_two_faults_do_the_same() -> None:
    assert len({case.done for case in CASES}) == len(CASES)


def test_a_fault_that_it_lacks_or_has_too_many_is_found() -> None:
    first, *rest = beginnings(expected(CASES))
    assert beginnings(expected(CASES[1:])) == rest
    assert first == f"| {CASES[0].done} | {CASES[0].expected}"
