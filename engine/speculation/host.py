"""The decoder process: reads requests from its standard input, works, writes reports.

It ends when its input ends, so it never outlives the process that started it. A thread of its
own reads requests: a cancellation takes effect while llama.cpp computes.
"""

from __future__ import annotations

import codecs
import faulthandler
import os
import signal
import sys
import threading
import traceback
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from engine.errors import DecoderFailed, PadsError
from engine.events import TokenOutcome
from engine.settings import DecoderSettings
from engine.speculation import messages
from engine.speculation.messages import Cancel, Decode, Open, Prefill

if TYPE_CHECKING:
    from engine.speculation.chat import Chat
    from engine.speculation.decoder import Decoder, Step

QUEUE = 64
"""Requests that may wait; more are refused, not forgotten."""


class Host:
    """Takes requests from one thread and works them off, in order, in another."""

    def __init__(self, reports: BinaryIO) -> None:
        self._reports = reports
        self._writing = threading.Lock()
        self._changed = threading.Condition()
        self._waiting: deque[Prefill | Decode] = deque()
        self._opening: Open | None = None
        self._running: int | None = None  # the job being worked on
        self._last: int | None = None  # the job whose work the caches still hold
        self._undo = False  # roll the last job back before the next one
        self._decoder: Decoder | None = None

    # In the reading thread ------------------------------------------------------------------

    def listen(self, requests: BinaryIO) -> None:
        """Take requests until the input ends, which ends the process."""
        try:
            for line in requests:
                self.take(messages.decode(line))
        except BaseException:  # noqa: BLE001  # a thread's root: without requests there is no process
            traceback.print_exc()  # the parent quotes its last line
            os._exit(1)
        os._exit(0)  # at once: nobody is left to report to

    def take(self, request: messages.Request) -> None:
        """Queue a request, or cancel one."""
        refused = None
        with self._changed:
            match request:
                case Open():
                    self._opening = request
                case Cancel(job=job):
                    self._cancel(job)
                case Prefill() | Decode():
                    if len(self._waiting) < QUEUE:
                        self._waiting.append(request)
                    else:
                        refused = request.job
            self._changed.notify()
        if refused is not None:
            self.report(messages.Failed(refused, "The decoder has too many requests waiting"))

    def _cancel(self, job: int) -> None:
        if job == self._running:
            self._undo = True
            if self._decoder is not None:
                self._decoder.stop.set()
            return
        if job == self._last:
            self._undo = True  # done, but its work is not wanted: the working thread rolls back
            return
        for request in [r for r in self._waiting if r.job == job]:
            self._waiting.remove(request)
        self.report(messages.Cancelled(job))

    # In the working thread ------------------------------------------------------------------

    def report(self, message: object) -> None:
        """Write one report; a parent that is gone ends the process."""
        with self._writing:
            try:
                self._reports.write(messages.encode(message))
                self._reports.flush()
            except OSError:
                os._exit(0)

    def work(self) -> None:
        """Open the model, then do jobs for ever."""
        with self._changed:
            self._changed.wait_for(lambda: self._opening is not None)
            opening = self._opening
        assert opening is not None
        try:
            chat = self._load(opening)
        except PadsError as exc:
            self.report(messages.Refused(exc.thing, exc.remedy))
            return
        while True:
            self._do(self._next(), chat)

    def _load(self, opening: Open) -> Chat:
        from engine.speculation import loading  # llama.cpp takes a moment

        settings = DecoderSettings(**opening.settings)
        loaded = loading.load(
            Path(opening.model),
            Path(opening.cache),
            settings,
            lambda step, fraction: self.report(messages.Starting(step, fraction)),
        )
        self._decoder = loaded.decoder
        self.report(messages.Ready(loaded.details))
        return loaded.chat

    def _next(self) -> Prefill | Decode:
        """The next job that is still worth doing; cancelled work is undone meanwhile."""
        while True:
            dropped: list[int] = []
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._undo)
                undone = self._undo
                if undone and self._last is not None:
                    self._roll_back()
                    dropped.append(self._last)
                    self._last = None
                # A prefill is superseded by whatever was asked for after it.
                while len(self._waiting) > 1 and isinstance(self._waiting[0], Prefill):
                    dropped.append(self._waiting.popleft().job)
                request = self._waiting.popleft() if self._waiting else None
                if request is not None:
                    self._running, self._last = request.job, None
                    assert self._decoder is not None
                    self._decoder.keep()
            for job in dropped:
                self.report(messages.Cancelled(job))
            if request is not None:
                return request

    def _roll_back(self) -> None:
        assert self._decoder is not None
        self._undo = False
        self._decoder.stop.clear()
        self._decoder.rollback()

    def _do(self, request: Prefill | Decode, chat: Chat) -> None:
        """One job with its ending: done, cancelled or failed."""
        from engine.speculation.context import Stopped

        ending: object
        try:
            prompt = chat.prompt(request.messages)
            if isinstance(request, Prefill):
                ending = self._prefill(request, prompt.tokens[: prompt.stable])
            else:
                ending = self._answer(request, prompt.tokens)
        except Stopped:
            ending = messages.Cancelled(request.job)
        except DecoderFailed as exc:
            ending = messages.Failed(request.job, str(exc))
        with self._changed:
            self._running, self._last = None, request.job
            if self._undo or not isinstance(ending, messages.Done):
                self._roll_back()
                self._last = None
                if isinstance(ending, messages.Done):
                    ending = messages.Cancelled(request.job)
        self.report(ending)

    def _prefill(self, request: Prefill, tokens: list[int]) -> messages.Done:
        assert self._decoder is not None
        reason = "prefilled"
        for step in self._decoder.prefill(tokens):
            self.report(_worked(request.job, "shallow", step))
            if self._waiting:
                reason = "superseded"
                break
        return messages.Done(request.job, "shallow", (), "", reason, 0, 0)

    def _answer(self, request: Decode, prompt: list[int]) -> messages.Done:
        assert self._decoder is not None
        decoder, tokens, pieces = self._decoder, list[int](), list[str]()
        characters = codecs.getincrementaldecoder("utf-8")("replace")
        drafted = accepted = 0
        reason = ""
        for step in decoder.decode(prompt, request.max_tokens, request.p_deep):
            self.report(_worked(request.job, "deep", step))
            drafted, accepted = drafted + step.drafted, accepted + step.accepted
            reason = step.ended
            for item in step.served:
                pieces.append(characters.decode(decoder.model.piece(item.token)))
                tokens.append(item.token)
                self.report(
                    messages.Token(
                        job=request.job,
                        index=len(tokens) - 1,
                        token=item.token,
                        text=pieces[-1],
                        outcome=item.outcome,
                        layers_used=decoder.halves.exit_layer
                        if item.outcome is TokenOutcome.SHALLOW
                        else decoder.halves.layers,
                        layers_total=decoder.halves.layers,
                        at_s=step.end_s,
                    )
                )
        text = "".join(pieces)
        return messages.Done(request.job, "deep", tuple(tokens), text, reason, drafted, accepted)


def _worked(job: int, kind: messages.Kind, step: Step) -> messages.Worked:
    return messages.Worked(
        job, kind, step.start_s, step.end_s, step.head_ms, step.tail_ms, step.positions
    )


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """The request and report streams; prints of any library go to standard error instead."""
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (0, 1):
            msvcrt.setmode(descriptor, os.O_BINARY)
    requests, reports = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, reports


def main() -> int:
    """Run the decoder process; started by `client.DecoderProcess` only."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    faulthandler.enable()
    requests, reports = _pipes()
    host = Host(reports)
    host.report(messages.Starting("Loading llama.cpp", 0.0))
    threading.Thread(target=host.listen, args=(requests,), name="requests", daemon=True).start()
    host.work()
    return 0


if __name__ == "__main__":
    sys.exit(main())
