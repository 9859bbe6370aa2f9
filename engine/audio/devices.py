"""The inputs of this machine, by their real names."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Any

from engine.audio.sound_server import PORTAUDIO_NAME, ServerInput, server_inputs
from engine.errors import AudioUnavailable
from engine.events import InputsListed

portaudio_lock = threading.RLock()
"""Held while PortAudio opens, closes or lists: it does not expect that twice at once."""

open_streams: set[object] = set()
"""Owners of open streams; written under the lock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputDevice:
    """An input as the system lists it; `rate_hz` is its own default rate.

    `index` is PortAudio's; `source` names the input behind it where a sound server has several.
    """

    index: int
    name: str
    is_default: bool
    channels: int
    rate_hz: int
    source: str | None = None
    muted: bool = False


def input_devices() -> tuple[InputDevice, ...]:
    """Every input by its name, as plugged in now.

    PortAudio looks for devices only when it starts, and starting it again would end open
    streams: while one is open, this is what was there when it was opened. Raises
    `AudioUnavailable` without a sound system.
    """
    portaudio = system()
    with portaudio_lock:
        try:
            look_again(portaudio)
            devices, default = portaudio.query_devices(), portaudio.default.device[0]
        except portaudio.PortAudioError as exc:
            raise no_sound_system(str(exc)) from exc
    known = tuple(
        InputDevice(
            index=index,
            name=device["name"],
            is_default=index == default,
            channels=device["max_input_channels"],
            rate_hz=round(device["default_samplerate"]),
        )
        for index, device in enumerate(devices)
        if device["max_input_channels"] > 0
    )
    way = next((device for device in known if device.name == PORTAUDIO_NAME), None)
    behind = server_inputs() if way is not None else None
    return known if way is None or behind is None else _through(way, behind)


def list_inputs(heard_s: float) -> InputsListed:
    """The inputs there are by their names, or what is the matter with the sound system."""
    try:
        devices = input_devices()
    except AudioUnavailable as exc:
        return InputsListed(heard_s=heard_s, names=(), default=None, problem=str(exc))
    names = tuple(device.name for device in devices)
    default = next((device.name for device in devices if device.is_default), None)
    return InputsListed(heard_s=heard_s, names=names, default=default, problem=None)


def _through(way: InputDevice, behind: tuple[ServerInput, ...]) -> tuple[InputDevice, ...]:
    """What lies behind the sound server in place of PortAudio's one device."""
    descriptions = [one.description for one in behind]
    return tuple(
        InputDevice(
            index=way.index,
            name=(
                one.description
                if descriptions.count(one.description) == 1
                else f"{one.description} ({one.source})"
            ),
            is_default=one.is_default,
            channels=one.channels,
            rate_hz=one.rate_hz,
            source=one.source,
            muted=one.muted,
        )
        for one in behind
    )


def find(name: str | None, devices: tuple[InputDevice, ...]) -> InputDevice:
    """The input of this name; None is the system's default, or the first where it has none.

    A default is not tied to its source: a sound server moves it along when that changes.
    Raises `AudioUnavailable` when there is no such input.
    """
    for device in devices:
        if device.name == name:
            return device
        if name is None and device.is_default:
            return replace(device, source=None)
    if name is None and devices:
        return devices[0]
    if name is None:
        raise AudioUnavailable("No microphone was found", remedy="connect one, or play a demo")
    known = ", ".join(device.name for device in devices) or "none"
    raise AudioUnavailable(
        f"The microphone {name} was not found (inputs here: {known})",
        remedy="connect it, or choose another input",
    )


def look_again(portaudio: Any) -> None:
    """Have PortAudio see what is plugged in now, unless a stream is open; under the lock."""
    if not open_streams:
        portaudio._terminate()
        portaudio._initialize()


def system() -> Any:
    """sounddevice, which loads PortAudio on import and fails where that is not installed."""
    try:
        import sounddevice
    except (OSError, ImportError) as exc:
        raise no_sound_system(str(exc)) from exc
    return sounddevice


def no_sound_system(why: str) -> AudioUnavailable:
    """The error to raise when PortAudio cannot be used at all."""
    return AudioUnavailable(
        f"The sound system cannot be used ({why})",
        remedy="install PortAudio (Debian, Ubuntu: libportaudio2), or play a demo",
    )
