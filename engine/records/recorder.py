"""Everything the engine tells goes through here: to the outbox, and to the session's log."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from engine import events
from engine.events import Event
from engine.outbox import Outbox
from engine.records.session_log import SessionLog, mark_interrupted


class Recorder:
    """Posts events to the outbox and writes them to the session's log, if there is one."""

    def __init__(self, outbox: Outbox, folder: Path | None, stack: ExitStack) -> None:
        self._outbox = outbox
        self._log: SessionLog | None = None
        if folder is None:
            return
        try:
            self._report_interrupted(folder)
            self._log = SessionLog(folder, {})
            stack.callback(self._end)
        except OSError as exc:
            self._lost(exc)

    @property
    def folder(self) -> Path | None:
        """Where the session is recorded; None when it is not, or no more."""
        return None if self._log is None else self._log.folder

    def __call__(self, event: Event) -> None:
        # On disk first: what has been shown is never missing from the record.
        self._logged(lambda log: log.write(event))
        self._outbox.post(event)

    def show(self, gauge: Any) -> None:
        """Show a gauge, which is not recorded."""
        self._outbox.show(gauge)

    def describe(self, details: dict[str, Any]) -> None:
        """Add to the log's manifest."""
        self._logged(lambda log: log.describe(details))

    def _end(self) -> None:
        self._logged(lambda log: log.close())

    def _logged(self, act: Callable[[SessionLog], None]) -> None:
        if self._log is None:
            return
        try:
            act(self._log)
        except OSError as exc:
            self._lost(exc)

    def _lost(self, exc: OSError) -> None:
        log, self._log = self._log, None
        if log is not None:
            log.abandon()
        message = (
            f"This session is no longer recorded ({exc}): see that its folder is there and has "
            "room, then restart"
        )
        self._outbox.post(events.Problem(heard_s=0.0, message=message))

    def _report_interrupted(self, folder: Path) -> None:
        for ended in mark_interrupted(folder):
            message = (
                f"The session {ended.folder.name} ended abruptly: its {ended.events} events "
                f"are kept in {ended.folder}"
            )
            self._outbox.post(events.Problem(heard_s=0.0, message=message))
