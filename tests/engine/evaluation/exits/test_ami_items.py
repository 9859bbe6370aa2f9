"""The AMI evaluation set: always the same 40 pairs of lines."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from engine.errors import DataUnavailable
from engine.evaluation.exits.ami_items import COUNT, MEETING, ami_items, chosen
from engine.training.corpora import ami
from engine.training.corpora.ami import Word


def test_the_set_is_forty_pairs_of_lines_of_the_one_meeting(data: Path) -> None:
    items = ami_items(data)
    assert len(items) == COUNT
    assert {item.meeting for item in items} == {MEETING}
    assert len({item.position for item in items}) == COUNT
    assert all(len(text) >= 20 for item in items for text in (item.prompt, item.response))
    assert items[0].prompt == "Does anyone want to see uh Steve's feedback from the specification"
    assert any("Yeah that makes sense" in (item.prompt, item.response) for item in items)
    assert items == ami_items(data)


def test_short_lines_are_left_out_and_the_others_paired_off() -> None:
    said = ["a line of twenty ch.", "short", "b" * 20, "c" * 20, "d" * 19, "e" * 20, "f" * 20]
    words = [Word("word", text, 9.0 * n, 9.0 * n + 1) for n, text in enumerate(said)]
    found = chosen(ami.Meeting("M", {"A": words}, ()))
    assert [(item.position, item.prompt, item.response) for item in found] == [
        (0, "a line of twenty ch.", "b" * 20),
        (3, "c" * 20, "e" * 20),
    ]


def test_a_corpus_without_the_meetings_words_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / ami.FILE, "w") as packed:
        packed.writestr(f"words/{MEETING}.A.words.xml", "cut")
    with pytest.raises(DataUnavailable, match="gives 0 evaluation items instead of 40"):
        ami_items(tmp_path)
