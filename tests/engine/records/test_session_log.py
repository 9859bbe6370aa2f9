"""A session's lines as they are read back: each its record, or nothing."""

from __future__ import annotations

from pathlib import Path

from engine.records import session_log

WHOLE = b'{"type": "turn_committed", "heard_s": 1.0}'


def test_a_line_is_a_record_of_some_type_or_damaged(tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_bytes(
        b"\n".join((WHOLE, b"{}", b"[1]", b"null", b"\xff", b"", b"[" * 100_000, WHOLE))
    )
    told = {"type": "turn_committed", "heard_s": 1.0}
    assert list(session_log.lines(tmp_path)) == [told, *[None] * 6, told]
    assert list(session_log.read(tmp_path)) == [told, told]


def test_what_is_passed_over_is_not_read_unless_it_was_cut_short(tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_bytes(WHOLE + b"\n" + WHOLE[:-1] + b"\n" + WHOLE[:-1])
    assert list(session_log.lines(tmp_path, skip=("turn_committed",))) == [None]
    assert list(session_log.lines(tmp_path, skip=("turn",))) == [
        {"type": "turn_committed", "heard_s": 1.0},
        None,
        None,
    ]
