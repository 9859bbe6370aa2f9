"""Going on with a run that did not finish."""

from __future__ import annotations

from engine.errors import JobFailed
from engine.jobs import catalogue
from engine.jobs.job import Job, Value
from engine.records.runs import RunDirectory, RunStatus


def resumption(run: RunDirectory) -> tuple[Job, dict[str, Value]]:
    """The job and the parameters that go on with `run`; `JobFailed` when it cannot be."""
    manifest = run.manifest()
    job = catalogue.find(manifest["job"])
    if manifest["status"] not in (RunStatus.INTERRUPTED, RunStatus.FAILED):
        raise JobFailed(
            f"The run {run.name} is {manifest['status']}",
            remedy="only an interrupted or failed one can go on",
        )
    if not job.resumable:
        raise JobFailed(
            f"The job {job.name} keeps no checkpoints", remedy="start it anew from its beginning"
        )
    known = {parameter.name for parameter in job.parameters}
    given = {name: value for name, value in manifest["parameters"].items() if name in known}
    return job, given | {"resume": run.name}
