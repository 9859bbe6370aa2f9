"""All runs at a glance, cheap enough to be asked for every second."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import paths
from engine.errors import JobFailed
from engine.records import runs
from engine.records.runs import RunDirectory, RunStatus


@dataclass(frozen=True, slots=True)
class Seen:
    """A run and its manifest as of now."""

    run: RunDirectory
    manifest: dict[str, Any]

    @property
    def status(self) -> RunStatus:
        """How it stands."""
        return RunStatus(self.manifest["status"])

    @property
    def job(self) -> str:
        """The name of its job."""
        return str(self.manifest["job"])

    @property
    def active(self) -> bool:
        """Whether it waits in the queue, or was begun from there and runs."""
        waits = self.status is RunStatus.QUEUED
        return waits or (self.status is RunStatus.RUNNING and "queued_ns" in self.manifest)


class Overview:
    """Reads a manifest again only when it was written, or when its run may have died."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[int, Seen]] = {}

    def refresh(self) -> list[Seen]:
        """All runs with a readable manifest, newest first."""
        before, self._known = self._known, {}
        for run in runs.every(paths.runs()):
            try:
                written_ns = (run.folder / "manifest.json").stat().st_mtime_ns
                known = before.get(run.folder)
                if (
                    known is None
                    or known[0] != written_ns
                    or known[1].status is RunStatus.RUNNING
                    or (known[1].status is RunStatus.QUEUED and run.cancel_requested)
                ):
                    known = (written_ns, Seen(run, run.manifest()))
            except (OSError, JobFailed):
                continue  # deleted meanwhile, or damaged: `pads job show` says so
            self._known[run.folder] = known
        return [seen for _, seen in self._known.values()]


def active() -> list[Seen]:
    """Runs of the queue that run or wait, the running one first, then as they will begin."""
    found = [seen for seen in Overview().refresh() if seen.active]
    return sorted(
        found, key=lambda seen: (seen.status is RunStatus.QUEUED, seen.manifest["queued_ns"])
    )
