"""Every job's parameters fit its function, and bad values are refused in words."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from engine.errors import JobFailed
from engine.jobs import catalogue
from engine.jobs.job import Job, Parameter


@pytest.mark.parametrize("job", catalogue.JOBS, ids=lambda job: job.name)
def test_a_jobs_function_takes_exactly_its_parameters(job: Job) -> None:
    active, *rest = inspect.signature(job.function()).parameters.values()
    assert active.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert all(parameter.kind is inspect.Parameter.KEYWORD_ONLY for parameter in rest)
    assert [parameter.name for parameter in rest] == [p.name for p in job.parameters]
    assert job.resolved({}) == {p.name: p.default for p in job.parameters}


def _parameter(kind: type, default: object, **limits: object) -> Parameter:
    return Parameter(name="much", kind=kind, default=default, description="", **limits)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parameter", "given", "expected"),
    [
        (_parameter(int, 1), "12", 12),
        (_parameter(float, 1.0), "0.5", 0.5),
        (_parameter(float, None), None, None),
        (_parameter(bool, False), True, True),
        (_parameter(str, "a", choices=("a", "b")), "b", "b"),
        (_parameter(Path, None), "x/../y", Path.cwd() / "x/../y"),
    ],
)
def test_values_take_the_parameters_type(
    parameter: Parameter, given: object, expected: object
) -> None:
    assert parameter.checked(given) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parameter", "given"),
    [
        (_parameter(int, 1), "many"),
        (_parameter(int, 1), None),
        (_parameter(int, 1), True),
        (_parameter(int, 1, minimum=1), 0),
        (_parameter(float, 1.0, maximum=2.0), 2.5),
        (_parameter(float, 1.0, minimum=0.0), "nan"),
        (_parameter(str, "a", choices=("a", "b")), "c"),
        (_parameter(bool, False), "yes"),
    ],
)
def test_unusable_values_are_refused(parameter: Parameter, given: object) -> None:
    with pytest.raises(JobFailed, match="--much"):
        parameter.checked(given)  # type: ignore[arg-type]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(JobFailed, match=r"no parameter 'speed'.*max_iter"):
        catalogue.find("train-dialogue-act").resolved({"speed": 1})
    with pytest.raises(JobFailed, match="pads job list"):
        catalogue.find("train-everything")
