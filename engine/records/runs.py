"""Run directories: everything needed to trace a number back to the command that produced it.

`<time>-<job>/` holds cmd.sh, manifest.json (purpose, code, environment, machine, status),
metrics.jsonl, progress.jsonl, log.txt and, only when the run finished, result.json (the
seed's §9). A run whose process is gone without a word counts as interrupted, and no result is
given for a run that did not finish.

A run may wait in the queue first. An empty file `cancel` in its folder asks whoever has charge
of it to end it; memory.json holds what its processes use while it runs.
"""

from __future__ import annotations

import json
import os
import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, TextIO

from engine import reading
from engine.errors import JobFailed
from engine.events import Evidence
from engine.records import provenance
from engine.records.folders import alive, birth, new_folder, read_json, replace_json, stamp
from engine.records.progress import Metric, Note, Phase, Report, to_line


class RunStatus(StrEnum):
    """How a run stands."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


class RunDirectory:
    """One run on disk. Methods may raise `OSError` (full disk, lost folder)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def create(
        cls,
        parent: Path,
        *,
        job: str,
        purpose: str,
        command: Sequence[str],
        parameters: dict[str, Any],
        machine: dict[str, Any],
        target_hardware: bool,
        queued: bool = False,
        **more: Any,
    ) -> RunDirectory:
        """Make a run's folder, owned by this process until another calls `adopt`.

        A `queued` one is owned by nobody yet. `more` goes into the manifest as it is.
        """
        run = cls(new_folder(parent, job))
        replace_json(
            run.folder / "manifest.json",
            {
                "run": run.name,
                "job": job,
                "purpose": purpose,
                "status": (RunStatus.QUEUED if queued else RunStatus.RUNNING).value,
                **({"queued_ns": time.time_ns()} if queued else {"started": stamp()}),
                "command": shlex.join(command),
                "parameters": parameters,
                "reportable_as_target_hardware": target_hardware,
                "code": provenance.code(),
                "environment": provenance.environment(),
                "machine": machine,
                **more,
                **({} if queued else _owner()),
            },
        )
        run._write_command(command)
        return run

    @property
    def name(self) -> str:
        """The run's id."""
        return self.folder.name

    def manifest(self) -> dict[str, Any]:
        """The manifest, in which a run that lost its process is marked interrupted."""
        manifest = read_json(self.folder / "manifest.json")
        if (
            manifest is None
            or manifest.get("status") not in list(RunStatus)
            or not isinstance(manifest.get("job"), str)
        ):
            raise JobFailed(
                f"The run {self.name} has no readable manifest",
                remedy=f"delete the folder {self.folder}",
            )
        status, reason = manifest.get("status"), ""
        if status == RunStatus.QUEUED and self.cancel_requested:
            reason = "cancelled before it began"
        if status == RunStatus.RUNNING and not alive(
            manifest.get("process"), manifest.get("process_started")
        ):
            reason = "its process ended without a word"
        if not reason:
            return manifest
        ending = {"status": RunStatus.INTERRUPTED.value, "reason": reason, "ended": stamp()}
        try:
            return self.update(**ending)
        except OSError:  # the disk that ended it may still be full
            return manifest | ending

    def status(self) -> RunStatus:
        """How the run stands now."""
        return RunStatus(self.manifest()["status"])

    def result(self) -> dict[str, Any] | None:
        """What the run found; None unless it finished."""
        if self.status() is not RunStatus.FINISHED:
            return None
        return read_json(self.folder / "result.json")

    def metrics(self) -> Iterator[dict[str, Any]]:
        """The lines of metrics.jsonl, as far as there are, that are complete and whole."""
        with suppress(OSError):
            for line in reading.lines(self.folder / "metrics.jsonl"):
                try:
                    values = json.loads(line) if line.endswith(b"\n") else None
                except (ValueError, RecursionError):
                    continue
                if isinstance(values, dict):
                    yield values

    def adopt(self) -> dict[str, Any]:
        """Make this process the run's owner and return the manifest; a queued run has begun."""
        known = read_json(self.folder / "manifest.json") or {}
        started = known.get("started", stamp())
        return self.update(status=RunStatus.RUNNING.value, started=started, **_owner())

    def request_cancel(self) -> None:
        """Ask whoever has charge of the run, now or later, to end it; one without a folder ends."""
        with suppress(FileNotFoundError):
            (self.folder / "cancel").touch()

    @property
    def cancel_requested(self) -> bool:
        """Whether somebody asked for its end."""
        return (self.folder / "cancel").exists()

    def memory(self) -> dict[str, Any]:
        """`now_mb`, `peak_mb` and `limit_mb` of its processes, as last read; {} if never."""
        return read_json(self.folder / "memory.json") or {}

    def finish(self, result: dict[str, Any]) -> None:
        """Store the result under the run's id, and only then call the run finished."""
        replace_json(self.folder / "result.json", {"run": self.name, **result})
        self.update(status=RunStatus.FINISHED.value, ended=stamp())

    def end(self, status: RunStatus, reason: str) -> None:
        """The run is over without a result."""
        self.update(status=status.value, reason=reason, ended=stamp())

    def update(self, **changes: Any) -> dict[str, Any]:
        """Change entries of the manifest and return it; for the run's owner."""
        path = self.folder / "manifest.json"
        manifest = (read_json(path) or {}) | changes
        replace_json(path, manifest)
        return manifest

    def _write_command(self, command: Sequence[str]) -> None:
        """The command with the variables it depends on, so that it can be run again."""
        exported = [
            f"export {name}={shlex.quote(value)}"
            for name, value in sorted(os.environ.items())
            if name.startswith("PADS_")
        ]
        lines = ["#!/bin/sh", *exported, shlex.join(command), ""]
        (self.folder / "cmd.sh").write_text("\n".join(lines), "utf-8")


class ActiveRun:
    """A running job's pen: what an entry point writes its progress and metrics with."""

    _PHASE_S = 0.1  # a loop may report every step; nobody reads faster than this

    def __init__(self, folder: Path, *, evidence: Evidence, stream: TextIO) -> None:
        self.folder = folder
        self.evidence = evidence
        """The tag of what is measured in this run: `target` on target hardware only."""
        self._stream = stream
        self._began_s = time.monotonic()
        self._phase = ""
        self._said_s = float("-inf")

    @property
    def name(self) -> str:
        """The run's id."""
        return self.folder.name

    def phase(self, name: str, fraction: float | None = None) -> None:
        """Say what is being done and which fraction of the whole job (0..1) lies behind."""
        now_s = time.monotonic()
        if name == self._phase and now_s - self._said_s < self._PHASE_S:
            return
        self._phase, self._said_s = name, now_s
        eta_s = None
        if fraction is not None and fraction > 0:
            eta_s = round((now_s - self._began_s) * (1 - fraction) / fraction, 1)
        self.report(Phase(name=name, fraction=fraction, eta_s=eta_s))

    def metric(self, **values: Any) -> None:
        """Append named values to metrics.jsonl and report them."""
        line = {"elapsed_s": round(time.monotonic() - self._began_s, 3), **values}
        with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(line, ensure_ascii=False) + "\n")
        self.report(Metric(values=line))

    def note(self, text: str) -> None:
        """Say a sentence."""
        self.report(Note(text=text))

    def report(self, report: Report) -> None:
        """Write one line of the protocol."""
        self._stream.write(to_line(report))
        self._stream.flush()


def every(parent: Path) -> list[RunDirectory]:
    """All runs, newest first."""
    return [
        RunDirectory(path.parent) for path in sorted(parent.glob("*/manifest.json"), reverse=True)
    ]


def find(parent: Path, name: str, job: str = "") -> RunDirectory:
    """The run with this id, an unambiguous beginning of it, or `latest`.

    With a `job` the latest is the newest of its runs that finished: a job that asks for another
    one's result is itself the newest run of all.
    """
    runs = every(parent)
    if name == "latest" and job:
        of_job = (run for run in runs if run.manifest().get("job") == job)
        newest = next((run for run in of_job if run.result() is not None), None)
        if newest is None:
            raise JobFailed(f"No run of {job} has finished", remedy=f"run {job} first")
        return newest
    found = runs[:1] if name == "latest" else [run for run in runs if run.name == name]
    found = found or [run for run in runs if run.name.startswith(name)]
    if len(found) != 1:
        raise JobFailed(
            f"{len(found) or 'No'} runs match {name}",
            remedy="`pads job list --runs` names them all",
        )
    return found[0]


def _owner() -> dict[str, Any]:
    return {"process": os.getpid(), "process_started": birth()}
