"""Self-speculative decoding over the two halves of one model, and its rollback.

The head (layers below the exit) and the tail (the rest) have a KV cache each. What the head put
out stays in memory for every position, so the tail can continue from there later without the
head working again. Whatever was prefilled, speculated or discarded before, the same prompt
gives the same tokens: all batch widths give the same bits with `llama.Kernels`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from engine.errors import DecoderFailed
from engine.events import TokenOutcome
from engine.speculation import choosing, drafting, policies, split, verifying
from engine.speculation.choosing import Chooser
from engine.speculation.context import Context, Floats
from engine.speculation.llama import Kernels, Model, Stop
from engine.speculation.sampling import Sampling
from engine.speculation.split import Halves
from engine.speculation.verifying import Verified

CHUNK = 64
"""Positions of one prefill pass: the widest batch, and the longest time until a job can yield."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a job: what it cost (monotonic seconds, milliseconds) and what it serves.

    `positions` were computed; `ended` says why a reply ends with this step.
    """

    start_s: float
    end_s: float
    head_ms: float = 0.0
    tail_ms: float = 0.0
    positions: int
    served: tuple[Verified, ...] = ()
    drafted: int = 0
    accepted: int = 0
    ended: Literal["eos", "length", ""] = ""


class Decoder:
    """One conversation's computing. Not thread-safe but for `stop`.

    Jobs are generators of steps: `prefill` and `decode`. Setting `stop` makes the running step
    raise `context.Stopped`; `rollback` then puts both caches back to where the job began.
    """

    def __init__(
        self,
        halves: Halves,
        *,
        size: int,
        threads: int,
        draft_tokens: int = 0,
        kernels: Kernels | None = None,
    ) -> None:
        """Load both halves with a context of `size` positions; `draft_tokens` 0 is plain decoding.

        No batch is wider than `widest`, set once `exactness` has shown what is exact here.
        """
        kernels = kernels or Kernels()
        self.halves, self.kernels, self.stop = halves, kernels, Stop()
        self.size, self.threads = size, threads
        self.draft_tokens, self.widest = draft_tokens, CHUNK
        self.lookup = False  # drafts come from the conversation, not from the exit layer
        self.choosing: choosing.Choosing = choosing.by(Sampling())
        self.policy: policies.ExitPolicy = policies.Verified()
        with ExitStack() as stack:
            self.model = Model(halves.tail, repack=kernels.repack)
            stack.callback(self.model.close)
            head_model = Model(halves.head, repack=kernels.repack)
            stack.callback(head_model.close)
            # An adapter sits on the exit layer, whose states the tail goes on from all the same.
            below = halves.exit_layer - 1
            self.head = self._context(head_model, below, below + halves.adapted)
            stack.callback(self.head.close)
            self.tail = self._context(self.model)
            stack.callback(self.tail.close)
            self._closing = stack.pop_all()
        self._embeddings, self._draftable = split.embeddings(halves), split.draftable(halves)
        self._states: Floats = np.empty((size, self.model.width), np.float32)
        self._tokens: list[int] = []  # in the head's cache
        self._deep = 0  # of them in the tail's cache
        self._floor = (0, 0)

    def _context(
        self, model: Model, capture_layer: int | None = None, last_layer: int | None = None
    ) -> Context:
        return Context(
            model,
            size=self.size,
            batch=min(CHUNK, self.size),
            threads=self.threads,
            kernels=self.kernels,
            stop=self.stop,
            capture_layer=capture_layer,
            last_layer=last_layer,
        )

    def close(self) -> None:
        """Free contexts and models."""
        self._closing.close()

    @property
    def draft_vocabulary(self) -> int:
        """Tokens a draft may propose."""
        return len(self._draftable)

    @property
    def lengths(self) -> tuple[int, int]:
        """Positions in the head's and in the tail's cache."""
        return len(self._tokens), self._deep

    def prefill(self, tokens: Sequence[int]) -> Iterator[Step]:
        """Compute the head over `tokens`; what an earlier job left of their prefix is kept."""
        self._begin(tokens, deep=len(tokens))
        yield from self._shallow(tokens)

    def decode(self, tokens: Sequence[int], max_tokens: int, p_deep: float = 1.0) -> Iterator[Step]:
        """Answer the prompt `tokens`; `p_deep` is for lossy exit policies."""
        if not 0 < len(tokens) < self.size:
            raise DecoderFailed(
                f"A prompt of {len(tokens)} tokens does not fit a context of {self.size}",
                remedy="raise the context length in Settings",
            )
        max_tokens = min(max_tokens, self.size - len(tokens))
        self._begin(tokens, deep=len(tokens) - 1)
        chooser = self.choosing(tokens)
        if not self.policy.lossless:
            yield from self._by_policy(tokens, max_tokens, p_deep, chooser)
            return
        yield from self._shallow(tokens)
        for step in self._deepen(len(tokens)):
            if self._deep < len(tokens):
                yield step
        first = Verified(chooser.token(self.tail.logits(1)[0]), TokenOutcome.DEEP)
        step = self._ended(step, [first], 0, max_tokens)
        emitted = len(step.served)
        yield step
        while not step.ended:
            step = self._round(step.served[-1].token, emitted, max_tokens, chooser)
            emitted += len(step.served)
            yield step

    def rollback(self) -> None:
        """Put both caches back to where they stood when the last job began."""
        self._trim(*self._floor)

    def keep(self) -> None:
        """What the last job computed stays: `rollback` no longer goes behind this point."""
        self._floor = self.lengths

    def forget(self) -> None:
        """Empty both caches."""
        self._trim(0, 0)
        self.keep()

    def rewind(self, tokens: Sequence[int], length: int) -> None:
        """Bring both caches to the first `length` of `tokens`, by computing if need be."""
        self._begin(tokens[:length], deep=length)
        list(self._shallow(tokens[:length]))
        list(self._deepen(length))

    def logits_of(self, tokens: Sequence[int]) -> Floats:
        """Append `tokens` as one batch; their full-depth logits, shape [n, n_vocab]."""
        start = len(self._tokens)
        self._run_head(tokens, with_logits=False)
        self.tail.run(start, self._states[start : len(self._tokens)], len(tokens))
        self._deep = len(self._tokens)
        return self.tail.logits(len(tokens)).copy()

    def exit_logits_of(self, tokens: Sequence[int]) -> Floats:
        """The same for the exit, without the tail: logits of shape [n, draft_vocabulary]."""
        self._run_head(tokens, with_logits=True)
        return self.head.logits(len(tokens)).copy()

    def _begin(self, tokens: Sequence[int], deep: int) -> None:
        """Keep what both caches share with `tokens`; the tail at most `deep` positions."""
        common = verifying.kept_prefix(self._tokens, tokens)
        self._trim(common, min(common, deep))
        self.keep()

    def _trim(self, head: int, tail: int) -> None:
        head = min(head, len(self._tokens))
        tail = min(tail, self._deep, head)
        if self.head.length > head:
            self.head.trim(head)
        if self.tail.length > tail:
            self.tail.trim(tail)
        del self._tokens[head:]
        self._deep = tail

    def _shallow(self, tokens: Sequence[int]) -> Iterator[Step]:
        while (start := len(self._tokens)) < len(tokens):
            begun = time.monotonic(), time.perf_counter()
            chunk = tokens[start : start + self.widest]
            self._run_head(chunk, with_logits=False)
            yield Step(
                start_s=begun[0],
                end_s=time.monotonic(),
                head_ms=(time.perf_counter() - begun[1]) * 1000,
                positions=len(chunk),
            )

    def _run_head(self, tokens: Sequence[int], *, with_logits: bool) -> None:
        start = len(self._tokens)
        rows = self._embeddings.floats(tokens)
        self.head.run(start, rows, len(tokens) if with_logits else 0)
        self._states[start : start + len(tokens)] = self.head.states
        self._tokens += tokens

    def _deepen(self, length: int) -> Iterator[Step]:
        """Bring the tail up to `length` positions; the last one gives logits."""
        while self._deep < length:
            begun = time.monotonic(), time.perf_counter()
            start, end = self._deep, min(self._deep + self.widest, length)
            self.tail.run(start, self._states[start:end], outputs=int(end == length))
            self._deep = end
            yield Step(
                start_s=begun[0],
                end_s=time.monotonic(),
                tail_ms=(time.perf_counter() - begun[1]) * 1000,
                positions=end - start,
            )

    def _round(self, pending: int, emitted: int, max_tokens: int, chooser: Chooser) -> Step:
        """Draft with the head, verify with the tail, keep what both agree on."""
        start_s, begun = time.monotonic(), time.perf_counter()
        start = len(self._tokens)
        wanted = drafting.draft_length(
            self.draft_tokens,
            emitted=emitted,
            max_tokens=max_tokens,
            room=self.size - start,
            widest=self.widest,
        )
        draft = self._draft(pending, wanted, chooser)
        drafted_s = time.perf_counter()
        self.tail.run(start, self._states[start : len(self._tokens)], len(draft) + 1)
        self._deep = len(self._tokens)
        served = chooser.verify(draft, self.tail.logits(len(draft) + 1))
        self._trim(start + len(served), start + len(served))
        ended_s = time.perf_counter()
        step = Step(
            start_s=start_s,
            end_s=time.monotonic(),
            head_ms=(drafted_s - begun) * 1000,
            tail_ms=(ended_s - drafted_s) * 1000,
            positions=len(draft) + 1,
            drafted=len(draft),
            accepted=len(served) - 1,
        )
        return self._ended(step, served, emitted, max_tokens)

    def _by_policy(
        self, tokens: Sequence[int], max_tokens: int, p_deep: float, chooser: Chooser
    ) -> Iterator[Step]:
        """Answer position by position, as deep as the exit policy says (lossy)."""
        self._trim(len(tokens) - 1, len(tokens) - 1)
        self.keep()
        yield from self._shallow(tokens[:-1])
        pending, emitted = tokens[-1], 0
        while True:
            start_s, begun = time.monotonic(), time.perf_counter()
            self._run_head([pending], with_logits=True)
            logits = self.head.logits(1)[0]
            item = Verified(chooser.draft(logits, self._draftable), TokenOutcome.SHALLOW)
            headed_s, skipped = time.perf_counter(), len(self._tokens) - self._deep
            if deep := self.policy.deep(logits, p_deep):
                # Positions passed over until now are filled into the tail's cache with this one.
                list(self._deepen(len(self._tokens)))
                item = Verified(chooser.token(self.tail.logits(1)[0]), TokenOutcome.DEEP)
            step = Step(
                start_s=start_s,
                end_s=time.monotonic(),
                head_ms=(headed_s - begun) * 1000,
                tail_ms=(time.perf_counter() - headed_s) * 1000 * deep,
                positions=skipped if deep else 1,
            )
            step = self._ended(step, [item], emitted, max_tokens)
            yield step
            if step.ended:
                return
            pending, emitted = item.token, emitted + 1

    def _draft(self, pending: int, wanted: int, chooser: Chooser) -> list[int]:
        """Tokens proposed to follow `pending`; the head ends up having seen all of them."""
        if self.lookup and wanted:
            found = drafting.lookup([*self._tokens, pending], wanted)
            self._run_head([pending, *found], with_logits=False)
            return found
        draft: list[int] = []
        token = pending
        while len(draft) < wanted and not self.model.ends(token):
            self._run_head([token], with_logits=True)
            token = chooser.draft(self.head.logits(1)[0], self._draftable)
            draft.append(token)
        self._run_head([token], with_logits=False)
        return draft

    def _ended(self, step: Step, served: list[Verified], emitted: int, max_tokens: int) -> Step:
        """The step with the tokens it serves, and the reason if the reply ends there."""
        ended: Literal["eos", "length", ""] = ""
        for i, item in enumerate(served):
            if self.model.ends(item.token):
                served, ended = served[:i], "eos"
                break
        if not ended and emitted + len(served) >= max_tokens:
            served, ended = served[: max_tokens - emitted], "length"
        return replace(step, served=tuple(served), ended=ended)
