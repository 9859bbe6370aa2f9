"""All runs at a glance, cheap enough to be asked for every second."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import paths
from engine.errors import JobFailed
from engine.records import runs
from engine.records.runs import RunDirectory, RunStatus

_SOON_NS = 5_000_000_000


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
    """Lists the runs anew when their folder has changed, and reads again those that may have."""

    def __init__(self) -> None:
        self._known: dict[Path, Seen] = {}
        self._folder_ns = -1

    def refresh(self) -> list[Seen]:
        """All runs with a readable manifest, newest first; an unchanged one is the same object."""
        before, self._known = self._known, {}
        for run in self._listed(before):
            known = before.get(run.folder)
            if known is None or not _settled(known):
                try:
                    known = _read(run, known)
                except (OSError, JobFailed):
                    continue  # deleted meanwhile, or damaged: `pads job show` says so
            self._known[run.folder] = known
        return list(self._known.values())

    def _listed(self, before: dict[Path, Seen]) -> list[RunDirectory]:
        try:
            folder_ns = paths.runs().stat().st_mtime_ns
        except OSError:
            return []
        # A folder is made a moment before its manifest: soon after a change, look again.
        if folder_ns == self._folder_ns and time.time_ns() - folder_ns > _SOON_NS:
            return [seen.run for seen in before.values()]
        self._folder_ns = folder_ns
        return runs.every(paths.runs())


def _settled(seen: Seen) -> bool:
    """Whether its manifest will not change any more; a supervisor's last word is the exit code."""
    over = seen.status not in (RunStatus.QUEUED, RunStatus.RUNNING)
    return over and ("exit_code" in seen.manifest or "guard" not in seen.manifest)


def _read(run: RunDirectory, known: Seen | None) -> Seen:
    """The run as of now; `known` itself while nothing about it has changed."""
    manifest = run.manifest()  # which may find that its process is gone
    if known is not None and manifest == known.manifest:
        return known
    return Seen(run, manifest)


def active() -> list[Seen]:
    """Runs of the queue that run or wait, the running one first, then as they will begin."""
    found = [seen for seen in Overview().refresh() if seen.active]
    return sorted(
        found, key=lambda seen: (seen.status is RunStatus.QUEUED, seen.manifest.get("queued_ns", 0))
    )
