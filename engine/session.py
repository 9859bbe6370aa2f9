"""The live engine: one worker thread that hears, judges, and has the decoder answer.

The thread works with one `engine.live.Engine` after another: an error that nobody expected ends the
conversation under way, which is told, and a new engine takes over. What happens is posted to the
outbox and, if wanted, to the session's log.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from engine import commands, events
from engine.errors import PadsError
from engine.live import Ended, Engine, with_model
from engine.outbox import Outbox
from engine.records.recorder import Recorder
from engine.settings import Settings

log = logging.getLogger(__name__)

_TURN_S = 0.0005
"""After so long a thread that draws lets the engine's thread go on, instead of Python's 5 ms: the
engine asks for its turn after every native call, some ten times between silence and the gate."""

_SOON_S = 3.0
"""An engine that fails so soon would fail again: the next one waits until it is asked for."""


class Session:
    """The engine behind one window or one command.

    `start` returns at once; `EngineReady` or `EngineFailed` tells how it went. `send` takes
    the commands of `engine.commands`. With a `log_folder` the session is recorded there.
    """

    def __init__(self, settings: Settings, outbox: Outbox, *, log_folder: Path | None) -> None:
        self._settings, self._outbox, self._log_folder = settings, outbox, log_folder
        self._commands: SimpleQueue[Any] = SimpleQueue()
        self._stopping, self._switching = threading.Event(), False
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def start(self) -> None:
        """Start the worker thread; Python's threads then take turns more often."""
        sys.setswitchinterval(_TURN_S)
        self._thread.start()

    def send(self, command: Any) -> None:
        """Hand a command to the worker thread."""
        self._commands.put(command)

    def stop(self, timeout_s: float = 1.5) -> bool:
        """End the thread and everything it started; False if it did not end in time."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            with ExitStack() as stack:
                post = Recorder(self._outbox, self._log_folder, stack)
                while not self._stopping.is_set():
                    with ExitStack() as running:
                        again = self._work_with_one(post, running)
                    if not again:
                        self._await_retry()
        except Exception as exc:  # the thread's root: whatever happened is told
            log.exception("the engine stopped")
            self._outbox.post(events.WorkerDied(heard_s=0.0, name="engine", reason=str(exc)))

    def _work_with_one(self, post: Recorder, running: ExitStack) -> bool:
        """Work with one engine until its end; False when the next is to wait until it is wanted."""
        engine = None
        try:
            engine = self._start_engine(post, running)
            began_s = time.monotonic()
            self._work(engine, post)
        except Exception as exc:
            log.exception("the engine stopped")
            reason = f"{type(exc).__name__}: {exc}" if str(exc) else type(exc).__name__
            if engine is not None and time.monotonic() - began_s >= _SOON_S:
                engine.break_off(f"The engine stopped ({reason}) and starts again: begin anew")
                return True
            sentence = f"The engine stopped ({reason}): try again"
            post(events.EngineFailed(heard_s=0.0, message=sentence))
            return False
        return True

    def _work(self, engine: Engine | None, post: Recorder) -> None:
        """Work until the session stops, or no language model is left to answer."""
        while engine is not None and not self._stopping.is_set():
            try:
                self._obey(engine)
            except PadsError as exc:
                post(events.EngineFailed(heard_s=0.0, message=str(exc)))
                self._await_retry()
                return
            engine.step()

    def _start_engine(self, post: Recorder, stack: ExitStack) -> Engine | None:
        """Load until it works or the session stops; a failure waits for `Retry`."""
        while not self._stopping.is_set():
            with ExitStack() as attempt:
                try:
                    engine = Engine(self._settings, post, attempt, self._stopping)
                except Ended:
                    return None
                except PadsError as exc:
                    post(events.EngineFailed(heard_s=0.0, message=str(exc)))
                else:
                    stack.push(attempt.pop_all())
                    if self._switching:
                        engine.tell_model()
                        self._switching = False
                    return engine
            self._await_retry()
        return None

    def _await_retry(self) -> None:
        while not self._stopping.is_set():
            try:
                command = self._commands.get(timeout=0.1)
            except Empty:
                continue
            match command:
                case commands.ApplySettings(settings=settings):
                    self._settings = settings
                case commands.SwitchModel():
                    self._settings = with_model(self._settings, command)
                    self._switching = True
                    return
                case commands.Retry():
                    return

    def _obey(self, engine: Engine) -> None:
        while True:
            try:
                command = self._commands.get_nowait()
            except Empty:
                return
            engine.obey(command)
