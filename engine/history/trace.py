"""A session as a trace that chrome://tracing and Perfetto open.

The trace-event format, JSON object form ("Trace Event Format", Google): lanes are named threads
of a process a conversation, work is complete events, P(turn ends) a counter, and what the gate
led to are instants. Times are whole microseconds. The conversations of a session follow each
other; `heard_s` in the arguments is the time in the conversation.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from engine.clock import SAMPLE_RATE_HZ
from engine.events import Evidence
from engine.history.blocks import Fate, MarkKind, Verdict, Work
from engine.history.recording import Conversation, Recording
from engine.records.writing import replacing

_LANES = ("speech", "turn", "verdict", "shallow work", "deep work", "reply")
_FIRST_TID = 101  # a thread with its process's number would be called the main one
_GAP_US = 1_000_000
"""Between two conversations."""
_CHUNK_S = 512 / SAMPLE_RATE_HZ
_MARKS = {MarkKind.TRIGGER: "trigger", MarkKind.DISCARD: "discard", MarkKind.COMMIT: "commit"}

Slice = tuple[float, float, str, dict[str, Any]]
"""From, to in seconds, name, arguments."""


def write(recording: Recording, out: Path) -> None:
    """Write a session's trace. Raises `ExportFailed`."""
    with replacing(out) as file:
        file.write_text(json.dumps(trace(recording), ensure_ascii=False), "utf-8", "replace")


def trace(recording: Recording) -> dict[str, Any]:
    """The trace as a JSON-ready object."""
    found: list[dict[str, Any]] = []
    start_us = 0
    for conversation in recording.conversations:
        found += _Writer(conversation, start_us, recording.evidence).events()
        start_us += round(conversation.timeline.now_s * 1e6) + _GAP_US
    return {
        "traceEvents": found,
        "displayTimeUnit": "ms",
        "otherData": {
            "session": recording.folder.name,
            "started": recording.started,
            "damage": recording.damage,
            **{
                name: recording.details.get(name)
                for name in ("machine", "code", "environment", "settings")
            },
        },
    }


class _Writer:
    """Writes one conversation as one process."""

    def __init__(self, conversation: Conversation, start_us: int, evidence: Evidence) -> None:
        self._one, self._timeline = conversation, conversation.timeline
        self._start_us, self._evidence = start_us, evidence

    def events(self) -> list[dict[str, Any]]:
        """Names first, then lane by lane in order of time, then counters and instants."""
        lanes: tuple[Iterable[Slice], ...] = (
            self._speech(),
            self._turns(),
            map(self._verdict, self._timeline.verdicts),
            self._work(shallow=True),
            self._work(shallow=False),
            self._replies(),
        )
        found = self._names()
        for tid, lane in enumerate(lanes, _FIRST_TID):
            found += self._slices(tid, lane)
        return [*found, *self._counters(), *self._instants()]

    def _event(self, phase: str, name: str, **more: Any) -> dict[str, Any]:
        return {"ph": phase, "pid": self._one.number, "name": name, **more}

    def _names(self) -> list[dict[str, Any]]:
        title = f"{self._one.number}: {self._one.source}"
        found = [self._event("M", "process_name", tid=0, ts=0, args={"name": title})]
        for tid, name in enumerate(_LANES, _FIRST_TID):
            found.append(self._event("M", "thread_name", tid=tid, ts=0, args={"name": name}))
            order = {"sort_index": tid}
            found.append(self._event("M", "thread_sort_index", tid=tid, ts=0, args=order))
        return found

    def _slices(self, tid: int, lane: Iterable[Slice]) -> Iterator[dict[str, Any]]:
        """Complete events of one lane, none of which reaches into the next.

        Work is stamped where it was done and placed by the clock of the sound, so that the
        stamps of neighbours cross when a block of sound came late, by as much as it did; viewers
        drop slices that cross.
        """
        free_us = 0
        for start_s, end_s, name, args in lane:
            start_us = max(self._at_us(start_s), free_us)
            free_us = max(self._at_us(end_s), start_us)
            arguments = {name: _finite(value) for name, value in args.items()}
            yield self._event(
                "X",
                name,
                cat=_LANES[tid - _FIRST_TID].replace(" ", "-"),
                tid=tid,
                ts=start_us,
                dur=free_us - start_us,
                args={"heard_s": round(start_s, 6), **arguments},
            )

    def _at_us(self, at_s: float) -> int:
        return self._start_us + max(round(at_s * 1e6), 0)

    def _speech(self) -> Iterator[Slice]:
        rows = self._timeline.audio.between(0.0, math.inf)
        start_s = None
        for at_s, _, _, speech in rows.tolist():
            if speech and start_s is None:
                start_s = at_s - _CHUNK_S
            elif not speech and start_s is not None:
                yield start_s, at_s - _CHUNK_S, "speech", {"evidence": self._evidence}
                start_s = None
        if start_s is not None:
            yield start_s, rows[-1, 0], "speech", {"evidence": self._evidence}

    def _turns(self) -> Iterator[Slice]:
        turns = list(self._timeline.turns)
        # A reply may still be spoken when the next turn begins.
        ends_s = [*(turn.start_s for turn in turns[1:]), math.inf]
        for turn, next_s in zip(turns, ends_s, strict=False):  # without turns there is one end
            args: dict[str, Any] = {"text": turn.text}
            if (account := turn.account) is not None:
                args |= {
                    "hidden_ms": account.hidden_ms,
                    "visible_ms": account.visible_ms,
                    "wasted_ms": account.wasted_ms,
                    "first_word_ms": account.post_confirmation_ttft_ms,
                    "without_pads_ms": account.without_pads_ttft_ms,
                    "without_pads_evidence": Evidence.DERIVED,
                    "evidence": self._evidence,
                }
            yield turn.start_s, min(turn.end_s, next_s), f"turn {turn.number}", args

    def _verdict(self, verdict: Verdict) -> Slice:
        args = {
            "turn": verdict.turn,
            "p_end": verdict.p_end,
            "theta_end": verdict.theta_end,
            "p_deep": verdict.p_deep,
            "theta_deep": verdict.theta_deep,
            "triggered": verdict.triggered,
            "reason": verdict.reason,
            "gate_ms": verdict.gate_ms,
            "evidence": self._evidence,
        }
        return verdict.start_s, verdict.end_s, verdict.act, args

    def _work(self, *, shallow: bool) -> Iterator[Slice]:
        work: list[Work] = [w for w in self._timeline.work if (w.fate is Fate.SHALLOW) == shallow]
        for one in sorted(work, key=lambda w: w.start_s):
            evidence = one.evidence if one.evidence is Evidence.DERIVED else self._evidence
            args = {"turn": one.turn, "branch": one.branch, "ms": one.ms, "note": one.note}
            yield one.start_s, one.end_s, one.fate.value, {**args, "evidence": evidence}

    def _replies(self) -> Iterator[Slice]:
        for reply in self._timeline.replies:
            args = {"turn": reply.turn, "evidence": self._evidence}
            yield reply.start_s, reply.end_s, reply.text.strip(), args

    def _counters(self) -> Iterator[dict[str, Any]]:
        for at_s, p_end in self._timeline.turn_end.between(0.0, math.inf).tolist():
            args = {"p_end": round(p_end, 4)}
            yield self._event("C", "P(turn ends)", tid=0, ts=self._at_us(at_s), args=args)

    def _instants(self) -> Iterator[dict[str, Any]]:
        for mark in self._timeline.marks:
            args = {"turn": mark.turn, "note": mark.note, "heard_s": round(mark.at_s, 6)}
            yield self._event(
                "i",
                _MARKS[mark.kind],
                cat="gate",
                tid=_FIRST_TID + _LANES.index("deep work"),
                ts=self._at_us(mark.at_s),
                s="p",
                args={**args, "evidence": self._evidence},
            )


def _finite(value: Any) -> Any:
    """JSON has no number for what was not measured."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
