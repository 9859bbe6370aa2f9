"""Real recordings at the engine's rate."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
import soxr
from numpy.typing import NDArray

Recording = Callable[[str], NDArray[np.float32]]


@pytest.fixture(scope="session")
def recording(data: Path) -> Recording:
    """A recording by its file name, mono 16 kHz."""

    def read(name: str) -> NDArray[np.float32]:
        samples, rate = soundfile.read(data / "audio" / name, dtype="float32", always_2d=True)
        return np.asarray(soxr.resample(samples.mean(axis=1), rate, 16_000), np.float32)

    return read


@pytest.fixture(scope="session")
def words(data: Path) -> Callable[[str], list[dict[str, Any]]]:
    """The reference words of a meeting, with `start_s` and `end_s`."""

    def read(meeting: str) -> list[dict[str, Any]]:
        text = (data / "audio" / f"ami_{meeting}_first30s.words.json").read_text("utf-8")
        return [word for word in json.loads(text)["words"] if not word["punctuation"]]

    return read
