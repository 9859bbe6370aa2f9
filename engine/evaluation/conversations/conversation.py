"""A conversation without a window: run a session over one source and sum it up."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine import commands, events
from engine.errors import JobFailed, PadsError
from engine.events import Event, Evidence
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import Settings


@dataclass(slots=True)
class Summary:
    """Folds a conversation's events into its figures."""

    pads: bool
    turns: int = 0
    triggers: int = 0
    discards: int = 0
    dropped_blocks: int = 0
    transcripts: list[str] = field(default_factory=list)
    verdicts: list[str] = field(default_factory=list)
    reply_tokens: list[list[int]] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    gate_ms: list[float] = field(default_factory=list)
    accounts: list[events.TurnAccounted] = field(default_factory=list)
    dropped_turns_ms: float = 0.0
    prefill_ms: dict[int, float] = field(default_factory=dict)
    """By branch: what its start left the shallow layers to read before the deep ones began."""
    _answering: set[int] = field(default_factory=set)

    def take(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case events.TurnCommitted():
                self.turns += 1
                self.transcripts.append(event.text)
            case events.GateDecided():
                self.gate_ms.append(event.gate_ms)
                self.triggers += event.triggered
            case events.DialogueActJudged():
                self.verdicts.append(event.act)
            case events.BranchStarted():
                self.prefill_ms[event.branch] = 0.0
            case events.DecoderWorked(branch=branch, depth="deep", tail_ms=0):
                if branch in self.prefill_ms and branch not in self._answering:
                    self.prefill_ms[branch] += event.head_ms
            case events.TokenDecoded():
                self._answering.add(event.branch)
            case events.BranchDiscarded():
                self.discards += 1
            case events.BlocksDropped():
                self.dropped_blocks += event.blocks
            case events.ReplyFinished():
                self.replies.append(event.text)
                self.reply_tokens.append(list(event.tokens))
            case events.TurnAccounted():
                self.accounts.append(event)
            case events.TurnDropped():
                self.dropped_turns_ms += event.wasted_ms

    def record(self) -> dict[str, Any]:
        """The summary as one JSON-ready object; medians are None where nothing happened."""
        ttft = [account.post_confirmation_ttft_ms for account in self.accounts]
        triggered = [a.post_confirmation_ttft_ms for a in self.accounts if a.triggered]
        return {
            "type": "summary",
            "pads": self.pads,
            "turns": self.turns,
            "replies": len(self.reply_tokens),
            "triggers": self.triggers,
            "discards": self.discards,
            "hidden_ms": _total(a.hidden_ms for a in self.accounts),
            "visible_ms": _total(a.visible_ms for a in self.accounts),
            "wasted_ms": _total([self.dropped_turns_ms, *(a.wasted_ms for a in self.accounts)]),
            "post_confirmation_ttft_ms": {
                "median": median(ttft),
                "each": [round(ms, 1) for ms in ttft],
                "triggered_median": median(triggered),
            },
            "perceived_ms": {"median": median([a.perceived_ttft_ms for a in self.accounts])},
            "prefill_ms": {"median": median(list(self.prefill_ms.values()))},
            "gate_ms": {"median": median(self.gate_ms), "p95": _percentile(self.gate_ms, 95)},
            "transcripts": self.transcripts,
            "verdicts": self.verdicts,
            "replies_text": self.replies,
            "reply_tokens": self.reply_tokens,
            "dropped_blocks": self.dropped_blocks,
            "evidence": Evidence.MEASURED.value,
        }


def converse(
    settings: Settings,
    command: commands.OpenFile | commands.OpenMicrophone,
    *,
    seconds: float | None = None,
    see: Callable[[Event], None] = lambda _: None,
    log_folder: Path | None = None,
) -> Summary:
    """Run one source through the real engine and return the summary.

    `see` receives every event in order. `seconds` ends a microphone's session. Raises
    `PadsError` when the engine cannot start or the source fails.
    """
    summary = Summary(pads=settings.pads)
    outbox = Outbox()
    session = Session(settings, outbox, log_folder=log_folder)
    session.start()
    try:
        for event in _events(session, outbox, command, seconds):
            summary.take(event)
            see(event)
    finally:
        session.stop()
    return summary


def with_pads(settings: Settings, on: bool) -> Settings:
    """The same settings with the switch set."""
    return replace(settings, pads=on)


def unspoken(settings: Settings) -> Settings:
    """The same settings with replies that are not spoken.

    A voice would use the same cores, and cannot be played twice alike.
    """
    return replace(settings, voice=replace(settings.voice, enabled=False))


def _events(
    session: Session,
    outbox: Outbox,
    command: commands.OpenFile | commands.OpenMicrophone,
    seconds: float | None,
) -> Iterator[Event]:
    ends_s: float | None = None
    while True:
        outbox.wait(0.1)
        posted, _ = outbox.drain()
        for event in posted:
            yield event
            match event:
                case events.EngineFailed(message=message):
                    raise _Reported(message)
                case events.WorkerDied(name=name, reason=reason):
                    raise JobFailed(
                        f"The {name} stopped ({reason})", remedy="see the log file and try again"
                    )
                case events.EngineReady():
                    session.send(command)
                case events.SourceOpened() if seconds is not None:
                    ends_s = time.monotonic() + seconds
                case events.SourceEnded(reason="finished" | "closed"):
                    return
                case events.SourceEnded(reason=reason):
                    raise _Reported(reason)
        if ends_s is not None and time.monotonic() > ends_s:
            session.send(commands.CloseSource())
            ends_s = None


class _Reported(PadsError):
    """An error the engine has already put into one sentence."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, remedy="")

    def __str__(self) -> str:
        return self.thing


def _total(values: Iterable[float]) -> float:
    return round(sum(values), 1)


def median(values: list[float]) -> float | None:
    """Median to a tenth, or None of nothing."""
    return round(statistics.median(values), 1) if values else None


def _percentile(values: list[float], percent: int) -> float | None:
    """Nearest-rank percentile."""
    if not values:
        return None
    ordered = sorted(values)
    return round(ordered[max(0, -(-len(ordered) * percent // 100) - 1)], 1)
