"""What a block of the profiler means, in words with their evidence."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.engine_words import act, worded
from app.evidence import tag
from engine import events
from engine.events import Evidence
from engine.history.blocks import Block, Fate, Mark, MarkKind, Reply, Turn, Verdict, Work
from engine.history.timeline import Timeline

translate = QCoreApplication.translate

_WORDS = 60  # characters of a turn or a reply that are quoted


def explain(block: Block, timeline: Timeline) -> str:
    """One or two sentences about a block."""
    match block:
        case Work():
            return _work(block)
        case Verdict():
            return _verdict(block)
        case Reply():
            said = translate(
                "Explanation",
                "Reply {n}: “{text}”. Its words came within {ms:.0f} ms {measured}.",
            ).format(
                n=block.turn,
                text=_quoted(block.text),
                ms=(block.end_s - block.start_s) * 1000,
                measured=_tagged(Evidence.MEASURED),
            )
            return said + _waited(block.turn, timeline)
        case Mark():
            return _mark(block, timeline)


def explain_turn(turn: Turn) -> str:
    """What a turn cost and gained."""
    measured = _tagged(Evidence.MEASURED)
    name = translate("Explanation", "Turn {n}").format(n=turn.number)
    if turn.text:
        name = translate("Explanation", "Turn {n}, “{text}”")
        name = name.format(n=turn.number, text=_quoted(turn.text))
    if turn.dropped is not None:
        return translate(
            "Explanation",
            "{turn}: no answer ({reason}); {ms:.0f} ms of deep work thrown away {measured}.",
        ).format(
            turn=name,
            reason=worded(turn.dropped.reason),
            ms=turn.dropped.wasted_ms,
            measured=measured,
        )
    if turn.account is None:
        return translate("Explanation", "{turn}: not finished yet.").format(turn=name)
    account = turn.account
    return translate(
        "Explanation",
        "{turn}: first word {first}. Deep work: {hidden:.0f} ms hidden, {visible:.0f} ms visible, "
        "{wasted:.0f} ms thrown away {measured}.",
    ).format(
        turn=name,
        first=_first_word(account),
        hidden=account.hidden_ms,
        visible=account.visible_ms,
        wasted=account.wasted_ms,
        measured=measured,
    )


def _first_word(account: events.TurnAccounted) -> str:
    """A turn that started at its end is itself what a turn without PADS is."""
    said = translate(
        "Explanation",
        "{first:.0f} ms after the turn's end {measured}, without PADS {without:.0f} ms {derived}",
    )
    if not account.from_branch:
        said = translate(
            "Explanation", "{first:.0f} ms after the turn's end {measured}, as without PADS"
        )
    return said.format(
        first=account.post_confirmation_ttft_ms,
        without=account.without_pads_ttft_ms,
        measured=_tagged(Evidence.MEASURED),
        derived=_tagged(Evidence.DERIVED),
    )


def _work(work: Work) -> str:
    evidence = _tagged(Evidence.MEASURED)
    if work.evidence is Evidence.DERIVED:
        evidence = translate(
            "Explanation", "[measured; the step at the turn's end divided by time, derived]"
        )
    return _meaning(work.fate).format(
        ms=work.ms, evidence=evidence, derived=_tagged(Evidence.DERIVED), why=worded(work.note)
    )


def _meaning(fate: Fate) -> str:
    match fate:
        case Fate.SHALLOW:
            return translate(
                "Explanation",
                "{ms:.0f} ms in the model's first layers {evidence}: they read along as you speak.",
            )
        case Fate.PENDING:
            return translate(
                "Explanation",
                "{ms:.0f} ms of deep work {evidence}, started early. Your turn's end decides its "
                "fate.",
            )
        case Fate.HIDDEN:
            return translate(
                "Explanation",
                "{ms:.0f} ms of deep work hidden in your pause {evidence}; without PADS it would "
                "have been waited for {derived}.",
            )
        case Fate.VISIBLE:
            return translate(
                "Explanation",
                "{ms:.0f} ms of deep work after the end of your turn, visible {evidence}.",
            )
        case Fate.WASTED:
            return translate(
                "Explanation",
                "{ms:.0f} ms of deep work thrown away {evidence}: {why}. Nothing was shown.",
            )


def _verdict(verdict: Verdict) -> str:
    starts = translate(
        "Explanation",
        "Deep work starts: {reason}. Act “{act}”, {ended}, {deep} {measured}; decided {ms:.0f} ms "
        "after the last speech {measured}.",
    )
    waits = translate(
        "Explanation",
        "Deep work waits: {reason}. Act “{act}”, {ended}, {deep} {measured}; decided {ms:.0f} ms "
        "after the last speech {measured}.",
    )
    ends, deep = translate("Explanation", "P(turn ends)"), translate("Explanation", "P(deep)")
    return (starts if verdict.triggered else waits).format(
        reason=worded(verdict.reason),
        act=act(verdict.act),
        ended=_compared(ends, verdict.p_end, verdict.theta_end, above=verdict.ended),
        deep=_compared(deep, verdict.p_deep, verdict.theta_deep, above=verdict.deep),
        ms=verdict.gate_ms,
        measured=_tagged(Evidence.MEASURED),
    )


def _compared(name: str, value: float, threshold: float, *, above: bool) -> str:
    return f"{name} {value:.2f} {'≥' if above else '<'} {threshold:.2f}"


def _mark(mark: Mark, timeline: Timeline) -> str:
    facts = {"at": mark.at_s, "measured": _tagged(Evidence.MEASURED), "why": worded(mark.note)}
    match mark.kind:
        case MarkKind.TRIGGER:
            return translate(
                "Explanation",
                "Deep work was started in your pause at {at:.2f} s {measured}: {why}.",
            ).format(**facts)
        case MarkKind.DISCARD:
            return translate(
                "Explanation",
                "The early start was thrown away at {at:.2f} s {measured}: {why}. Nothing of it "
                "was shown.",
            ).format(**facts)
        case MarkKind.COMMIT:
            said = translate(
                "Explanation", "Your turn was over at {at:.2f} s {measured}: “{text}”."
            ).format(**facts, text=_quoted(mark.note))
            return said + _waited(mark.turn, timeline)


def _waited(number: int, timeline: Timeline) -> str:
    """How long the first word of a turn's reply took, once that is known."""
    turn = timeline.turn(number)
    if turn is None or turn.account is None:
        return ""
    said = translate("Explanation", "First word {first}.")
    return " " + said.format(first=_first_word(turn.account))


def _tagged(evidence: Evidence) -> str:
    return f"[{tag(evidence)}]"


def _quoted(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _WORDS else text[: _WORDS - 1].rstrip() + "…"
