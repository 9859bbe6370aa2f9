"""A session read back: the same timeline as when it was live, whatever happened to its log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import events
from engine.errors import HistoryUnavailable
from engine.history import recording
from engine.history.blocks import Fate
from engine.history.timeline import Timeline
from engine.records.session_log import read


def test_the_timeline_is_that_of_the_live_session(session: Path) -> None:
    live = Timeline()
    for record in read(session):
        if (event := events.from_record(record)) is not None:
            live.take(event)
    (one,) = recording.read(session).conversations
    assert one.timeline.blocks() == live.blocks()
    assert {Fate.SHALLOW, Fate.VISIBLE} & {work.fate for work in one.timeline.work}
    assert len(one.timeline.audio) == len(live.audio) > 7 * 31
    assert one.timeline.turns == live.turns
    assert one.accounts.keys() == one.replies.keys() == {1}


def test_circumstances_are_recorded(session: Path) -> None:
    read_back = recording.read(session)
    details = read_back.details
    assert details["machine"]["threads"] >= 1
    assert details["environment"]["libraries"]["onnxruntime"]
    assert details["decoder"]["layers"] == 30
    assert read_back.conversations[0].pads is True
    assert read_back.damage == ""


def test_each_source_is_a_conversation_and_a_level_check_is_none(session: Path) -> None:
    file = session / "events.jsonl"
    lines = file.read_text("utf-8")
    off = {**json.loads((session / "manifest.json").read_text("utf-8"))["settings"], "pads": False}
    check = events.SourceOpened(heard_s=0, name="Jabra", kind=events.CHECK, seconds=None)
    between = (events.SettingsApplied(heard_s=0, settings=off), check)
    told = "".join(json.dumps(events.to_record(event)) + "\n" for event in between)
    file.write_text(lines + told + lines, "utf-8")
    first, second = recording.read(session).conversations
    assert (first.number, second.number) == (1, 2)
    assert (first.pads, second.pads) == (True, False)
    assert first.timeline.work == second.timeline.work


@pytest.mark.parametrize(
    "damage",
    [
        b"\n",
        b"null\n",
        b'{"type": "turn_committed"}\n',
        b'{"type": "state_changed", "heard_s": 1.0, "turn": 1, "state": "asleep"}\n',
        b'{"type": "audio_heard", "heard_s": null, "low": 0, "high": 0, "p_speech": 0, '
        b'"speech": false}\n',
        b"\x00\xff\x00\n",
        b'{"type": "turn_comm',
    ],
)
def test_a_damaged_line_costs_itself_alone(session: Path, damage: bytes) -> None:
    whole = recording.read(session)
    file = session / "events.jsonl"
    file.write_bytes(file.read_bytes() + damage)
    read_back = recording.read(session)
    assert read_back.unreadable == 1
    assert "one line of its events could not be read" in read_back.damage
    assert read_back.conversations[0].timeline.blocks() == (
        whole.conversations[0].timeline.blocks()
    )


def test_a_log_cut_anywhere_is_read_up_to_there(session: Path) -> None:
    file = session / "events.jsonl"
    content = file.read_bytes()
    for length in range(0, len(content), len(content) // 7):
        file.write_bytes(content[:length])
        read_back = recording.read(session)
        seconds = [one.timeline.now_s for one in read_back.conversations]
        assert read_back.unreadable <= 1
        assert length < 2000 or seconds[0] > 0


def test_without_events_there_is_nothing_to_open(session: Path) -> None:
    (session / "events.jsonl").unlink()
    with pytest.raises(HistoryUnavailable, match="cannot be read"):
        recording.read(session)


def test_a_manifest_of_other_shapes_is_lived_with(session: Path) -> None:
    content = json.loads((session / "manifest.json").read_text("utf-8"))
    content |= {"machine": [1], "settings": "none", "decoder": 3, "started": 5}
    (session / "manifest.json").write_text(json.dumps(content), "utf-8")
    read_back = recording.read(session)
    assert read_back.evidence == "measured"
    assert read_back.conversations[0].pads is None
    assert read_back.started.replace(":", "-") == session.name
