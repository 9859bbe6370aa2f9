"""The engine's side of the decoder process: start it, give it jobs, take its reports.

llama.cpp is never loaded here. A process that dies by itself is reported and started again;
the jobs it had are reported as failed.
"""

from __future__ import annotations

import logging
import queue
import signal
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from engine import children
from engine.errors import ModelUnavailable
from engine.settings import DecoderSettings
from engine.speculation import messages
from engine.speculation.messages import (
    Cancelled,
    Died,
    Done,
    Failed,
    Message,
    Ready,
    Report,
    Restarted,
    Starting,
    Token,
    Worked,
)

__all__ = [
    "Cancelled",
    "DecoderProcess",
    "Died",
    "Done",
    "Failed",
    "Message",
    "Ready",
    "Report",
    "Restarted",
    "Starting",
    "Token",
    "Worked",
]

log = logging.getLogger(__name__)

HOST_ARGUMENT = "--decoder-host"
"""Sole argument with which the frozen application runs `engine.speculation.host.main`."""

_RESTART_S = (0.0, 0.5, 2.0, 10.0)
"""Pause before starting again after 1, 2, 3, more deaths without a finished job between."""

_STOOD_STILL_S = 3.0
"""Whoever polls does so many times a second."""


class DecoderProcess:
    """One decoder process and its restarts.

    All methods return at once, but for `close`. Reports wait in a bounded queue until `poll`;
    `lost` counts those dropped because nobody polled.
    """

    def __init__(
        self,
        settings: DecoderSettings,
        model: Path,
        cache: Path,
        *,
        hang_s: float = 10.0,
        capacity: int = 16_384,
    ) -> None:
        """`hang_s`: a process with work that reports nothing for so long is killed.

        A working one reports every pass, some tenths of a second; a turn waits for 20 s at most.
        """
        self._opening = messages.Open(str(model), str(cache), asdict(settings))
        self._hang_s, self._capacity = hang_s, capacity
        self._lock = threading.Lock()
        self._reports: deque[Report] = deque()
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._jobs: set[int] = set()
        self._child: subprocess.Popen[bytes] | None = None
        self._closing = threading.Event()
        self._heard_s = self._polled_s = time.monotonic()
        self._ready, self._hung, self._deaths = False, False, 0
        self._refused: ModelUnavailable | None = None
        self._keeper = threading.Thread(target=self._keep, name="decoder-keeper", daemon=True)
        self.lost = 0

    @property
    def pid(self) -> int | None:
        """The process's id; None while there is no process."""
        with self._lock:
            return self._child.pid if self._child is not None else None

    def start(self) -> None:
        """Start the process; `Starting` reports follow, then `Ready`, or `Died` if it cannot."""
        self._keeper.start()

    def prefill(self, job: int, conversation: Sequence[Message]) -> None:
        """Run the shallow layers over the conversation; ends with `Done`."""
        self._ask(job, messages.Prefill(job, tuple(conversation)))

    def decode(
        self, job: int, conversation: Sequence[Message], max_tokens: int, p_deep: float = 1.0
    ) -> None:
        """Answer the conversation: `Token` reports, then `Done`.

        `p_deep`, the turn's P(deep), matters to the dialogue-act exit policy only.
        """
        self._ask(job, messages.Decode(job, tuple(conversation), max_tokens, p_deep))

    def cancel(self, job: int) -> None:
        """Stop a job, or undo it when it is done and no other has begun; ends in `Cancelled`."""
        with self._lock:
            self._requests.put(messages.encode(messages.Cancel(job)))

    def poll(self) -> list[Report]:
        """Reports since the last call, in order."""
        with self._lock:
            reports = list(self._reports)
            self._reports.clear()
            now_s = time.monotonic()
            if now_s - self._polled_s > _STOOD_STILL_S:
                self._heard_s = now_s  # we stood still ourselves, as in a suspend: not its silence
            self._polled_s, silent_s = now_s, now_s - self._heard_s
            if self._ready and self._jobs and silent_s > self._hang_s and self._child is not None:
                self._hung = True
                self._child.kill()
        return reports

    def close(self, timeout_s: float = 2.0) -> None:
        """End the process and its threads; one that does not end in time is killed."""
        self._closing.set()
        with self._lock:
            self._requests.put(None)
        if self._keeper.ident is None:
            return
        self._keeper.join(timeout_s)
        with self._lock:
            if self._child is not None:
                self._child.kill()
        self._keeper.join()

    def _ask(self, job: int, request: messages.Request) -> None:
        with self._lock:
            if self._refused:
                self._post(Failed(job, str(self._refused)))
                return
            if not self._jobs:
                self._heard_s = time.monotonic()
            self._jobs.add(job)
            self._requests.put(messages.encode(request))

    def _post(self, report: Report) -> None:
        if len(self._reports) == self._capacity:
            self._reports.popleft()
            self.lost += 1
        self._reports.append(report)

    # In the keeper's thread -----------------------------------------------------------------

    def _keep(self) -> None:
        """Run one process after another until closed, or until one refuses the model."""
        while not (self._closing.is_set() or self._refused):
            try:
                with tempfile.TemporaryFile() as errors:
                    reason = self._live(errors)
            except Exception as exc:  # the thread's root: told as a death, and begun anew
                log.exception("the decoder's keeper stopped")
                reason = f"The decoder process could not be started or kept ({exc})"
                self._let_go()
            self._bury(reason)

    def _live(self, errors: IO[bytes]) -> str:
        """One process from birth to death; returns the reason of its death."""
        child = subprocess.Popen(
            children.command("engine.speculation.host", HOST_ARGUMENT),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=children.environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        assert child.stdin is not None
        assert child.stdout is not None
        with self._lock:
            self._child, requests = child, self._requests
            if self._deaths:
                self._post(Restarted())
        writer = threading.Thread(
            target=_write, args=(child.stdin, self._opening, requests), name="decoder-requests"
        )
        writer.start()
        with child.stdout:
            for line in child.stdout:
                self._take(line)
        code = child.wait()
        with self._lock:
            self._child, self._ready = None, False
        requests.put(None)
        writer.join()
        return str(self._refused) if self._refused else _reason(code, self._hung, errors)

    def _take(self, line: bytes) -> None:
        try:
            report: Any = messages.decode(line)
        except ValueError:
            return  # the half of a line that a dying process wrote
        with self._lock:
            self._heard_s = time.monotonic()
            match report:
                case messages.Refused(thing=thing, remedy=remedy):
                    self._refused = ModelUnavailable(thing, remedy=remedy)
                    return
                case Ready():
                    self._ready = True
                case Done(job=job):
                    self._jobs.discard(job)
                    self._deaths = 0
                case Cancelled(job=job) | Failed(job=job):
                    self._jobs.discard(job)
            self._post(report)

    def _let_go(self) -> None:
        """End a process that nobody listens to any more, and the thread that feeds it."""
        with self._lock:
            child, self._child, self._ready = self._child, None, False
            self._requests.put(None)
        if child is not None:
            child.kill()
            child.wait()

    def _bury(self, reason: str) -> None:
        """Report a death with the jobs it took, and wait before the next start."""
        if self._closing.is_set():
            return
        with self._lock:
            self._post(Died(reason, self._refused))
            for job in sorted(self._jobs):
                self._post(Failed(job, reason))
            self._jobs.clear()
            self._requests = queue.SimpleQueue()
            self._deaths += 1
            self._hung = False
        self._closing.wait(_RESTART_S[min(self._deaths, len(_RESTART_S)) - 1])


def _write(
    pipe: IO[bytes], opening: messages.Open, requests: queue.SimpleQueue[bytes | None]
) -> None:
    """Feed one process; ends, and closes its input, at None or when the process is gone."""
    try:
        with pipe:
            line: bytes | None = messages.encode(opening)
            while line is not None:
                pipe.write(line)
                pipe.flush()
                line = requests.get()
    except OSError:
        return  # its death is noticed by the keeper


def _reason(code: int, hung: bool, errors: IO[bytes]) -> str:
    if hung:
        return "The decoder process hung and was stopped"
    if code < 0:
        try:
            how = signal.Signals(-code).name
        except ValueError:
            how = f"signal {-code}"
    else:
        how = f"exit code {code}"
    errors.seek(0)
    said = [line for line in errors.read().decode("utf-8", "replace").splitlines() if line.strip()]
    cause = f"; it said: {said[-1].strip()}" if code > 0 and said else ""
    return f"The decoder process ended unexpectedly ({how}{cause})"
