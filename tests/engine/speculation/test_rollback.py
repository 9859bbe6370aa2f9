"""Whatever is begun, stopped, discarded and kept, in any order: no trace of what was not kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.speculation import split
from engine.speculation.context import Stopped
from engine.speculation.decoder import Decoder, Step
from engine.speculation.verifying import kept_prefix
from tests.engine.speculation.conftest import Decoders

_RANDOM = np.random.default_rng(5)
_SHARED = _RANDOM.integers(100, 40_000, 8).tolist()
PROMPTS = [[*_SHARED, *_RANDOM.integers(100, 40_000, count).tolist()] for count in (4, 12, 20)]
"""Token ids that have a beginning in common, as one conversation's prompts have."""


class Interrupted(Decoder):
    """Stops itself in the middle of a step: between a pass of the head and whatever follows."""

    after: int | None = None

    def _run_head(self, tokens: Sequence[int], *, with_logits: bool) -> None:
        super()._run_head(tokens, with_logits=with_logits)
        if self.after is not None:
            if self.after == 0:
                self.stop.set()
            self.after -= 1


@dataclass(frozen=True)
class Job:
    """A prefill or a decode of a prompt's beginning, let run for some steps, then ended."""

    decodes: bool
    prompt: int
    length: int
    steps: int
    ending: str


JOBS = st.builds(
    Job,
    decodes=st.booleans(),
    prompt=st.integers(0, len(PROMPTS) - 1),
    length=st.integers(2, 28),
    steps=st.integers(0, 6),
    ending=st.sampled_from(("keep", "discard", "cancel")),
)


@pytest.fixture(scope="module")
def speculating(cut: split.Halves) -> Iterator[Interrupted]:
    decoder = Interrupted(cut, size=128, threads=1, draft_tokens=3)
    yield decoder
    decoder.close()


@pytest.fixture(scope="module")
def never(new_decoder: Decoders) -> Decoder:
    return new_decoder(size=128)


@settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(jobs=st.lists(JOBS, min_size=2, max_size=6))
def test_only_what_is_kept_leaves_a_trace(
    speculating: Interrupted, never: Decoder, jobs: list[Job]
) -> None:
    speculating.forget()
    kept: list[int] = []
    for job in jobs:
        kept = _do(speculating, job, kept)
    _same_as_never_speculated(speculating, never, kept)


def _do(decoder: Interrupted, job: Job, before: list[int]) -> list[int]:
    """Do one job; the tokens whose computation is expected to remain."""
    tokens = PROMPTS[job.prompt][: job.length]
    deep_before = decoder.lengths[1]
    steps = decoder.decode(tokens, 40) if job.decodes else decoder.prefill(tokens)
    if job.ending == "cancel":
        decoder.after = job.steps
    served, begun = _let_run(steps, job.steps)
    decoder.after = None
    if job.ending == "keep":
        decoder.keep()
        length = decoder.lengths[0] if begun else len(before)
        return [*tokens, *served][:length] if begun else before
    decoder.stop.clear()
    decoder.rollback()
    if not begun:
        return before  # a generator that was never asked has done nothing
    common = kept_prefix(before, tokens)
    limit = len(tokens) - 1 if job.decodes else len(tokens)
    assert decoder.lengths == (common, min(common, limit, deep_before))
    return tokens[:common]


def _let_run(steps: Iterator[Step], count: int) -> tuple[list[int], bool]:
    served: list[int] = []
    try:
        for _ in range(count):
            served += [item.token for item in next(steps).served]
    except (StopIteration, Stopped):
        pass
    steps.close()  # type: ignore[attr-defined]
    return served, count > 0


def _same_as_never_speculated(decoder: Decoder, never: Decoder, kept: list[int]) -> None:
    """Both caches byte for byte, and the next full-depth logits bit for bit."""
    head, tail = decoder.lengths
    assert head == len(kept)
    never.forget()
    never.rewind(kept, tail)
    list(never.prefill(kept))
    assert decoder.lengths == never.lengths
    assert decoder.head.sequence_state() == never.head.sequence_state()
    assert decoder.tail.sequence_state() == never.tail.sequence_state()
    for one in (decoder, never):
        one.rewind(kept, head)
    assert np.array_equal(
        decoder.logits_of([1234]).view(np.uint32), never.logits_of([1234]).view(np.uint32)
    )


def test_a_forgotten_rollback_is_noticed(speculating: Interrupted, never: Decoder) -> None:
    """The comparison must be able to fail."""
    speculating.forget()
    list(speculating.prefill(PROMPTS[0]))
    speculating.keep()
    steps = speculating.decode([*PROMPTS[0], 77, 78], 8)
    for _ in range(3):
        next(steps)
    with pytest.raises(AssertionError):
        _same_as_never_speculated(speculating, never, PROMPTS[0])
    speculating.rollback()
    _same_as_never_speculated(speculating, never, PROMPTS[0])
