"""A session's figures with their evidence: by turn, by conversation, and all together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median

from engine import events
from engine.events import Evidence
from engine.history.blocks import Turn
from engine.history.recording import Conversation, Recording
from engine.records.evidence import Figure

FATES = ("hidden", "visible", "wasted")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFigures:
    """What one turn cost and gained, in milliseconds.

    `first_word` counts from the turn's end to the first word, `without_pads` is what the same
    turn would have taken, `perceived` counts from the end of speech.
    """

    conversation: Conversation
    turn: Turn
    first_word: Figure
    without_pads: Figure
    perceived: Figure
    hidden: Figure
    visible: Figure
    wasted: Figure

    @property
    def reply(self) -> events.ReplyFinished | None:
        """The whole reply, if there was one."""
        return self.conversation.replies.get(self.turn.number)


def turns(recording: Recording) -> Iterator[TurnFigures]:
    """The figures of every turn, in order."""
    for conversation in recording.conversations:
        for turn in conversation.timeline.turns:
            yield of_turn(conversation, turn, recording.evidence)


def of_turn(conversation: Conversation, turn: Turn, evidence: Evidence) -> TurnFigures:
    """The figures of one turn; unavailable where it had no answer."""
    account, dropped = turn.account, turn.dropped
    if account is None:
        why = f"no answer: {dropped.reason}" if dropped else "the turn was not finished"
        nothing = _figure(math.nan, evidence, why)
        wasted = _figure(dropped.wasted_ms, evidence) if dropped else nothing
        return TurnFigures(
            conversation=conversation,
            turn=turn,
            first_word=nothing,
            without_pads=nothing,
            perceived=nothing,
            hidden=nothing,
            visible=nothing,
            wasted=wasted,
        )
    return TurnFigures(
        conversation=conversation,
        turn=turn,
        first_word=_figure(account.post_confirmation_ttft_ms, evidence),
        without_pads=_figure(account.without_pads_ttft_ms, Evidence.DERIVED),
        perceived=_figure(account.perceived_ttft_ms, evidence),
        hidden=_figure(account.hidden_ms, evidence),
        visible=_figure(account.visible_ms, evidence),
        wasted=_figure(account.wasted_ms, evidence),
    )


def totals(found: Iterable[TurnFigures]) -> dict[str, Figure]:
    """Medians of the times to the first word, and sums of deep work by its fate."""
    each = list(found)
    return {
        "first_word": _middle(one.first_word for one in each),
        "without_pads": _middle(one.without_pads for one in each),
        "perceived": _middle(one.perceived for one in each),
        **{fate: _sum(getattr(one, fate) for one in each) for fate in FATES},
    }


def _middle(figures: Iterable[Figure]) -> Figure:
    known = [figure for figure in figures if figure.value is not None]
    if not known:
        return _figure(math.nan, Evidence.MEASURED, "no turn was answered")
    return _figure(median(f.value for f in known if f.value is not None), known[0].evidence)


def _sum(figures: Iterable[Figure]) -> Figure:
    known = [figure for figure in figures if figure.value is not None]
    if not known:
        return _figure(math.nan, Evidence.MEASURED, "no turn was answered")
    return _figure(sum(f.value for f in known if f.value is not None), known[0].evidence)


def _figure(ms: float, evidence: Evidence, why: str = "it was not measured") -> Figure:
    if not math.isfinite(ms):
        return Figure(value=None, unit="ms", evidence=Evidence.UNAVAILABLE, reason=why)
    return Figure(value=round(ms, 1), unit="ms", evidence=evidence)
