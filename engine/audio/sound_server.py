"""Inputs as PulseAudio or PipeWire knows them, on systems that run one.

PortAudio, built on ALSA, shows such a server as one device called "pulse", whatever hangs
behind it. The server itself is asked for the names people know, and libpulse opens the one that
`PULSE_SOURCE` names.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

PORTAUDIO_NAME = "pulse"
"""The device by which PortAudio reaches the server."""

_ANSWER_S = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerInput:
    """A source of the server that is not a loudspeaker's monitor."""

    source: str
    description: str
    is_default: bool
    muted: bool
    channels: int
    rate_hz: int


def server_inputs() -> tuple[ServerInput, ...] | None:
    """The server's inputs; None without a server, or without `pactl` to ask it."""
    listed, default = _pactl("--format=json", "list", "sources"), _pactl("get-default-source")
    if listed is None or default is None:
        return None
    try:
        sources: list[dict[str, Any]] = json.loads(listed)
        return tuple(
            _input(source, default.strip())
            for source in sources
            if source["monitor_source"] in ("", "n/a", None)
        )
    except (ValueError, KeyError, IndexError, TypeError):
        return None  # a pactl older than version 16 does not speak JSON


@contextmanager
def opening(source: str | None) -> Iterator[None]:
    """Within, what is opened through the server listens to `source` (None: its default).

    Streams keep their source; one opened on the default moves along when that changes.
    """
    before = os.environ.pop("PULSE_SOURCE", None)
    if source is not None:
        os.environ["PULSE_SOURCE"] = source
    try:
        yield
    finally:
        os.environ.pop("PULSE_SOURCE", None)
        if before is not None:
            os.environ["PULSE_SOURCE"] = before


def _input(source: dict[str, Any], default: str) -> ServerInput:
    # "s16le 2ch 48000Hz"
    _, channels, rate = source["sample_specification"].split()
    return ServerInput(
        source=source["name"],
        description=source["description"] or source["name"],
        is_default=source["name"] == default,
        muted=bool(source["mute"]),
        channels=int(channels.removesuffix("ch")),
        rate_hz=int(rate.removesuffix("Hz")),
    )


def _pactl(*words: str) -> str | None:
    program = shutil.which("pactl")
    if program is None:
        return None
    try:
        answer = subprocess.run(
            [program, *words],
            env=os.environ | {"LC_ALL": "C.UTF-8"},  # elsewhere its JSON has decimal commas
            capture_output=True,
            check=True,
            encoding="utf-8",
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=_ANSWER_S,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout
