"""Two runs over one recording, PADS off and on, side by side; light enough for a window.

Times are perceived by a person: from the end of speech to the first word that is shown. Turns
are paired by their number; a pair is compared only where both runs understood the same words.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from statistics import median
from typing import Any

from engine import events
from engine.evaluation.measurement.statistics import median_interval
from engine.events import Event, Evidence
from engine.records.evidence import Figure

_WHOLE = ("eos", "length")  # how a reply ends that nothing cut short


class Agreement(StrEnum):
    """How a turn's replies of the two runs compare, token id by token id."""

    SAME = "same"
    CUT_SHORT = "cut short"
    """The person spoke on into a reply, or it took too long; what both said is the same."""
    DIFFERENT = "different"
    HEARD_DIFFERENTLY = "heard differently"
    """The transcripts differ, so the replies need not be the same."""
    MISSING = "missing"
    """One run gave no reply."""


@dataclass(slots=True)
class Heard:
    """What one run made of the recording, by turn."""

    commits: dict[int, events.TurnCommitted] = field(default_factory=dict)
    replies: dict[int, events.ReplyFinished] = field(default_factory=dict)
    accounts: dict[int, events.TurnAccounted] = field(default_factory=dict)
    dropped_ms: float = 0.0
    """Deep work thrown away for turns that had no words to answer."""

    def take(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case events.TurnCommitted():
                self.commits[event.turn] = event
            case events.ReplyFinished():
                self.replies[event.turn] = event
            case events.TurnAccounted():
                self.accounts[event.turn] = event
            case events.TurnDropped():
                self.dropped_ms += event.wasted_ms


def compared(off: Heard, on: Heard, evidence: Evidence) -> dict[str, Any]:
    """Two runs side by side: each turn, and all of them together."""
    turns = [_turn(number, off, on, evidence) for number in _numbers(off, on)]
    earlier = [turn["earlier_ms"]["value"] for turn in turns]
    return {
        "turns": turns,
        "earlier_ms": _middle([ms for ms in earlier if ms is not None], evidence),
        "replies": dict(Counter(turn["replies"] for turn in turns)),
        **{
            arm: {
                "perceived_ttft_ms": _middle(
                    [a.perceived_ttft_ms for a in heard.accounts.values()], evidence
                ),
                "hidden_ms": _sum((a.hidden_ms for a in heard.accounts.values()), evidence),
                "visible_ms": _sum((a.visible_ms for a in heard.accounts.values()), evidence),
                "wasted_ms": _sum(
                    [heard.dropped_ms, *(a.wasted_ms for a in heard.accounts.values())], evidence
                ),
            }
            for arm, heard in (("off", off), ("on", on))
        },
    }


def read_events(file: Path) -> Iterator[Event]:
    """The events that a run kept; a last line cut short is left out."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n") and (event := events.from_record(json.loads(line))):
                yield event


def earlier_in_words(earlier: dict[str, Any], say: Callable[[str], str] = str) -> str:
    """The stored figure `earlier_ms` as a sentence, in the language that `say` speaks."""
    value = earlier["value"]
    if value is None:
        return say("The first word cannot be compared: {reason}.").format(reason=earlier["reason"])
    between = ""
    if "low" in earlier:
        between = say(", {level:.0%} interval {low:.0f} to {high:.0f}").format(**earlier)
        if earlier["low"] <= 0 <= earlier["high"]:
            between += say(": no difference is proved")
    sentence = say("First word {ms:.0f} ms earlier (median{between}; {evidence}).")
    if value < 0:
        sentence = say("First word {ms:.0f} ms later (median{between}; {evidence}).")
    return sentence.format(ms=abs(value), between=between, evidence=earlier["evidence"])


def replies_in_words(
    replies: dict[str, int], evidence: str, say: Callable[[str], str] = str
) -> str:
    """What was found about the replies, from how many turns agree in which way, as `say` has it."""
    total, same = sum(replies.values()), replies.get(Agreement.SAME, 0)
    if not total:
        return say("No turn was heard, so there are no replies to compare.")
    sentence = say("{same} of {total} replies are identical, token id by token id ({evidence}).")
    if same < total:
        sentence = say(
            "{same} of {total} replies are identical, token id by token id; {rest} ({evidence})."
        )
    rest = ", ".join(f"{n} {say(what)}" for what, n in replies.items() if what != Agreement.SAME)
    return sentence.format(same=same, total=total, rest=rest, evidence=evidence)


def _numbers(off: Heard, on: Heard) -> list[int]:
    return sorted(off.commits.keys() | on.commits.keys())


def _turn(number: int, off: Heard, on: Heard, evidence: Evidence) -> dict[str, Any]:
    agreement = agree(number, off, on)
    return {
        "turn": number,
        "off": _side(number, off),
        "on": _side(number, on),
        "earlier_ms": _earlier(number, off, on, agreement, evidence).record(),
        "replies": agreement.value,
        "evidence": evidence.value,
    }


def _earlier(
    number: int, off: Heard, on: Heard, agreement: Agreement, evidence: Evidence
) -> Figure:
    a, b = off.accounts.get(number), on.accounts.get(number)
    if a is None or b is None or agreement is Agreement.HEARD_DIFFERENTLY:
        return Figure(
            value=None,
            unit="ms",
            evidence=Evidence.UNAVAILABLE,
            reason="the two runs did not both answer the same words",
        )
    ends = {run.replies[number].reason for run in (off, on) if number in run.replies}
    if ends & {"timeout", "failed"}:
        return Figure(
            value=None,
            unit="ms",
            evidence=Evidence.UNAVAILABLE,
            reason="a reply was not done in time: close other programs and compare again",
        )
    saved = round(a.perceived_ttft_ms - b.perceived_ttft_ms, 1)
    return Figure(value=saved, unit="ms", evidence=evidence)


def _side(number: int, heard: Heard) -> dict[str, Any] | None:
    """One run's part of a turn; None when it heard no such turn."""
    commit = heard.commits.get(number)
    if commit is None:
        return None
    side: dict[str, Any] = {"heard": commit.text, "committed_s": commit.heard_s}
    if account := heard.accounts.get(number):
        for name in ("perceived_ttft_ms", "hidden_ms", "visible_ms", "wasted_ms"):
            side[name] = round(getattr(account, name), 1)
        side["triggered"] = account.triggered
    if reply := heard.replies.get(number):
        side |= {"reply": reply.text, "tokens": list(reply.tokens), "ended": reply.reason}
    return side


def agree(number: int, off: Heard, on: Heard) -> Agreement:
    """How the replies to a turn compare."""
    a, b = off.commits.get(number), on.commits.get(number)
    if a is not None and b is not None and a.text != b.text:
        return Agreement.HEARD_DIFFERENTLY
    first, second = off.replies.get(number), on.replies.get(number)
    if first is None or second is None:
        return Agreement.MISSING
    if first.tokens == second.tokens:
        return Agreement.SAME
    both = min(len(first.tokens), len(second.tokens))
    shorter = min(first, second, key=lambda reply: len(reply.tokens))
    if shorter.reason not in _WHOLE and first.tokens[:both] == second.tokens[:both]:
        return Agreement.CUT_SHORT
    return Agreement.DIFFERENT


def _middle(values: Sequence[float], evidence: Evidence) -> dict[str, Any]:
    """Median over turns with its interval, if there are two turns at least."""
    if not values:
        reason = "no turn was answered in both runs alike and in time"
        return Figure(value=None, unit="ms", evidence=Evidence.UNAVAILABLE, reason=reason).record()
    middle = round(median(values), 1)
    interval = median_interval(values, unit="turns") if len(values) > 1 else None
    return Figure(value=middle, unit="ms", evidence=evidence, interval=interval).record()


def _sum(values: Iterable[float], evidence: Evidence) -> dict[str, Any]:
    return Figure(value=round(sum(values), 1), unit="ms", evidence=evidence).record()
