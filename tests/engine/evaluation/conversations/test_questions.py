"""Which turns of a demo are questions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.errors import DataUnavailable
from engine.evaluation.conversations.questions import questions


def demo(folder: Path, name: str, segments: list[tuple[int, str]]) -> None:
    """A demo without sound: its turns' parts, each with its dialogue act."""
    told = [
        {"turn": turn, "act": act, "text": f"{act} {turn}", "start_s": at, "end_s": at + 1}
        for at, (turn, act) in enumerate(segments)
    ]
    (folder / f"{name}.flac").touch()
    (folder / f"{name}.json").write_text(json.dumps({"segments": told}), "utf-8")


def test_turns_all_of_whose_parts_ask_are_questions(tmp_path: Path) -> None:
    demo(
        tmp_path,
        "a",
        [(1, "inform"), (2, "question"), (3, "inform"), (3, "question"), (4, "directive")],
    )
    demo(tmp_path, "b", [(1, "question"), (1, "directive")])
    (tmp_path / "c.flac").touch()  # without its ground truth
    found = questions(tmp_path)
    assert [one.name for one in found] == ["a-2", "a-4", "b-1"]
    assert (found[-1].text, found[-1].start_s, found[-1].end_s) == ("question 1 directive 1", 0, 2)


def test_without_any_it_is_said(tmp_path: Path) -> None:
    demo(tmp_path, "a", [(1, "inform")])
    with pytest.raises(DataUnavailable, match="no demos with questions"):
        questions(tmp_path)
