"""Pauses of a meeting small enough to check by hand."""

from __future__ import annotations

import pytest

from engine.evaluation.turns.silences import defects, gaps, merged
from engine.training.corpora.ami import Meeting, Word


def said(*times: tuple[float | None, float | None]) -> list[Word]:
    return [Word("word", "w", start, end) for start, end in times]


def meeting(**speakers: list[Word]) -> Meeting:
    return Meeting("ES0", speakers, ())


def found(whole: Meeting) -> list[tuple[str, float, float, bool, float]]:
    return [(g.speaker, g.start_s, g.end_s, g.silent, g.longest_silence_s) for g in gaps(whole)]


#  time  0    1    2    3    4    5    6    7    8    9
#  A     ww   ww        w            www            w       gaps 0.5-1, 1.5-3, 3.3-5, 6.2-8
#  B                              ww      w                 gap 4.9-6.6
HAND = meeting(
    A=said((0.0, 0.5), (1.0, 1.5), (3.0, 3.3), (5.0, 6.2), (8.0, 8.4)),
    B=said((4.4, 4.9), (6.6, 7.0)),
)


def test_the_hand_checked_meeting() -> None:
    assert found(HAND) == [
        ("A", 0.5, 1.0, True, 0.5),
        ("A", 1.5, 3.0, True, 1.5),
        ("A", 3.3, 5.0, False, 1.1),  # B speaks from 4.4 to 4.9: 1.1 s before, 0.1 s after
        ("A", 6.2, 8.0, False, 1.0),  # B speaks from 6.6 to 7.0: 0.4 s before, 1.0 s after
        ("B", 4.9, 6.6, False, 0.4),  # A speaks from 5.0 to 6.2: 0.1 s before, 0.4 s after
    ]


def test_back_to_back_words_leave_no_gap() -> None:
    assert found(meeting(A=said((0.0, 1.0), (1.0, 2.0), (2.0, 2.5)))) == []


def test_a_speakers_overlapping_words_end_together() -> None:
    inside = meeting(A=said((0.0, 3.0), (1.0, 1.5), (4.0, 5.0)))
    assert found(inside) == [("A", 3.0, 4.0, True, 1.0)]


def test_missing_times_make_the_gaps_beside_them_unknown() -> None:
    whole = meeting(A=said((0.0, 1.0), (None, None), (3.0, 4.0), (5.0, 6.0)))
    assert found(whole) == [("A", 4.0, 5.0, True, 1.0)]
    late = meeting(A=said((0.0, 1.0), (2.0, None), (3.0, 4.0)))
    assert found(late) == []


def test_a_word_that_ends_before_it_starts_is_not_trusted() -> None:
    assert found(meeting(A=said((0.0, 1.0), (2.0, 1.5), (3.0, 4.0)))) == []


def test_speech_that_only_touches_a_gap_does_not_cover_it() -> None:
    whole = meeting(A=said((0.0, 1.0), (2.0, 3.0)), B=said((0.2, 1.0), (2.0, 2.5)))
    assert found(whole)[0] == ("A", 1.0, 2.0, True, 1.0)


def test_speech_over_a_whole_gap_leaves_nothing_of_it() -> None:
    whole = meeting(A=said((0.0, 1.0), (2.0, 3.0)), B=said((0.5, 1.5)), C=said((1.5, 2.5)))
    assert found(whole)[0] == ("A", 1.0, 2.0, False, 0.0)


def test_punctuation_is_no_word_and_words_without_length_cover_nothing() -> None:
    mark = Word("punctuation", ".", 1.4, 1.4)
    whole = meeting(A=[*said((0.0, 1.0)), mark, *said((2.0, 3.0))], B=said((1.5, 1.5)))
    assert found(whole) == [("A", 1.0, 2.0, True, 1.0)]


def test_laughs_cover_only_when_asked_for() -> None:
    laugh = Word("vocalsound", "", 1.2, 1.8)
    whole = meeting(A=said((0.0, 1.0), (2.0, 3.0)), B=[laugh])
    assert [gap.silent for gap in gaps(whole)] == [True]
    assert [gap.silent for gap in gaps(whole, ("word", "vocalsound"))] == [False]


def test_lengths_carry_no_float_noise() -> None:
    (gap,) = gaps(meeting(A=said((0.0, 0.7), (0.8, 0.9))))
    assert gap.seconds == 0.1


def test_spans_are_merged() -> None:
    assert merged([(3, 4), (0, 1), (1, 2), (3.5, 3.6), (5, 5), None]) == [(0, 2), (3, 4)]


def test_defects_are_counted() -> None:
    whole = meeting(
        A=said((0.0, 1.0), (None, None), (2.0, 1.5), (1.8, 4.0)),
        D=[Word("vocalsound", "", 1.0, 2.0)],
    )
    assert defects(whole) == {
        "files_without_words": 1,
        "words_without_times": 1,
        "words_ending_before_they_start": 1,
        "words_out_of_order": 1,
        "words_longer_than_2_s": 1,
    }
    assert defects(HAND) == {}


@pytest.mark.parametrize("end", [1.0999, 1.1, 1.2])
def test_a_gap_begins_where_its_word_ends(end: float) -> None:
    (gap,) = gaps(meeting(A=said((1.0, end), (2.0, 2.1))))
    assert gap.start_s == end
