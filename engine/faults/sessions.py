"""A recorded session that someone made up: impossible times and numbers, texts like orders."""

from __future__ import annotations

import json
import random
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from engine import events
from engine.errors import PadsError
from engine.events import Event, TokenOutcome, TurnState
from engine.faults.case import NotAsExpected, Observed
from engine.faults.hostile import little_room
from engine.history import recording, report, sessions, tables, trace

SESSIONS = 60
_EVENTS = 60

_NUMBERS = (0, -1, 1, 2**63, -(2**70), 10**400, 1e308, -1e308, 5e-324, float("inf"), float("nan"))
_TEXTS = (
    "",
    "<script>alert(1)</script>",
    "</style><img src=x onerror=y>",
    "=HYPERLINK(1)",
    "\ud800",
    "\0\x1b[2J",
    "\u202e" + "x" * 10_000,
    "../../outside",
)
_TURN: tuple[Event, ...] = (
    events.SourceOpened(heard_s=0.0, name="x", kind="file", seconds=9.0),
    events.AudioHeard(heard_s=0.1, low=-0.5, high=0.5, p_speech=0.9, speech=True),
    events.TurnEndEstimated(heard_s=0.1, p_end=0.5),
    events.StateChanged(heard_s=0.2, turn=1, state=TurnState.SPEAKING),
    events.Transcribed(heard_s=1.0, turn=1, text="x", final=True, elapsed_ms=80.0),
    events.DialogueActJudged(heard_s=1.0, turn=1, act="question", p_act=0.9, p_deep=0.9),
    events.GateDecided(
        heard_s=1.0,
        turn=1,
        onset_s=0.9,
        p_end=0.9,
        p_deep=0.9,
        theta_end=0.4,
        theta_deep=0.5,
        triggered=True,
        reason="x",
        gate_ms=90.0,
    ),
    events.BranchStarted(heard_s=1.0, turn=1, branch=1, speculative=True),
    events.DecoderWorked(
        heard_s=1.2,
        turn=1,
        branch=1,
        depth="deep",
        start_s=1.1,
        head_ms=40.0,
        tail_ms=40.0,
        tokens=3,
    ),
    events.TokenDecoded(
        heard_s=1.2,
        turn=1,
        branch=1,
        index=0,
        token=7,
        text="x",
        outcome=TokenOutcome.DEEP,
        layers_used=30,
        layers_total=30,
    ),
    events.BranchDiscarded(heard_s=1.3, turn=1, branch=1, reason="x"),
    events.TurnCommitted(heard_s=1.6, turn=1, text="x", from_branch=True),
    events.ReplyServed(heard_s=1.6, turn=1, text="x"),
    events.ReplyFinished(
        heard_s=1.8, turn=1, text="x", tokens=(7,), reason="eos", drafted=2, accepted=1
    ),
    events.TurnAccounted(
        heard_s=1.8,
        turn=1,
        triggered=True,
        from_branch=True,
        extra_starts=0,
        hidden_ms=500.0,
        visible_ms=0.0,
        wasted_ms=0.0,
        post_confirmation_ttft_ms=0.0,
        without_pads_ttft_ms=300.0,
        perceived_ttft_ms=700.0,
    ),
    events.TurnDropped(heard_s=1.9, turn=1, wasted_ms=3.0, reason="x"),
    events.SoundRecorded(heard_s=1.9, on=True, file="x"),
    events.SourceEnded(heard_s=2.0, reason="finished"),
)


def hostile(folder: Path) -> Observed:
    """A check: each such session is told in brief, read and exported, or refused in a sentence."""
    chance = random.Random(7)  # noqa: S311 - no secret
    refused = 0
    for number in range(SESSIONS):
        session = folder / f"session-{number}"
        session.mkdir()
        (session / "manifest.json").write_text(json.dumps(_evil(_MANIFEST, chance)), "utf-8")
        records = [events.to_record(_TURN[0])]
        records += [_evil(events.to_record(chance.choice(_TURN)), chance) for _ in range(_EVENTS)]
        (session / "events.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
        with little_room():
            refused += _refused(session, folder / "out")
    return Observed(
        words=f"{SESSIONS} sessions told and exported in three ways, {refused} refused; no text "
        "of theirs became a tag or a formula"
    )


_MANIFEST: dict[str, Any] = {
    "started": "2026-01-01T00:00:00Z",
    "status": "finished",
    "process": 1,
    "process_started": 1.0,
    "machine": {"cpu": "x", "is_target": False},
    "settings": {"pads": True, "decoder": {"model": "x"}},
}


def _evil(value: Any, chance: random.Random) -> Any:
    """The same with one value in four replaced by one that nobody would write."""
    if isinstance(value, dict):
        return {k: v if k == "type" else _evil(v, chance) for k, v in value.items()}
    if chance.random() < 0.75:
        return value
    if isinstance(value, str):
        return chance.choice(_TEXTS)
    if isinstance(value, list):
        return [value, value] * 20
    return chance.choice(_NUMBERS)


def _refused(session: Path, out: Path) -> bool:
    try:
        sessions.brief(session)
        read = recording.read(session)
        report.write(read, out.with_suffix(".html"))
        tables.write(read, out.with_suffix(".csv"))
        trace.write(read, out.with_suffix(".json"))
    except PadsError:
        return True
    except (Exception, MemoryError) as exc:
        raise NotAsExpected(f"{session.name} gave {type(exc).__name__}: {str(exc)[:80]}") from exc
    page = _Tags()
    page.feed(out.with_suffix(".html").read_text("utf-8"))
    if page.found & {"script", "img"}:
        raise NotAsExpected(f"a text of {session.name} became a tag")
    if "\n=" in out.with_suffix(".csv").read_text("utf-8").replace(",", "\n"):
        raise NotAsExpected(f"a text of {session.name} became a formula")
    return False


class _Tags(HTMLParser):
    """The names of a page's tags."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.found.add(tag)
