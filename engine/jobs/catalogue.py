"""Every background job, by name: add one to `training_jobs`, `evaluation_jobs`, `exit_jobs` or
`mechanism_jobs`.

The window makes a form of a job's parameters, the command line makes flags. Its function is
named rather than imported, so that only the job's own process loads what it needs.
"""

from __future__ import annotations

from engine.errors import JobFailed
from engine.jobs.evaluation_jobs import EVALUATION
from engine.jobs.exit_jobs import EXITS
from engine.jobs.job import Job
from engine.jobs.mechanism_jobs import MECHANISM
from engine.jobs.training_jobs import TRAINING

JOBS: tuple[Job, ...] = (*TRAINING, *EVALUATION, *EXITS, *MECHANISM)


def find(name: str) -> Job:
    """The job of this name."""
    for job in JOBS:
        if job.name == name:
            return job
    raise JobFailed(f"There is no job {name!r}", remedy="`pads job list` names them all")
