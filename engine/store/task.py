"""Work on models in a thread of its own, whose progress is polled and which can be cancelled."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from engine.errors import PadsError
from engine.store.storing import Report

log = logging.getLogger(__name__)


class _Cancelled(BaseException):
    """Not an `Exception`, so that no step swallows it by accident."""


class Task:
    """One piece of work under way.

    `result`, `problem` and `cancelled` are valid once `done`; `problem` is a sentence.
    """

    def __init__(self, work: Callable[[Report], Any]) -> None:
        """Start `work`, which reports its progress and so is cancelled between its steps."""
        self.step, self.fraction = "", 0.0
        self.result: Any = None
        self.problem: str | None = None
        self.cancelled = False
        self._stop = threading.Event()
        # A daemon, because a network that does not answer must not keep the program.
        self._thread = threading.Thread(target=self._run, args=(work,), name="models", daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether it has ended, in whichever way."""
        return not self._thread.is_alive()

    def cancel(self) -> None:
        """Have it end at its next step."""
        self._stop.set()

    def close(self, timeout_s: float = 2.0) -> None:
        """Cancel, and wait for the end; a step that hangs in the network is left behind."""
        self.cancel()
        self._thread.join(timeout_s)

    def _report(self, step: str, fraction: float) -> None:
        if self._stop.is_set():
            raise _Cancelled
        self.step, self.fraction = step, fraction

    def _run(self, work: Callable[[Report], Any]) -> None:
        try:
            self.result = work(self._report)
        except _Cancelled:
            self.cancelled = True
        except PadsError as exc:
            self.problem = str(exc)
        except Exception as exc:  # the thread's root: whatever happened is told
            log.exception("the work on models stopped")
            self.problem = f"Something unexpected happened ({exc}): try again"
