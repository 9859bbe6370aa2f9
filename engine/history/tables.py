"""A session as two tables in CSV: a row a turn, and a row a block of the timeline."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from engine.events import Evidence
from engine.history import figures
from engine.history.blocks import Block, Mark, Reply, Verdict, Work
from engine.history.recording import Recording
from engine.records.evidence import Figure
from engine.records.writing import replacing

_TIMES = ("first_word", "without_pads", "perceived", *figures.FATES)
_TURNS = (
    "conversation",
    "source",
    "pads",
    "turn",
    "start_s",
    "end_s",
    "times_evidence",
    "heard",
    "started_early",
    "served_early_start",
    "extra_starts",
    *(f"{name}_{part}" for name in _TIMES for part in ("ms", "evidence")),
    "why_unavailable",
    "reply",
    "reply_ended",
    "drafted_tokens",
    "accepted_tokens",
)
_BLOCKS = (
    "conversation",
    "turn",
    "kind",
    "start_s",
    "end_s",
    "what",
    "ms",
    "evidence",
    "p_end",
    "theta_end",
    "p_deep",
    "theta_deep",
    "note",
)


def blocks_file(out: Path) -> Path:
    """Where the blocks of a session go whose turns go to `out`."""
    return out.with_name(f"{out.stem}-blocks{out.suffix}")


def write(recording: Recording, out: Path) -> None:
    """Write the turns to `out` and the blocks beside it, both or none. Raises `ExportFailed`."""
    with ExitStack() as stack:
        for place, columns, rows in (
            (blocks_file(out), _BLOCKS, _blocks(recording)),
            (out, _TURNS, _turns(recording)),
        ):
            file = stack.enter_context(replacing(place))
            file.write_text(_text(columns, rows), "utf-8", "replace", newline="")


def _text(columns: tuple[str, ...], rows: Iterable[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula."""
    if isinstance(value, str):
        value = " ".join(value.split())
        return f"'{value}" if value.startswith(("=", "+", "-", "@")) else value
    missing = value is None or (isinstance(value, float) and not math.isfinite(value))
    return "" if missing else value


def _turns(recording: Recording) -> Iterator[dict[str, Any]]:
    for one in figures.turns(recording):
        turn, account, reply = one.turn, one.turn.account, one.reply
        row: dict[str, Any] = {
            "conversation": one.conversation.number,
            "source": one.conversation.source,
            "pads": one.conversation.pads,
            "turn": turn.number,
            "start_s": round(turn.start_s, 3),
            "end_s": round(turn.end_s, 3),
            "times_evidence": recording.evidence,
            "heard": turn.text,
            "why_unavailable": one.first_word.reason,
        }
        if account is not None:
            row["started_early"] = account.triggered
            row["served_early_start"] = account.from_branch
            row["extra_starts"] = account.extra_starts
        if reply is not None:
            row |= {"reply": reply.text, "reply_ended": reply.reason}
            row |= {"drafted_tokens": reply.drafted, "accepted_tokens": reply.accepted}
        for name in _TIMES:
            figure: Figure = getattr(one, name)
            row |= {f"{name}_ms": figure.value, f"{name}_evidence": figure.evidence}
        yield row


def _blocks(recording: Recording) -> Iterator[dict[str, Any]]:
    for conversation in recording.conversations:
        for block in conversation.timeline.blocks():
            yield {
                "conversation": conversation.number,
                "turn": block.turn,
                "start_s": round(block.start_s, 6),
                "end_s": round(block.end_s, 6),
                "evidence": recording.evidence,
                **_block(block),
            }


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Work():
            row: dict[str, Any] = {
                "kind": "work",
                "what": block.fate.value,
                "ms": round(block.ms, 3),
            }
            if block.evidence is Evidence.DERIVED:
                row["evidence"] = block.evidence
            return {**row, "note": block.note}
        case Verdict():
            return {
                "kind": "verdict",
                "what": block.act,
                "ms": round(block.gate_ms, 3),
                "p_end": block.p_end,
                "theta_end": block.theta_end,
                "p_deep": block.p_deep,
                "theta_deep": block.theta_deep,
                "note": block.reason,
            }
        case Reply():
            return {"kind": "reply", "what": "reply", "note": block.text}
        case Mark():
            return {"kind": "mark", "what": block.kind.value, "note": block.note}
