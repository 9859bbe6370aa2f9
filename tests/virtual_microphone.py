"""The virtual microphone of `pads faults` as a fixture, and waiting that fails a test."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.faults import case
from engine.faults.virtual_microphone import VirtualMicrophone

_PATIENCE_S = 60.0


def until(true: Callable[[], bool], otherwise: str, patience_s: float = _PATIENCE_S) -> None:
    """Wait for something another process or thread does; fail the test when it never does."""
    try:
        case.until(true, otherwise, patience_s)
    except case.NotAsExpected as exc:
        pytest.fail(str(exc))


@pytest.fixture
def virtual_microphone(
    temporary_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[VirtualMicrophone]:
    """A running virtual microphone, the default input of this process and its children."""
    with tempfile.TemporaryDirectory(dir=temporary_folder, prefix="sound-") as folder:
        microphone = VirtualMicrophone(Path(folder))
        try:
            microphone.start()
            for name, value in microphone.environment.items():
                monkeypatch.setenv(name, value)
            yield microphone
        finally:
            microphone.stop()
