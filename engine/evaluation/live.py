"""`pads bench live`: every demo through the real engine, PADS off and on, in one run."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import events, paths, settings
from engine.errors import DataUnavailable
from engine.evaluation.conversation import Summary, converse, median, with_pads
from engine.events import Evidence
from engine.records.output import print_record


@dataclass(frozen=True, slots=True)
class Pair:
    """One recording heard twice."""

    file: Path
    off: Summary
    on: Summary

    @property
    def same_replies(self) -> bool:
        """Whether both runs understood and answered the same, token by token."""
        return (self.off.transcripts, self.off.reply_tokens) == (
            self.on.transcripts,
            self.on.reply_tokens,
        )


def add_parser(kinds: Any) -> None:
    """Add `live` to the benches."""
    parser = kinds.add_parser("live", help="demos with PADS off and on: gate, first word, waste")
    parser.add_argument("files", nargs="*", type=Path, help="recordings (default: the demos)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    files = arguments.files or paths.demo_recordings()
    if not files:
        raise DataUnavailable(
            f"There are no demos in {paths.demos()}", remedy="name an audio file instead"
        )
    chosen = settings.load(paths.settings_file())
    pairs = []
    for file in files:
        source = events.OpenFile(path=str(file))
        off = converse(with_pads(chosen, False), source)
        on = converse(with_pads(chosen, True), source)
        pairs.append(Pair(file, off, on))
        for summary in (off, on):
            _say(arguments.json, {**summary.record(), "type": "replay", "file": file.name})
    total = summarise(pairs)
    _say(arguments.json, total)
    return 0 if total["same_replies"] else 1


def summarise(pairs: list[Pair]) -> dict[str, Any]:
    """The bench's last line: all recordings together, medians in milliseconds."""
    on, off = _together([p.on for p in pairs], True), _together([p.off for p in pairs], False)
    both, without = on.record(), off.record()
    triggered = [
        account.post_confirmation_ttft_ms
        for pair in pairs
        for i, account in enumerate(pair.off.accounts)
        if i < len(pair.on.accounts) and pair.on.accounts[i].triggered
    ]
    return {
        "type": "summary",
        "recordings": len(pairs),
        "turns": both["turns"],
        "replies": both["replies"],
        "triggers": both["triggers"],
        "discards": both["discards"],
        "gate_ms": _gates([p.on for p in pairs] + [p.off for p in pairs]),
        "triggered_ttft_ms": {
            "on": both["post_confirmation_ttft_ms"]["triggered_median"],
            "off": median(triggered),
        },
        "ttft_ms": {
            "on": both["post_confirmation_ttft_ms"]["median"],
            "off": without["post_confirmation_ttft_ms"]["median"],
        },
        "hidden_ms": both["hidden_ms"],
        "visible_ms": both["visible_ms"],
        "wasted_ms": both["wasted_ms"],
        "same_replies": all(pair.same_replies for pair in pairs),
        "dropped_blocks": both["dropped_blocks"] + without["dropped_blocks"],
        "evidence": Evidence.MEASURED.value,
    }


def _gates(summaries: list[Summary]) -> dict[str, Any]:
    record: dict[str, Any] = _together(summaries, True).record()["gate_ms"]
    return record


def _together(summaries: list[Summary], pads: bool) -> Summary:
    total = Summary(pads=pads)
    for one in summaries:
        total.turns += one.turns
        total.triggers += one.triggers
        total.discards += one.discards
        total.dropped_blocks += one.dropped_blocks
        total.dropped_turns_ms += one.dropped_turns_ms
        total.reply_tokens += one.reply_tokens
        total.gate_ms += one.gate_ms
        total.accounts += one.accounts
    return total


def _say(as_json: bool, record: dict[str, Any]) -> None:
    if as_json:
        print_record(record)
        return
    name = record.get("file", "all recordings")
    print(f"{name}:")
    for key, value in record.items():
        if key not in ("type", "file", "reply_tokens"):
            print(f"  {key}: {value}")
    sys.stdout.flush()
