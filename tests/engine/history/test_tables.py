"""The tables, read back by Python's own reader."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.history import recording, tables


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_turns_and_blocks_say_what_the_session_says(session: Path, tmp_path: Path) -> None:
    read_back = recording.read(session)
    (one,) = read_back.conversations
    out = tmp_path / "turns.csv"
    tables.write(read_back, out)
    (turn,) = rows(out)
    account, reply = one.accounts[1], one.replies[1]
    assert turn["heard"] == one.timeline.turns[0].text
    assert turn["reply"] == " ".join(reply.text.split())
    assert float(turn["hidden_ms"]) == round(account.hidden_ms, 1)
    assert turn["hidden_evidence"] == "measured"
    assert turn["without_pads_evidence"] == "derived"
    blocks = rows(tmp_path / "turns-blocks.csv")
    assert len(blocks) == len(one.timeline.blocks())
    assert all(block["evidence"] in ("measured", "derived") for block in blocks)
    work = sum(float(block["ms"]) for block in blocks if block["kind"] == "work")
    assert abs(work - sum(w.ms for w in one.timeline.work)) < 0.1


def test_a_turn_without_answer_has_no_numbers_but_a_reason(
    altered: Callable[[Callable[[dict[str, Any]], None]], Path], tmp_path: Path
) -> None:
    def hush(record: dict[str, Any]) -> None:
        if record["type"] == "turn_accounted":
            record.update(type="turn_dropped", wasted_ms=12.5, reason="nothing was understood")

    tables.write(recording.read(altered(hush)), tmp_path / "t.csv")
    (turn,) = rows(tmp_path / "t.csv")
    assert (turn["first_word_ms"], turn["first_word_evidence"]) == ("", "unavailable")
    assert turn["why_unavailable"] == "no answer: nothing was understood"
    assert (turn["wasted_ms"], turn["wasted_evidence"]) == ("12.5", "measured")


def test_no_cell_is_a_formula_and_line_ends_stay_inside(
    altered: Callable[[Callable[[dict[str, Any]], None]], Path], tmp_path: Path
) -> None:
    def attack(record: dict[str, Any]) -> None:
        for key in ("text", "name"):
            if key in record:
                record[key] = '=HYPERLINK("x")\n",2'

    tables.write(recording.read(altered(attack)), tmp_path / "t.csv")
    for file in (tmp_path / "t.csv", tmp_path / "t-blocks.csv"):
        cells = [cell for row in rows(file) for cell in row.values()]
        assert any("HYPERLINK" in cell for cell in cells)
        assert not any(cell.startswith(("=", "+", "@")) for cell in cells)
