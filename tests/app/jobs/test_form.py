"""Forms made of typed parameters, for every job there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QLineEdit, QSpinBox
from pytestqt.qtbot import QtBot

from app.jobs.form import ParameterForm
from app.jobs.job_view import JobView
from engine.jobs import catalogue
from engine.jobs.job import Job, Parameter

SAMPLE = Job(
    name="sample",
    title="A sample",
    description="Has every kind of parameter.",
    entry="nowhere:nothing",
    parameters=(
        Parameter(name="count", kind=int, default=3, minimum=1, maximum=9, description="a count"),
        Parameter(name="rate", kind=float, default=2e-3, minimum=0, description="a rate"),
        Parameter(name="work_ms", kind=float, default=None, minimum=0, description="perhaps"),
        Parameter(name="way", kind=str, default="b", choices=("a", "b"), description="a choice"),
        Parameter(name="words", kind=str, default="", description="words"),
        Parameter(name="install", kind=bool, default=False, description="a switch"),
        Parameter(name="data", kind=Path, default=None, description="a place"),
    ),
)


@pytest.mark.parametrize("job", catalogue.JOBS, ids=lambda job: job.name)
def test_an_untouched_form_gives_the_defaults(qtbot: QtBot, job: Job) -> None:
    form = ParameterForm(job)
    qtbot.addWidget(form)
    assert form.fault() == ""
    assert job.resolved(form.values) == job.resolved({})
    for field in form.fields.values():
        assert field.control.accessibleName()
        assert field.control.accessibleDescription() == field.parameter.description
        assert field.control.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_values_are_typed_checked_and_reset(qtbot: QtBot, tmp_path: Path) -> None:
    form = ParameterForm(SAMPLE)
    qtbot.addWidget(form)
    controls = {name: field.control for name, field in form.fields.items()}
    kinds = (QSpinBox, QDoubleSpinBox, QLineEdit)
    for name, kind in zip(("count", "rate", "work_ms"), kinds, strict=True):
        assert isinstance(controls[name], kind)
    assert isinstance(controls["install"], QCheckBox)
    changes: list[None] = []
    form.changed.connect(lambda: changes.append(None))
    given = {
        "count": 7,
        "rate": 0.25,
        "work_ms": "164.1",
        "way": "a",
        "words": "one, two",
        "install": True,
        "data": str(tmp_path),
    }
    form.set_values(given)
    assert changes
    typed = given | {"work_ms": 164.1, "data": tmp_path}
    assert SAMPLE.resolved(form.values) == typed
    form.fields["work_ms"].set_value("-3")
    assert "--work-ms" in form.fault()
    form.reset()
    assert SAMPLE.resolved(form.values) == SAMPLE.resolved({})


def test_a_job_with_a_fault_cannot_be_started(qtbot: QtBot) -> None:
    view = JobView()
    qtbot.addWidget(view)
    view.show_job(SAMPLE)
    started: list[object] = []
    view.started.connect(lambda *what: started.append(what))
    assert view.form is not None
    view.form.fields["work_ms"].set_value("-3")
    assert not view.start.isEnabled()
    assert "at least 0" in view.fault.text()
    qtbot.mouseClick(view.start, Qt.MouseButton.LeftButton)
    assert not started
    qtbot.mouseClick(view.reset, Qt.MouseButton.LeftButton)
    assert view.start.isEnabled()
    assert view.fault.text() == ""
    view.purpose.setText("to see")
    qtbot.mouseClick(view.start, Qt.MouseButton.LeftButton)
    assert started == [(SAMPLE, view.form.values, "to see")]
