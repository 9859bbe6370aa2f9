"""Pauses as the engine hears them in a conversation, and whether they ended a turn.

Definition. A pause begins where the engine's own speech detection falls silent for 96 ms, and
lasts until it hears 96 ms of speech. Its holder is the speaker of the last word that began
before it (the one that lasts longest, where several are under way). It is a *hold* when the
next word heard is the holder's and comes within 3 s; otherwise, when somebody else speaks next
or nobody for longer, it is a *turn end*. A pause before the first or after the last word is
not counted, since nobody knows whose it is or what follows.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.clock import SAMPLE_RATE_HZ
from engine.settings import SpeechSettings
from engine.training.corpora.conversations import Conversation, Spoken
from engine.trigger.endpointing import Boundary, Endpointer
from engine.turntaking.head import Cues
from engine.turntaking.predictor import TurnTakingPredictor
from engine.turntaking.vad import CHUNK

LONGEST_HOLD_S = 3.0
"""Who says nothing for longer has left the floor."""

_SLACK_S = 0.05  # annotated and heard times differ by a chunk or two
_NEVER_MS = 2**31


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """A pause of a conversation of `group`, with the cues that were known at its onset."""

    group: str
    onset_s: float
    silence_s: float
    """Until speech was heard again; for the last pause, until the sound ended."""
    ends_turn: bool
    cues: Cues


def heard(conversation: Conversation, predictor: TurnTakingPredictor) -> list[Pause]:
    """Every pause of the conversation that has a label, in order."""
    found: list[Pause] = []
    predictor.reset()
    endpointer = Endpointer(SpeechSettings(), _NEVER_MS)
    open_pause: tuple[float, Cues] | None = None
    audio = conversation.audio
    for end in range(CHUNK, len(audio) + 1, CHUNK):
        predictor.update(audio[end - CHUNK : end])
        end_s = end / SAMPLE_RATE_HZ
        boundary = endpointer.update((end - CHUNK) / SAMPLE_RATE_HZ, end_s, predictor.speech)
        if boundary is Boundary.PAUSE_STARTED:
            predictor.at_pause()
            open_pause = endpointer.onset_s, predictor.cues
        elif boundary is Boundary.SPEECH_RESUMED and open_pause is not None:
            resumed_s = end_s - SpeechSettings().speech_ms / 1000
            found += _labelled(conversation, open_pause, resumed_s)
            open_pause = None
    if open_pause is not None:
        found += _labelled(conversation, open_pause, len(audio) / SAMPLE_RATE_HZ)
    return found


def _labelled(
    conversation: Conversation, pause: tuple[float, Cues], resumed_s: float
) -> list[Pause]:
    onset_s, cues = pause
    over = ends_turn(conversation.spoken, onset_s, resumed_s)
    if over is None:
        return []
    return [
        Pause(
            group=conversation.group,
            onset_s=onset_s,
            silence_s=resumed_s - onset_s,
            ends_turn=over,
            cues=cues,
        )
    ]


def ends_turn(spoken: tuple[Spoken, ...], onset_s: float, resumed_s: float) -> bool | None:
    """Whether the silence between these times ended a turn; None when it cannot be known."""
    before = [word for word in spoken if word.start_s < onset_s - _SLACK_S]
    after = [
        word
        for word in spoken
        if word.start_s >= onset_s - _SLACK_S
        # An aligner may stretch a word over the pause: what is heard after it is that word.
        or word.end_s > resumed_s + _SLACK_S
    ]
    if not before or not after:
        return None
    holder = max(before, key=lambda word: (min(word.end_s, onset_s), word.start_s))
    following = min(after, key=lambda word: word.start_s)
    return holder.speaker != following.speaker or resumed_s - onset_s > LONGEST_HOLD_S
