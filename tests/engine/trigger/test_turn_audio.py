"""What of the sound belongs to a turn."""

import numpy as np

from engine.trigger.turn_audio import CHUNK, PRE_ROLL_S, TAIL_S, TurnAudio

RATE = 16_000


def kept(audio: TurnAudio) -> list[float]:
    """The chunks' values: chunk n is all n."""
    return [float(chunk[0]) for chunk in audio]


def hear(audio: TurnAudio, first: int, last: int, *, in_turn: bool) -> None:
    for number in range(first, last + 1):
        audio.keep(np.full(CHUNK, number, np.float32), in_turn=in_turn)


def test_a_turn_begins_with_the_pre_roll_and_ends_with_a_little_silence() -> None:
    audio = TurnAudio()
    hear(audio, 1, 50, in_turn=False)
    assert kept(audio) == list(range(41, 51))
    assert len(kept(audio)) * CHUNK == PRE_ROLL_S * RATE
    hear(audio, 51, 80, in_turn=True)
    speech = audio.speech(5 * CHUNK / RATE)  # silent since chunk 76
    assert len(speech) == (80 - 40 - 5) * CHUNK + TAIL_S * RATE
    assert (speech[0], speech[-1]) == (41, 77)
    assert len(audio.speech(0.0)) == 40 * CHUNK
    audio.clear()
    assert kept(audio) == []


def test_a_turn_keeps_its_newest_two_minutes() -> None:
    audio = TurnAudio()
    hear(audio, 1, 4000, in_turn=True)
    assert len(kept(audio)) * CHUNK == 120 * RATE
    assert kept(audio)[-1] == 4000
