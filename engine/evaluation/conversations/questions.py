"""Single questions cut out of the demos: one turn of a person, ready to be replayed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import soundfile

from engine import paths
from engine.errors import DataUnavailable

_BEFORE_S = 0.4
_AFTER_S = 1.5
"""The room goes on after the last word: a turn ends in the noise of its room, not in nothing."""
_ASKING = ("question", "directive")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One turn of a demo; `start_s`..`end_s` is its speech, seconds from the demo's start."""

    name: str
    text: str
    demo: Path
    start_s: float
    end_s: float

    def cut(self, folder: Path) -> Path:
        """Write its sound, with the room around it, as `folder`/`name`.wav and return the file.

        Raises `DataUnavailable` when the demo cannot be read or the file not be written.
        """
        file = folder / f"{self.name}.wav"
        try:
            with soundfile.SoundFile(self.demo) as demo:
                first = max(0, round((self.start_s - _BEFORE_S) * demo.samplerate))
                last = min(demo.frames, round((self.end_s + _AFTER_S) * demo.samplerate))
                demo.seek(first)
                samples, rate_hz = demo.read(last - first, dtype="int16"), demo.samplerate
            folder.mkdir(parents=True, exist_ok=True)
            soundfile.write(file, samples, rate_hz, subtype="PCM_16")
        except (OSError, soundfile.SoundFileError) as exc:
            raise DataUnavailable(
                f"The question {self.name} cannot be cut out of {self.demo} ({exc})",
                remedy="install PADS Live again, or make room on the disk",
            ) from exc
        return file


def questions(folder: Path | None = None) -> list[Question]:
    """Every turn of the demos in `folder` (default: the bundled ones) that only asks.

    Raises `DataUnavailable` when there is none.
    """
    found = []
    for demo in sorted((folder or paths.demos()).glob("*.flac")):
        try:
            segments = json.loads(demo.with_suffix(".json").read_text("utf-8"))["segments"]
            found += _asking(demo, segments)
        except (OSError, ValueError, KeyError):
            continue  # a recording without its ground truth is no source of questions
    if not found:
        raise DataUnavailable(
            f"There are no demos with questions in {folder or paths.demos()}",
            remedy="install PADS Live again",
        )
    return found


def _asking(demo: Path, segments: list[dict[str, object]]) -> list[Question]:
    turns: dict[int, list[dict[str, object]]] = {}
    for segment in segments:
        turns.setdefault(int(str(segment["turn"])), []).append(segment)
    return [
        Question(
            name=f"{demo.stem}-{number}",
            text=" ".join(str(part["text"]) for part in parts),
            demo=demo,
            start_s=float(str(parts[0]["start_s"])),
            end_s=float(str(parts[-1]["end_s"])),
        )
        for number, parts in sorted(turns.items())
        if all(part["act"] in _ASKING for part in parts)
    ]
