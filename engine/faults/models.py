"""Damaged models, which native code reads: in a process of its own, so that it may crash there."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from engine.errors import ModelUnavailable
from engine.faults.case import NotAsExpected, Observed
from engine.faults.files import damaged
from engine.settings import Settings
from engine.speculation.inspection import inspect
from engine.store.fetching import locate
from engine.turntaking import trial

DAMAGES = 3
"""Of each kind; every file costs a process."""

_HEADER_BYTES = 2**21
_PROJECTION = """channels = "mono"
sample_rate_hz = 16000
frame_rate_hz = 50
context_s = 1.0
p_now = "output"
p_future = "stateN"
"""


def language_models(folder: Path) -> Observed:
    """A check: a language model of which the beginning is left, damaged in every way."""
    with locate(Settings().decoder.model).open("rb") as file:
        beginning = file.read(_HEADER_BYTES)
    return _refused(folder / "damaged.gguf", beginning, lambda path: inspect(path, _quiet))


def projections(folder: Path) -> Observed:
    """A check: an ONNX that belongs elsewhere, damaged in every way, as the user's projection."""
    (folder / "damaged.toml").write_text(_PROJECTION, "utf-8")
    whole = locate("silero-vad").read_bytes()
    opened = trial.opened
    return _refused(folder / "damaged.onnx", whole, lambda path: opened(path, lambda _: None))


def _refused(path: Path, whole: bytes, read: Callable[[Path], object]) -> Observed:
    chance = random.Random(7)  # noqa: S311 - no secret
    contents = [whole, *(one for _ in range(DAMAGES) for one in damaged(whole, chance))]
    crashed = 0
    for content in contents:
        path.write_bytes(content)
        try:
            read(path)
        except ModelUnavailable as exc:
            crashed += "reader crash" in exc.thing
            continue
        raise NotAsExpected(f"a damaged {path.suffix} was taken: {content[:40]!r}…")
    return Observed(
        words=f"{len(contents)} files refused in a sentence; {crashed} crashed their reader, alone"
    )


def _quiet(_step: str, _fraction: float) -> None:
    """Nobody waits for it."""
