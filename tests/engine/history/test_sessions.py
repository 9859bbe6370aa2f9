"""The list of past sessions, over a real one and damaged copies of it."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import psutil
import pytest

from engine import events, paths
from engine.errors import HistoryUnavailable
from engine.events import Evidence
from engine.history import sessions
from engine.records.session_log import read


def manifest(folder: Path, **changes: object) -> None:
    file = folder / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | changes), "utf-8")


def test_a_session_in_brief_is_what_its_events_add_up_to(session: Path) -> None:
    brief = sessions.brief(session)
    (one,) = brief.conversations
    accounts = [
        event
        for record in read(session)
        if isinstance(event := events.from_record(record), events.TurnAccounted)
    ]
    assert (one.source, one.turns, brief.status) == ("first turn.wav", 1, "finished")
    assert brief.hidden_ms == sum(account.hidden_ms for account in accounts)
    assert one.visible_ms + one.hidden_ms > 0
    assert 7.4 < one.seconds < 100  # the reply may take its time
    assert brief.size == sum(file.stat().st_size for file in session.iterdir())
    assert (brief.unreadable, brief.problem, brief.evidence) == (0, "", Evidence.MEASURED)
    assert brief.started.startswith("20")


def test_sessions_are_listed_newest_first_and_found_by_name(session: Path) -> None:
    older = session.with_name("2020-01-01T00-00-00Z")
    shutil.copytree(session, older)
    session.with_name("2021-01-01T00-00-00Z").symlink_to(older)
    assert sessions.folders() == [session, older]
    assert sessions.find("latest") == session
    assert sessions.find("2020") == older
    assert sessions.find(str(older)) == older
    with pytest.raises(HistoryUnavailable, match="2 sessions begin with 20"):
        sessions.find("20")
    with pytest.raises(HistoryUnavailable, match="There is no session 1999"):
        sessions.find("1999")


def test_without_any_session_there_is_none(home: Path) -> None:
    assert sessions.folders() == []
    with pytest.raises(HistoryUnavailable):
        sessions.find("latest")


def test_damage_is_counted_and_the_rest_is_told(session: Path) -> None:
    file = session / "events.jsonl"
    file.write_bytes(b"\xff\xfe not an event\n" + file.read_bytes()[:-10])
    assert sessions.brief(session).unreadable == 2
    assert sessions.brief(session).turns == 1


@pytest.mark.parametrize(
    "line",
    [
        b'{"type": "turn_committed"}',
        b'{"type": "turn_committed", "heard_s": 1e300, "turn": 9, "text": "", "from_branch": true}',
    ],
)
def test_what_lacks_a_value_or_cannot_have_happened_counts_as_damage(
    session: Path, line: bytes
) -> None:
    whole = sessions.brief(session)
    with (session / "events.jsonl").open("ab") as file:
        file.write(line + b"\n")
    brief = sessions.brief(session)
    assert (brief.unreadable, brief.conversations) == (1, whole.conversations)


def test_a_lost_manifest_and_lost_events_are_told(session: Path) -> None:
    (session / "manifest.json").write_text("{", "utf-8")
    brief = sessions.brief(session)
    assert (brief.status, brief.turns) == ("unknown", 1)
    assert brief.started.replace(":", "-") == session.name
    (session / "events.jsonl").unlink()
    assert "cannot be read" in sessions.brief(session).problem


def test_a_session_on_the_target_machine_says_so(session: Path) -> None:
    manifest(session, machine={"is_target": True})
    assert sessions.brief(session).evidence is Evidence.TARGET


def test_deleting_removes_it_but_not_while_it_is_recorded(session: Path) -> None:
    me = psutil.Process().create_time()
    manifest(session, status="running", process=os.getpid(), process_started=me)
    assert sessions.running() == session
    with pytest.raises(HistoryUnavailable, match="still being recorded"):
        sessions.delete(session)
    manifest(session, status="running", process=os.getpid(), process_started=me - 1000)
    assert sessions.brief(session).status == "interrupted"
    sessions.delete(session)
    assert not session.exists()
    with pytest.raises(HistoryUnavailable, match="cannot be deleted"):
        sessions.delete(session)
    assert paths.sessions().is_dir()
