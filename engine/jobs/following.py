"""Following a run from anywhere: how it stands, what it does, how long yet, is it well."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

from engine.errors import JobFailed
from engine.jobs.runner import ProgressReader
from engine.records.progress import Note, Phase, Report
from engine.records.runs import RunDirectory, RunStatus

SILENT_S = 180.0
"""A running job that reports nothing for this long is pointed out."""
_STALE_S = 15.0  # the supervisor writes every second
_KEPT_NOTES = 200


class Follower:
    """Reads a run that another process may own; every `poll` costs a few file reads."""

    def __init__(self, run: RunDirectory) -> None:
        self.run = run
        self.manifest: dict[str, Any] = run.manifest()
        self.phase = Phase(name="")
        self.notes: deque[str] = deque(maxlen=_KEPT_NOTES)
        """What it has said and begun, the last of it."""
        self._reader = ProgressReader(run.folder)
        self._heard_s = 0.0  # on the wall clock, as files tell

    @property
    def status(self) -> RunStatus:
        """How the run stands, as of the last `poll`."""
        return RunStatus(self.manifest["status"])

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.status not in (RunStatus.QUEUED, RunStatus.RUNNING)

    def poll(self) -> list[Report]:
        """What was reported since the last call."""
        reports = self._reader.poll()
        for report in reports:
            match report:
                case Phase(name=name):
                    if name != self.phase.name:
                        self.notes.append(f"{name} …")
                    self.phase = report
                case Note(text=text):
                    self.notes.append(text)
        if reports:
            self._heard_s = _written_s(self.run, "progress.jsonl")
        if not (self.over and "exit_code" in self.manifest):  # the supervisor's last word
            try:
                self.manifest = self.run.manifest()
            except JobFailed as exc:  # its folder was deleted
                ending = {"status": RunStatus.INTERRUPTED.value, "reason": exc.thing}
                self.manifest = self.manifest | ending
        return reports

    def left_s(self) -> float | None:
        """Seconds left by the job's own reckoning, counted down since it said so."""
        if self.phase.eta_s is None or self.status is not RunStatus.RUNNING:
            return None
        return max(self.phase.eta_s - (time.time() - self._heard_s), 0.0)

    def trouble(self) -> str:
        """What looks unhealthy about a running job, in a sentence; empty when all is well."""
        if self.status is not RunStatus.RUNNING:
            return ""
        now_s = time.time()
        if now_s - _written_s(self.run, "memory.json", default_s=now_s) > _STALE_S:
            return "Nobody watches its memory: its supervisor gives no sign of life."
        silent_s = now_s - (self._heard_s or now_s)
        if silent_s > SILENT_S:
            return f"It has reported nothing for {silent_s / 60:.0f} minutes."
        return ""


def _written_s(run: RunDirectory, name: str, default_s: float = 0.0) -> float:
    """When a file of the run was last written, on the wall clock."""
    try:
        return (run.folder / name).stat().st_mtime
    except OSError:
        return default_s
