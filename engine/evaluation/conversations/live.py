"""`pads bench live`: every demo through the real engine, PADS off and on, in one run.

With `--patience all` once for each commit rule: what waiting less for the end of a turn does to
the latency that a person perceives (from the end of speech to the first word), and what
starting early saves beside it.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine import commands, paths, settings
from engine.errors import DataUnavailable
from engine.evaluation.conversations.conversation import Summary, converse, median, with_pads
from engine.evaluation.measurement.bench_run import recorded
from engine.evaluation.measurement.protocol import Rules
from engine.events import Evidence
from engine.records.evidence import Figure, words
from engine.records.output import print_record
from engine.settings import Settings
from engine.telemetry import target
from engine.trigger.commit import RULES as COMMIT_RULES

_RULES = Rules(warm_up=0, discarded=0, cool_down_s=0.0)
"""A conversation warms up as its user's does: nothing of it is left out."""

PUBLISHED = {
    "human_gap_ms": Figure(
        value=200.0,
        unit="ms",
        evidence=Evidence.PUBLISHED,
        reason="gaps between turns, ten languages (Stivers et al. 2009)",
    ),
    **{
        name: Figure(
            value=value,
            unit=unit,
            evidence=Evidence.PUBLISHED,
            reason="Deepgram Flux with eager_eot_threshold .3 to .5 (Telnyx documentation)",
        )
        for name, value, unit in (
            ("eager_saves_at_least", 150.0, "ms"),
            ("eager_saves_at_most", 250.0, "ms"),
            ("eager_extra_calls_at_least", 50.0, "%"),
            ("eager_extra_calls_at_most", 70.0, "%"),
        )
    },
}
"""What people and a speech service do: other conversations, so not to be compared turn by turn."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One recording heard twice."""

    file: Path
    off: Summary
    on: Summary

    @property
    def compared_replies(self) -> int:
        """Replies that answer the same conversation in both runs.

        Where a person spoke on into a reply, the one that was sooner had said more of it, and
        from there on the two conversations are not the same.
        """
        both = zip(self.off.reply_tokens, self.on.reply_tokens, strict=False)
        for number, (off, on) in enumerate(both, 1):
            if off != on:
                return number
        return min(len(self.off.reply_tokens), len(self.on.reply_tokens))

    @property
    def same_replies(self) -> bool:
        """Whether both runs understood the same, and what could be compared is token by token
        the same, a reply that was spoken into as far as both got."""
        last = self.compared_replies
        if self.off.transcripts != self.on.transcripts or not last:
            return self.off.transcripts == self.on.transcripts
        off, on = self.off.reply_tokens[last - 1], self.on.reply_tokens[last - 1]
        spoken_into = last < len(self.on.reply_tokens)
        shorter = min(len(off), len(on)) if spoken_into else max(len(off), len(on))
        return off[:shorter] == on[:shorter]


def add_parser(kinds: Any) -> None:
    """Add `live` to the benches."""
    parser = kinds.add_parser("live", help="demos with PADS off and on: gate, first word, waste")
    parser.add_argument("files", nargs="*", type=Path, help="recordings (default: the demos)")
    parser.add_argument(
        "--patience",
        choices=(*COMMIT_RULES, "all"),
        help="how long silence may last (default: as in the settings); all: one after the other",
    )
    parser.add_argument(
        "--without-partials", action="store_true", help="do not transcribe while someone speaks"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    files = arguments.files or paths.demo_recordings()
    if not files:
        raise DataUnavailable(
            f"There are no demos in {paths.demos()}", remedy="name an audio file instead"
        )
    chosen = settings.load(paths.settings_file())
    if arguments.without_partials:
        chosen = replace(chosen, speech=replace(chosen.speech, partials=False))
    arguments.files = [str(file) for file in files]
    given = arguments.patience or chosen.gate.patience
    totals = []
    with recorded("live", "what PADS saves in whole conversations", arguments, _RULES) as run:
        for patience in COMMIT_RULES if given == "all" else (given,):
            patient = replace(chosen, gate=replace(chosen.gate, patience=patience))
            pairs = [_pair(file, patient, arguments.json) for file in files]
            totals.append({**summarise(pairs), "patience": patience, "run": run.name})
            _say(arguments.json, totals[-1])
    run.finish({"summaries": totals})
    return 0 if all(total["same_replies"] for total in totals) else 1


def _pair(file: Path, chosen: Settings, as_json: bool) -> Pair:
    source = commands.OpenFile(path=str(file))
    off = converse(with_pads(chosen, False), source)
    on = converse(with_pads(chosen, True), source)
    for summary in (off, on):
        _say(as_json, {**summary.record(), "type": "replay", "file": file.name})
    return Pair(file, off, on)


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
        "perceived_ms": {
            "on": both["perceived_ms"]["median"],
            "off": without["perceived_ms"]["median"],
        },
        **_price(pairs),
        "prefill_ms": {
            "on": both["prefill_ms"]["median"],
            "off": without["prefill_ms"]["median"],
        },
        "hidden_ms": both["hidden_ms"],
        "visible_ms": both["visible_ms"],
        "wasted_ms": both["wasted_ms"],
        "compared_replies": sum(pair.compared_replies for pair in pairs),
        "same_replies": all(pair.same_replies for pair in pairs),
        "dropped_blocks": both["dropped_blocks"] + without["dropped_blocks"],
        "evidence": target.evidence().value,
        "published": {name: figure.record() for name, figure in PUBLISHED.items()},
    }


def _price(pairs: list[Pair]) -> dict[str, float | None]:
    """What PADS saves of the perceived latency of the same turns, and for how many more starts.

    An extra start is one that was thrown away: without PADS every turn starts once.
    """
    saved = [
        off.perceived_ttft_ms - on.perceived_ttft_ms
        for pair in pairs
        if pair.off.transcripts == pair.on.transcripts
        for off, on in zip(pair.off.accounts, pair.on.accounts, strict=False)
    ]
    extra = sum(pair.on.discards for pair in pairs)
    turns = sum(pair.on.turns for pair in pairs)
    return {
        "saved_ms_a_turn": round(sum(saved) / len(saved), 1) if saved else None,
        "extra_starts_percent": round(100 * extra / turns, 1) if turns else None,
        "saved_ms_an_extra_start": round(sum(saved) / extra, 1) if extra and saved else None,
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
        total.prefill_ms.update(enumerate(one.prefill_ms.values(), len(total.prefill_ms)))
    return total


def _say(as_json: bool, record: dict[str, Any]) -> None:
    if as_json:
        print_record(record)
        return
    name = record.get("file", "all recordings")
    print(f"{name}:")
    for key, value in record.items():
        if key not in ("type", "file", "reply_tokens", "published"):
            print(f"  {key}: {value}")
    for key, figure in record.get("published", {}).items():
        print(f"  {key}: {words(figure)}, {figure['reason']}")
    sys.stdout.flush()
