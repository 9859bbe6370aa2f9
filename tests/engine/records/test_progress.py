"""The job protocol: what is written comes back, what is foreign is left out."""

from __future__ import annotations

import pytest

from engine.records.progress import Ended, Metric, Note, Phase, Report, from_line, to_line


@pytest.mark.parametrize(
    "report",
    [
        Phase(name="Fitting", fraction=0.25, eta_s=3.0),
        Phase(name="Fitting"),
        Metric(values={"loss": 1.5, "step": 3}),
        Note(text="größer\nals gedacht"),
        Ended(status="failed", reason="no data"),
    ],
)
def test_a_report_survives_its_line(report: Report) -> None:
    line = to_line(report)
    assert line.count("\n") == 1
    assert from_line(line) == report


@pytest.mark.parametrize(
    "line",
    [
        *("", "Downloading…", "[1, 2]", '{"type": "cheer"}', '{"type": "phase"}', '{"type": 3'),
        '{"type": "cheer", "text": "hurray", "name": "a phase"}',
    ],
)
def test_other_lines_are_no_reports(line: str) -> None:
    assert from_line(line) is None


def test_fields_of_a_later_version_are_ignored() -> None:
    assert from_line('{"type": "note", "text": "hello", "colour": "red"}') == Note(text="hello")
