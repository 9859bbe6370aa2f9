"""What a block of the profiler means, in words with their evidence; free of Qt."""

from __future__ import annotations

from engine import events
from engine.events import Evidence
from engine.history.blocks import Block, Fate, Mark, MarkKind, Reply, Turn, Verdict, Work
from engine.history.timeline import Timeline

_MEASURED, _DERIVED = f"[{Evidence.MEASURED}]", f"[{Evidence.DERIVED}]"
_WORDS = 60  # characters of a turn or a reply that are quoted


def explain(block: Block, timeline: Timeline) -> str:
    """One or two sentences about a block."""
    match block:
        case Work():
            return _work(block)
        case Verdict():
            return _verdict(block)
        case Reply():
            grown_ms = (block.end_s - block.start_s) * 1000
            return (
                f"Reply {block.turn}: “{_quoted(block.text)}”. Its words came within "
                f"{grown_ms:.0f} ms {_MEASURED}." + _waited(block.turn, timeline)
            )
        case Mark():
            return _mark(block, timeline)


def explain_turn(turn: Turn) -> str:
    """What a turn cost and gained."""
    name = f"Turn {turn.number}" + (f", “{_quoted(turn.text)}”" if turn.text else "")
    if turn.dropped is not None:
        wasted = f"{turn.dropped.wasted_ms:.0f} ms of deep work thrown away {_MEASURED}"
        return f"{name}: no answer ({turn.dropped.reason}); {wasted}."
    if turn.account is None:
        return f"{name}: not finished yet."
    account = turn.account
    return (
        f"{name}: first word {_first_word(account)}. "
        f"Deep work: {account.hidden_ms:.0f} ms hidden, {account.visible_ms:.0f} ms visible, "
        f"{account.wasted_ms:.0f} ms thrown away {_MEASURED}."
    )


def _first_word(account: events.TurnAccounted) -> str:
    """A turn that started at its end is itself what a turn without PADS is."""
    first = f"{account.post_confirmation_ttft_ms:.0f} ms after the turn's end {_MEASURED}"
    if not account.from_branch:
        return f"{first}, as without PADS"
    return f"{first}, without PADS {account.without_pads_ttft_ms:.0f} ms {_DERIVED}"


def _work(work: Work) -> str:
    ms, evidence = f"{work.ms:.0f} ms", _MEASURED
    if work.evidence is Evidence.DERIVED:
        evidence = "[measured; the step at the turn's end divided by time, derived]"
    match work.fate:
        case Fate.SHALLOW:
            return f"{ms} in the model's first layers {evidence}: they read along as you speak."
        case Fate.PENDING:
            return f"{ms} of deep work {evidence}, started early. Your turn's end decides its fate."
        case Fate.HIDDEN:
            return (
                f"{ms} of deep work hidden in your pause {evidence}; without PADS it would have "
                f"been waited for {_DERIVED}."
            )
        case Fate.VISIBLE:
            return f"{ms} of deep work after the end of your turn, visible {evidence}."
        case Fate.WASTED:
            return f"{ms} of deep work thrown away {evidence}: {work.note}. Nothing was shown."


def _verdict(verdict: Verdict) -> str:
    ended = _compared("P(turn ends)", verdict.p_end, verdict.theta_end, above=verdict.ended)
    deep = _compared("P(deep)", verdict.p_deep, verdict.theta_deep, above=verdict.deep)
    outcome = "Deep work starts" if verdict.triggered else "Deep work waits"
    return (
        f"{outcome}: {verdict.reason}. Act “{verdict.act}”, {ended}, {deep} {_MEASURED}; "
        f"decided {verdict.gate_ms:.0f} ms after the last speech {_MEASURED}."
    )


def _compared(name: str, value: float, threshold: float, *, above: bool) -> str:
    return f"{name} {value:.2f} {'≥' if above else '<'} {threshold:.2f}"


def _mark(mark: Mark, timeline: Timeline) -> str:
    at = f"at {mark.at_s:.2f} s {_MEASURED}"
    match mark.kind:
        case MarkKind.TRIGGER:
            return f"Deep work was started in your pause {at}: {mark.note}."
        case MarkKind.DISCARD:
            return f"The early start was thrown away {at}: {mark.note}. Nothing of it was shown."
        case MarkKind.COMMIT:
            return f"Your turn was over {at}: “{_quoted(mark.note)}”." + _waited(
                mark.turn, timeline
            )


def _waited(number: int, timeline: Timeline) -> str:
    turn = timeline.turn(number)
    if turn is None or turn.account is None:
        return ""
    return f" First word {_first_word(turn.account)}."


def _quoted(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _WORDS else text[: _WORDS - 1].rstrip() + "…"
