"""Turns of DailyDialog spoken by espeak-ng, with pauses put inside them.

Labels hold by construction: after a sentence inside a turn, and at a cut in mid-sentence, the
speaker goes on; after the turn's last sentence somebody else has the floor. A synthetic voice
falls and lengthens where its rules say so, hence these turns teach how smart-turn's output and
the length of a silence weigh, and little about how people sound.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections.abc import Iterator

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from engine.clock import SAMPLE_RATE_HZ
from engine.errors import DataUnavailable
from engine.training.corpora.conversations import Conversation, Spoken

PROGRAM = "espeak-ng"
VOICES = ("en-us", "en-us+f3", "en-gb+m3", "en-gb-x-rp+f2", "en-gb-scotland+m7", "en-us+m1")
_TURNS_A_VOICE_TAKES = 12
_NOISE_RMS = 10 ** (-60 / 20)
_END_S = 2.0
"""Silence after a turn: longer than any pause inside it."""
_PAUSE_MEDIAN_S, _PAUSE_SPREAD = 0.48, 0.75
"""Log-normal; the median and spread of what speech detection hears inside turns of meetings."""
_SHORTEST_S, _LONGEST_S = 0.16, 2.5
_FADE = SAMPLE_RATE_HZ // 200
_WORDS = (5, 30)
"""Turns of so many words are taken."""


def installed() -> bool:
    """Whether espeak-ng is on the path."""
    return shutil.which(PROGRAM) is not None


def conversations(texts: list[str], turns: int, seed: int) -> Iterator[Conversation]:
    """About `turns` of the `texts`, spoken, in conversations of a dozen turns of one voice.

    The same arguments and the same espeak-ng give the same sound. Raises `DataUnavailable` when
    espeak-ng fails.
    """
    chance = np.random.default_rng(seed)
    fit = [text for text in texts if _WORDS[0] <= len(text.split()) <= _WORDS[1]]
    chosen = chance.permutation(len(fit))[:turns]
    for number, start in enumerate(range(0, len(chosen), _TURNS_A_VOICE_TAKES)):
        voice = VOICES[number % len(VOICES)]
        said = [fit[index] for index in chosen[start : start + _TURNS_A_VOICE_TAKES]]
        yield _conversation(f"generated-{number:03d}", voice, said, chance)


def _conversation(
    name: str, voice: str, texts: list[str], chance: np.random.Generator
) -> Conversation:
    sound = [np.zeros(SAMPLE_RATE_HZ // 2, np.float32)]
    spoken: list[Spoken] = []
    at = len(sound[0])
    for number, text in enumerate(texts):
        pieces = _pieces(_sentences(text, voice, int(chance.integers(135, 195))), chance)
        for place, piece in enumerate(pieces):
            last = place == len(pieces) - 1
            silence = _END_S if last else _pause_s(chance)
            start_s, end_s = at / SAMPLE_RATE_HZ, (at + len(piece)) / SAMPLE_RATE_HZ
            # Every turn is another person's, so that whoever comes after it took the floor.
            spoken.append(Spoken(str(number), start_s, end_s))
            sound += [piece, np.zeros(round(silence * SAMPLE_RATE_HZ), np.float32)]
            at += len(piece) + len(sound[-1])
    spoken.append(Spoken("next", at / SAMPLE_RATE_HZ, at / SAMPLE_RATE_HZ + 1))
    audio = np.concatenate(sound)
    audio *= 0.5 / np.abs(audio).max()
    audio += chance.normal(0, _NOISE_RMS, len(audio)).astype(np.float32)
    return Conversation(name=name, group=f"voice {voice}", audio=audio, spoken=tuple(spoken))


def _pause_s(chance: np.random.Generator) -> float:
    drawn = chance.lognormal(np.log(_PAUSE_MEDIAN_S), _PAUSE_SPREAD)
    return float(np.clip(drawn, _SHORTEST_S, _LONGEST_S))


def _sentences(text: str, voice: str, words_a_minute: int) -> list[NDArray[np.float32]]:
    parts = [part for part in re.split(r"(?<=[.?!])\s+", text.strip()) if re.search(r"\w", part)]
    return [_speak(part, voice, words_a_minute) for part in parts]


def _pieces(
    sentences: list[NDArray[np.float32]], chance: np.random.Generator
) -> list[NDArray[np.float32]]:
    """The sentences, each cut in two with even chance where it is quietest near the middle."""
    pieces: list[NDArray[np.float32]] = []
    for sentence in sentences:
        low, high = len(sentence) // 4, 3 * len(sentence) // 4
        if chance.random() < 0.5 or high - low < SAMPLE_RATE_HZ // 4:
            pieces.append(sentence)
            continue
        frames = sentence[low:high][: (high - low) // _FADE * _FADE].reshape(-1, _FADE)
        quietest = frames.std(axis=1).argsort()[: max(1, len(frames) // 10)]
        cut = low + int(chance.choice(quietest)) * _FADE
        pieces += [_faded(sentence[:cut]), _faded(sentence[cut:])]
    return pieces


def _faded(piece: NDArray[np.float32]) -> NDArray[np.float32]:
    """Without the click that a cut leaves."""
    ramp = np.linspace(0, 1, _FADE, dtype=np.float32)
    faded = piece.copy()
    faded[:_FADE] *= ramp
    faded[-_FADE:] *= ramp[::-1]
    return faded


def _speak(text: str, voice: str, words_a_minute: int) -> NDArray[np.float32]:
    command = [PROGRAM, "-v", voice, "-s", str(words_a_minute), "--stdout", "--stdin"]
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, check=True)
        # The header of a stream gives no true length; what follows it are 16-bit samples.
        samples, rate = soundfile.read(io.BytesIO(done.stdout), dtype="float32")
    except (OSError, subprocess.CalledProcessError, soundfile.SoundFileError) as exc:
        raise DataUnavailable(
            f"{PROGRAM} could not speak with the voice {voice} ({exc})",
            remedy="install espeak-ng with its English voices, or set generated to 0",
        ) from exc
    audio = np.asarray(soxr.resample(samples, rate, SAMPLE_RATE_HZ), np.float32)
    loud = np.flatnonzero(np.abs(audio) > 0.01)
    return audio[loud[0] : loud[-1] + 1] if len(loud) else audio
