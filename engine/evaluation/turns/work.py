"""What the decoder does for one answer, piece by piece: the amounts of work a pause may hide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from engine.evaluation.measurement.protocol import Rules, measured, schedule
from engine.speculation.decoder import Decoder


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One answer from empty caches, in milliseconds."""

    shallow_ms: float
    """The head's layers over the whole prompt: what can be done while a person still speaks."""
    deep_ms: float
    """The tail's layers over the same positions, up to the first token."""
    step_ms: float
    """One round of head and tail after that (median of the answer's)."""
    branch_ms: float
    """All of it, to the answer's last token."""
    prompt_tokens: int
    tokens: int

    @property
    def first_token_ms(self) -> float:
        """From nothing to the first token."""
        return self.shallow_ms + self.deep_ms


def answer(decoder: Decoder, prompt: Sequence[int], most: int) -> Work:
    """Answer the prompt with at most `most` tokens and time it; `JobFailed` for no answer."""
    decoder.forget()
    steps = list(decoder.decode(prompt, most))
    first = next((i for i, step in enumerate(steps) if step.served), len(steps) - 1)
    before, rounds = steps[: first + 1], steps[first + 1 :]
    return Work(
        shallow_ms=measured(sum(step.head_ms for step in before), "The shallow pass"),
        deep_ms=measured(sum(step.tail_ms for step in before), "The deep pass"),
        step_ms=measured(
            median([step.head_ms + step.tail_ms for step in rounds] or [0.0]), "A decoding step"
        ),
        branch_ms=measured((steps[-1].end_s - steps[0].start_s) * 1000, "The whole branch"),
        prompt_tokens=len(prompt),
        tokens=sum(len(step.served) for step in steps),
    )


def answers(
    decoder: Decoder,
    prompts: Sequence[Sequence[int]],
    most: int,
    rules: Rules,
    see: Callable[[dict[str, Any]], None],
) -> list[Work]:
    """Every prompt answered by the protocol; `see` gets each sample, those left out too."""
    found = []
    for slot in schedule(["answer"], len(prompts), rules):
        work = answer(decoder, prompts[max(slot.round, 0)], most)
        see({"round": slot.round, "kept": slot.kept, **asdict(work)})
        if slot.kept:
            found.append(work)
    return found
