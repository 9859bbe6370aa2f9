"""Makes the demo conversations in assets/demos from recipes.toml, with an offline voice.

    python packaging/make_demos.py --piper PYTHON [--only NAME ...] [--force]

PYTHON is the interpreter of an environment that has Piper, which runs as a program of its own
and is no part of the product. Each demo becomes NAME.flac (mono, 16 kHz) and NAME.json (who
says what when, and whether a pause is a hold or a shift). A demo whose recipe did not change
and whose sound is intact is left as it is. The same recipe, voice and versions give the same
sound: all chance is seeded.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from engine import paths
from engine.clock import SAMPLE_RATE_HZ
from engine.store.fetching import locate

Audio = NDArray[np.float32]
Voice = Callable[[str, float, int], Audio]
"""Speaks a text at a length scale with a seed: mono, 16 kHz."""

VOICE = "piper-joe"
_REVISION = 2  # of this script: raise it when the same recipe would give another sound

_SEEDED_PIPER = (
    "import onnxruntime, runpy, sys; onnxruntime.set_seed(int(sys.argv.pop(1))); "
    "runpy.run_module('piper', run_name='__main__', alter_sys=True)"
)
_PEAK = 10 ** (-3 / 20)
_NOISE_RMS = 10 ** (-62 / 20)
_QUIET = 10 ** (-38 / 20)
"""Of a segment's peak: below is no speech."""
_FRAME = SAMPLE_RATE_HZ // 100
_SHORTEST_GAP_FRAMES = 4
_SEARCH = round(0.6 * SAMPLE_RATE_HZ)
_EDGE = SAMPLE_RATE_HZ // 100  # 10 ms of fade, so that no cut is heard as a click


class RecipeError(Exception):
    """A recipe cannot be made as written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One stretch of speech and the pause after it."""

    text: str
    act: str
    boundary: str
    """hold: the person will go on; shift: the turn is over."""
    pause_s: float
    unfinished: bool = False
    """Spoken in one breath with the next segment, so that the voice does not fall here."""
    seed: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """A conversation to be made."""

    name: str
    title: str
    description: str
    length_scale: float
    """Of the voice: above 1 is slower."""
    lead_s: float
    segments: tuple[Segment, ...]

    def digest(self) -> str:
        """Changes whenever the sound would."""
        recipe = json.dumps([_REVISION, asdict(self)], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(recipe.encode()).hexdigest()


def read_recipes(path: Path) -> tuple[Demo, ...]:
    """The demos of recipes.toml."""
    tables = tomllib.loads(path.read_text("utf-8"))["demo"]
    return tuple(
        Demo(**{**table, "segments": tuple(Segment(**item) for item in table["segments"])})
        for table in tables
    )


def compose(demo: Demo, voice: Voice) -> tuple[Audio, list[tuple[float, float]]]:
    """The conversation's sound, and start and end of each segment in seconds."""
    pieces, spans = [_silence(demo.lead_s)], []
    for breath in breaths(demo.segments):
        spoken = voice(spoken_text(breath), demo.length_scale, breath[0].seed)
        parts = split_at_gaps(trim(spoken), [segment.text for segment in breath])
        for segment, part in zip(breath, parts, strict=True):
            start = sum(map(len, pieces))
            pieces += [fade(part), _silence(segment.pause_s)]
            spans.append((start / SAMPLE_RATE_HZ, (start + len(part)) / SAMPLE_RATE_HZ))
    speech = np.concatenate(pieces)
    speech *= _PEAK / np.abs(speech).max()
    return speech + room_noise(len(speech), seed=len(demo.name)), spans


def _silence(seconds: float) -> Audio:
    return np.zeros(round(seconds * SAMPLE_RATE_HZ), np.float32)


def breaths(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Segments grouped by what is spoken in one breath."""
    groups: list[list[Segment]] = [[]]
    for segment in segments:
        groups[-1].append(segment)
        if not segment.unfinished:
            groups.append([])
    if groups.pop():
        raise RecipeError("the last segment cannot be unfinished")
    return groups


def spoken_text(breath: Sequence[Segment]) -> str:
    """One sentence for the voice: a comma makes it hesitate where a pause is to come."""
    texts = [segment.text for segment in breath]
    return " ".join(
        [*(text if text[-1] in ",.?!" else f"{text}," for text in texts[:-1]), texts[-1]]
    )


def trim(audio: Audio) -> Audio:
    """Without the silence before the first and after the last sound."""
    loud = np.flatnonzero(~_quiet(audio))
    start, end = (loud[0] - 1) * _FRAME, (loud[-1] + 3) * _FRAME  # soft starts and ends stay
    return audio[max(start, 0) : end]


def split_at_gaps(audio: Audio, texts: Sequence[str]) -> list[Audio]:
    """Cut where the voice paused between `texts`, without the pauses themselves.

    Of the gaps near to where the texts' lengths let expect a pause, the longest is taken: the
    short ones are closed lips. Raises `RecipeError` when there is none.
    """
    gaps = _gaps(audio)
    parts, start, said = [], 0, 0
    total = sum(len(text) for text in texts)
    for text in texts[:-1]:
        said += len(text)
        expected = len(audio) * said / total
        near = [
            (first, last)
            for first, last in gaps
            if first > start and abs((first + last) / 2 - expected) < _SEARCH
        ]
        if not near:
            raise RecipeError(f"the voice does not pause after {text!r}: try another seed")
        first, last = max(near, key=lambda gap: gap[1] - gap[0])
        parts.append(audio[start:first])
        start = last
    return [*parts, audio[start:]]


def _gaps(audio: Audio) -> list[tuple[int, int]]:
    """Inner stretches of quiet, (start, end) in samples; a frame of each side stays speech."""
    quiet = _quiet(audio)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], quiet, [False])).astype(int)))
    return [
        (int(start + 1) * _FRAME, int(end - 1) * _FRAME)
        for start, end in edges.reshape(-1, 2)
        if end - start >= _SHORTEST_GAP_FRAMES and start > 0 and end < len(quiet)
    ]


def _quiet(audio: Audio) -> NDArray[np.bool_]:
    """Whether each 10 ms frame holds no speech."""
    frames = audio[: len(audio) // _FRAME * _FRAME].reshape(-1, _FRAME)
    level = np.sqrt(np.mean(np.square(frames), axis=1))
    return np.asarray(level < _QUIET * np.abs(audio).max())


def fade(audio: Audio) -> Audio:
    """Softened at both ends."""
    ramp = np.linspace(0, 1, _EDGE, dtype=np.float32)
    softened = audio.copy()
    softened[:_EDGE] *= ramp
    softened[-_EDGE:] *= ramp[::-1]
    return softened


def room_noise(length: int, seed: int) -> Audio:
    """The hush of a quiet room, about -62 dBFS, falling towards high pitches.

    Digital silence is something no microphone ever hears, and no model here was made for.
    """
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(length))
    pitch_hz = np.fft.rfftfreq(length, 1 / SAMPLE_RATE_HZ)
    spectrum *= (pitch_hz > 40) / np.sqrt(1 + (pitch_hz / 400) ** 2)
    noise = np.fft.irfft(spectrum, length)
    noise *= _NOISE_RMS / np.sqrt(np.mean(np.square(noise)))
    return np.asarray(noise, np.float32)


def piper(python: Path, model: Path) -> Voice:
    """The voice, as a program of its own."""

    def speak(text: str, length_scale: float, seed: int) -> Audio:
        with tempfile.TemporaryDirectory(prefix="pads-demo-") as folder:
            said, sound = Path(folder) / "said.txt", Path(folder) / "sound.wav"
            said.write_text(f"{text}\n", "utf-8")
            command = [str(python), "-c", _SEEDED_PIPER, str(seed), "-m", str(model)]
            command += ["-i", str(said), "-f", str(sound), "--length-scale", str(length_scale)]
            subprocess.run(command, check=True, capture_output=True)
            audio, rate_hz = soundfile.read(sound, dtype="float32")
        return np.asarray(soxr.resample(audio, rate_hz, SAMPLE_RATE_HZ), np.float32)

    return speak


def is_made(demo: Demo, folder: Path) -> bool:
    """Whether the demo lies in `folder`, made from this recipe and intact."""
    sound, truth = folder / f"{demo.name}.flac", folder / f"{demo.name}.json"
    if not (sound.exists() and truth.exists()):
        return False
    record = json.loads(truth.read_text("utf-8"))
    made = hashlib.sha256(sound.read_bytes()).hexdigest()
    return bool(record["recipe_sha256"] == demo.digest() and record["audio_sha256"] == made)


def make(demo: Demo, folder: Path, voice: Voice) -> None:
    """Write the demo's sound and ground truth."""
    audio, spans = compose(demo, voice)
    sound = folder / f"{demo.name}.flac"
    soundfile.write(sound, audio, SAMPLE_RATE_HZ, subtype="PCM_16")
    truth = ground_truth(demo, spans, len(audio) / SAMPLE_RATE_HZ, sound)
    text = json.dumps(truth, indent=1, ensure_ascii=False)
    (folder / f"{demo.name}.json").write_text(f"{text}\n", "utf-8")


def ground_truth(
    demo: Demo, spans: Sequence[tuple[float, float]], seconds: float, sound: Path
) -> dict[str, Any]:
    """What NAME.json holds: times in seconds from the start of the sound, turns from 1."""
    segments, turn = [], 1
    for segment, (start_s, end_s) in zip(demo.segments, spans, strict=True):
        segments.append(
            {
                "turn": turn,
                "start_s": round(start_s, 3),
                "end_s": round(end_s, 3),
                "text": segment.text,
                "act": segment.act,
                "boundary": segment.boundary,
            }
        )
        turn += segment.boundary == "shift"
    return {
        "name": demo.name,
        "title": demo.title,
        "description": demo.description,
        "audio": sound.name,
        "seconds": round(seconds, 3),
        "voice": VOICE,
        "recipe_sha256": demo.digest(),
        "audio_sha256": hashlib.sha256(sound.read_bytes()).hexdigest(),
        "segments": segments,
    }


def main() -> int:
    """Make what is missing or changed."""
    parser = argparse.ArgumentParser(description="Make the demo conversations.")
    parser.add_argument("--piper", type=Path, required=True, help="interpreter that has Piper")
    parser.add_argument("--only", nargs="*", default=[], help="names of demos to make")
    parser.add_argument("--force", action="store_true", help="make them even if unchanged")
    arguments = parser.parse_args()
    folder = paths.demos()
    voice = piper(arguments.piper, locate(VOICE))
    for demo in read_recipes(folder / "recipes.toml"):
        if arguments.only and demo.name not in arguments.only:
            continue
        if is_made(demo, folder) and not arguments.force:
            print(f"{demo.name}: unchanged")
            continue
        make(demo, folder, voice)
        print(f"{demo.name}: made")
    return 0


if __name__ == "__main__":
    sys.exit(main())
