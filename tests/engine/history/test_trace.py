"""The trace against the trace-event format, and read by two readers that are not ours.

chrometrace reads every event, and refuses keys the format does not have. trace-lanefix moves
slices that Perfetto could not draw: it must find none.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chrometrace
import pytest
import trace_lanefix

from engine.history import recording, trace
from engine.history.blocks import Fate

Events = list[dict[str, Any]]


@pytest.fixture
def written(session: Path, tmp_path: Path) -> Path:
    out = tmp_path / "trace.json"
    trace.write(recording.read(session), out)
    return out


def load(file: Path) -> Events:
    def refuse(name: str) -> float:
        raise ValueError(f"{name} is no JSON")

    content = json.loads(file.read_text("utf-8"), parse_constant=refuse)
    found: Events = content["traceEvents"]
    return found


def of(phase: str, found: Events) -> Events:
    return [event for event in found if event["ph"] == phase]


def violations(found: Events) -> list[str]:
    """What breaks the format ("Trace Event Format", Google): fields by phase, their types."""
    wrong = []
    for event in found:
        numbers = [event["ts"], *([event.get("dur")] if event["ph"] == "X" else [])]
        ok = (
            event["ph"] in {"X", "C", "i", "M"}
            and isinstance(event["name"], str)
            and isinstance(event["pid"], int)
            and isinstance(event["tid"], int)
            and all(isinstance(n, int) and n >= 0 for n in numbers)
        )
        if event["ph"] == "C":
            ok = ok and all(math.isfinite(value) for value in event["args"].values())
        if event["ph"] == "i":
            ok = ok and event["s"] in {"g", "p", "t"}
        if event["ph"] == "M":
            key = {"process_name": "name", "thread_name": "name"}.get(event["name"], "sort_index")
            ok = ok and key in event["args"]
        if not ok:
            wrong.append(json.dumps(event))
    return wrong


def crossing(found: Events) -> list[str]:
    """Slices of one thread that overlap without one being inside the other."""
    lanes = defaultdict(list)
    for event in of("X", found):
        lanes[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    return [
        f"{lane}: {a} {b}"
        for lane, spans in lanes.items()
        for a, b in zip(sorted(spans), sorted(spans)[1:], strict=False)
        if b[0] < a[1] < b[1]
    ]


def test_it_keeps_the_format(written: Path) -> None:
    found = load(written)
    assert violations(found) == []
    assert crossing(found) == []
    (lane,) = {(e["pid"], e["tid"]) for e in of("X", found) if e["cat"] == "deep-work"}
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in of("M", found) if "name" in e["args"]}
    assert names[lane] == "deep work"
    assert {e["tid"] for e in of("X", found)} <= {tid for _, tid in names}
    assert {"commit", "trigger"} <= {e["name"] for e in of("i", found)}
    assert len(of("C", found)) > 7 * 31
    assert all("evidence" in e["args"] for e in [*of("X", found), *of("i", found)])


def test_a_breach_of_the_format_is_seen(written: Path) -> None:
    found = load(written)
    at = next(i for i, event in enumerate(found) if event["ph"] == "X")
    found[at]["ts"] = -1
    assert len(violations(found)) == 1
    found[at] = {**found[at], "ts": found[at + 1]["ts"] - 1, "dur": found[at + 1]["dur"]}
    found[at]["tid"] = found[at + 1]["tid"]
    assert crossing(found)


def test_all_work_is_in_it_with_its_times(session: Path, written: Path) -> None:
    (one,) = recording.read(session).conversations
    deep = [e for e in of("X", load(written)) if e["cat"] == "deep-work"]
    work = [w for w in one.timeline.work if w.fate is not Fate.SHALLOW]
    assert [e["args"]["ms"] for e in deep] == [w.ms for w in sorted(work, key=lambda w: w.start_s)]
    free_s = 0.0
    for event, block in zip(deep, sorted(work, key=lambda w: w.start_s), strict=True):
        # Where a block of sound came late, work seems to begin before the last one's end.
        start_s = max(block.start_s, free_s)
        free_s = max(block.end_s, start_s)
        assert event["ts"] / 1e6 == pytest.approx(start_s, abs=2e-6)
        assert event["dur"] / 1e6 == pytest.approx(free_s - start_s, abs=2e-6)


def test_readers_of_others_read_all_of_it(
    written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read = [chrometrace.TraceEvent.from_dict(event) for event in load(written)]
    assert sum(event.duration_us > 0 for event in read) >= 5
    assert {chrometrace.TraceEventType(e.event_type.replace("i", "I")) for e in read} == {
        chrometrace.TraceEventType.COMPLETE,
        chrometrace.TraceEventType.COUNTER,
        chrometrace.TraceEventType.INSTANT,
        chrometrace.TraceEventType.METADATA,
    }
    trace_lanefix.fix_overlaps(str(written), str(tmp_path / "fixed.json"))
    assert "0 new lanes" in capsys.readouterr().out
    by_time = sorted(of("X", load(tmp_path / "fixed.json")), key=json.dumps)
    assert by_time == sorted(of("X", load(written)), key=json.dumps)


def test_conversations_follow_each_other_as_processes(session: Path, tmp_path: Path) -> None:
    file = session / "events.jsonl"
    file.write_text(file.read_text("utf-8") * 2, "utf-8")
    trace.write(recording.read(session), tmp_path / "two.json")
    found = load(tmp_path / "two.json")
    assert violations(found) == crossing(found) == []
    spans = [[e["ts"] for e in found if e["pid"] == pid and e["ph"] in "XCi"] for pid in (1, 2)]
    assert max(spans[0]) < min(spans[1])


def test_what_was_not_measured_is_null(
    altered: Callable[[Callable[[dict[str, Any]], None]], Path], tmp_path: Path
) -> None:
    def lose(record: dict[str, Any]) -> None:
        if record["type"] == "turn_accounted":
            record["hidden_ms"] = None

    trace.write(recording.read(altered(lose)), tmp_path / "lost.json")
    turn = next(e for e in of("X", load(tmp_path / "lost.json")) if e["cat"] == "turn")
    assert turn["args"]["hidden_ms"] is None


def test_a_session_in_which_nobody_spoke_is_a_trace_too(tmp_path: Path) -> None:
    folder = tmp_path / "quiet"
    folder.mkdir()
    opened = {"type": "source_opened", "heard_s": 0, "name": "a", "kind": "file", "seconds": 1}
    (folder / "events.jsonl").write_text(json.dumps(opened) + "\n")
    found = trace.trace(recording.read(folder))
    assert [event["ph"] for event in found["traceEvents"] if event["ph"] != "M"] == []
