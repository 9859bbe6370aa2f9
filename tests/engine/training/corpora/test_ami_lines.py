"""Lines of meetings: one speaker's words without a longer silence."""

from __future__ import annotations

from engine.training.corpora.ami import Meeting, Word
from engine.training.corpora.ami_lines import Line, lines, turns


def word(text: str, start_s: float | None, end_s: float | None = None) -> Word:
    return Word("word", text, start_s, start_s if end_s is None else end_s)


def mark(text: str) -> Word:
    return Word("punctuation", text, None, None)


MEETING = Meeting(
    "M",
    {
        "B": [mark("."), word("Mm-hmm", 3.0), mark("?"), word("Right", 9.2)],
        "A": [
            word("Well", 0.5, 0.9),
            mark(","),
            Word("vocalsound", "", 1.0, 1.1),
            word("yes", 1.9, 2.0),
            mark("."),
            word("Sure", 3.1),
            word("untimed", None),
            word("Go", 9.0),
            word("on", 9.5),
        ],
    },
    (),
)


def test_a_line_ends_with_more_than_a_second_of_silence() -> None:
    assert lines(MEETING) == [
        Line("A", 0.5, "Well yes"),
        Line("A", 3.1, "Sure"),
        Line("A", 9.0, "Go on"),
        Line("B", 3.0, "Mm-hmm"),
        Line("B", 9.2, "Right"),
    ]


def test_turns_are_lines_as_they_begin_joined_by_speaker_with_their_marks() -> None:
    assert turns(MEETING) == ["Well, yes.", "Mm-hmm?", "Sure Go on", "Right"]
