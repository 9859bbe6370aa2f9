"""Recorded conversations with the times at which each speaker spoke.

A folder holds `NAME.wav` beside `NAME.words.json`: {"meeting": name, "words": [{"speaker",
"start_s", "end_s", "text", "punctuation"}, ...]}, times in seconds of the sound.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from engine import paths, settings
from engine.clock import SAMPLE_RATE_HZ
from engine.errors import DataUnavailable

_WORDS = ".words.json"
_DAMAGE = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A stretch in which one speaker is heard, seconds from the start of the sound.

    `text` is what is said in it, where that is known.
    """

    speaker: str
    start_s: float
    end_s: float
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Mono 16 kHz `audio`, shape [n], and who speaks when.

    Conversations of one `group` share people or a voice, and are never split between training
    and evaluation.
    """

    name: str
    group: str
    audio: NDArray[np.float32]
    spoken: tuple[Spoken, ...]
    """Sorted by start."""


def read(folder: Path) -> list[Conversation]:
    """Every recording with words in `folder`, by name; `DataUnavailable` for a malformed one."""
    return [_read(path) for path in sorted(folder.glob(f"*{_WORDS}"))]


def _read(path: Path) -> Conversation:
    sound = path.with_name(path.name.removesuffix(_WORDS) + ".wav")
    try:
        record: dict[str, Any] = json.loads(path.read_text("utf-8"))
        spoken = [
            Spoken(
                str(word["speaker"]),
                float(word["start_s"]),
                float(word["end_s"]),
                str(word.get("text", "")),
            )
            for word in record["words"]
            if not word["punctuation"]
        ]
        meeting = str(record["meeting"])
        samples, rate = soundfile.read(sound, dtype="float32", always_2d=True)
    except (*_DAMAGE, soundfile.SoundFileError) as exc:
        raise DataUnavailable(
            f"The recording {path} cannot be used ({type(exc).__name__}: {exc})",
            remedy="give it a .wav of the same name and words with speaker, start_s and end_s",
        ) from exc
    audio = np.asarray(soxr.resample(samples.mean(axis=1), rate, SAMPLE_RATE_HZ), np.float32)
    # A word without length says nothing about when somebody spoke.
    usable = sorted((s for s in spoken if s.end_s > s.start_s), key=lambda s: s.start_s)
    return Conversation(name=path.stem, group=meeting, audio=audio, spoken=tuple(usable))


def find(given: Path | None) -> Path:
    """The folder of recordings: `given`, or `audio` in it or in the data folder.

    Raises `DataUnavailable`, which tells what is wanted, when there is none with words.
    """
    place = given or paths.corpora(settings.load(paths.settings_file()).data_folder)
    for folder in (place, place / "audio") if place is not None else ():
        if any(folder.glob(f"*{_WORDS}")):
            return folder
    raise DataUnavailable(
        f"There are no recordings with words in {place or 'the data folder, which is not set'}",
        remedy=f"name a folder of NAME.wav and NAME{_WORDS} in PADS_DATA or with --data",
    )
