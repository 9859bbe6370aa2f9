"""Which silences end a turn."""

import pytest

from engine.training.classifiers.turn_end import Material
from engine.training.classifiers.turn_pauses import ends_turn
from engine.training.corpora.conversations import Spoken

A1, A2 = Spoken("A", 0.0, 1.0), Spoken("A", 1.8, 2.5)
B = Spoken("B", 1.8, 2.5)


@pytest.mark.parametrize(
    ("spoken", "onset_s", "resumed_s", "over"),
    [
        ((A1, A2), 1.0, 1.8, False),
        ((A1, B), 1.0, 1.8, True),
        ((A1, Spoken("A", 4.2, 5.0)), 1.0, 4.2, True),  # silent for more than 3 s
        ((A1,), 1.0, 1.8, None),  # nobody knows what follows
        ((A2,), 1.0, 1.8, None),  # nor who held the floor
        ((Spoken("A", 0.0, 1.8), A2), 1.0, 1.7, False),  # a word stretched over the pause
        ((Spoken("A", 0.0, 2.5), B), 1.0, 1.7, False),  # it is what is heard after it
        ((A1, Spoken("B", 0.2, 0.9), A2), 1.0, 1.8, False),  # B murmured during A's turn
        ((Spoken("B", 0.0, 0.7), Spoken("A", 0.5, 1.0), B), 1.0, 1.8, True),
        ((A1, Spoken("B", 0.96, 1.1), A2), 1.0, 1.8, True),  # B began at the onset
    ],
)
def test_by_hand(
    spoken: tuple[Spoken, ...], onset_s: float, resumed_s: float, over: bool | None
) -> None:
    assert ends_turn(spoken, onset_s, resumed_s) is over


def test_the_real_meetings(material: Material) -> None:
    recorded = material.recorded
    assert len(recorded) > 60
    assert 15 < sum(pause.ends_turn for pause in recorded) < len(recorded) / 2
    for pause in recorded:
        assert pause.silence_s >= 0.09
        assert pause.ends_turn or pause.silence_s <= 3.0
        assert 0 <= pause.cues.p_complete <= 1
        assert pause.cues.spoken_s > 0
