"""Speech from text by other programs: Piper where it is installed, else espeak-ng.

Both are under the GPL and stay programs of their own: nothing of them is imported.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.errors import ModelUnavailable, VoiceUnavailable
from engine.settings import VoiceSettings
from engine.store.fetching import locate
from engine.voice.piper import INSTALL, Piper, piper_command

_LONGEST_S = 30.0  # for one sentence, on a busy machine
_HEADER = 44  # bytes of a WAV header as espeak-ng writes it


class Synthesiser(Protocol):
    """Makes sound of a sentence."""

    name: str

    def speak(self, text: str) -> tuple[NDArray[np.float32], int]:
        """Samples in -1..1, shape [n], and their rate in Hz; raises `VoiceUnavailable`."""
        ...

    def stop(self) -> None:
        """Have a sentence under way fail; may be called from any thread."""
        ...

    def close(self) -> None:
        """End what is running."""
        ...


def find(settings: VoiceSettings) -> Synthesiser:
    """The synthesiser these settings ask for. Raises `VoiceUnavailable` when it is not here."""
    if settings.engine == "espeak":
        return Espeak()
    try:
        return Piper(piper_command(settings.piper), _voice(settings.model))
    except VoiceUnavailable as exc:
        if settings.engine == "piper":
            raise
        try:
            return Espeak()
        except VoiceUnavailable:
            raise VoiceUnavailable(
                f"Replies cannot be spoken, since there is no espeak-ng and no Piper ({exc.thing})",
                remedy=INSTALL,
            ) from exc


def installed(settings: VoiceSettings) -> dict[str, str | VoiceUnavailable]:
    """By synthesiser, where its program (and Piper's voice) is, or why it cannot speak.

    Nothing is started.
    """
    result: dict[str, str | VoiceUnavailable] = {}
    try:
        command = piper_command(settings.piper)
        result["Piper"] = f"{' '.join(command)}, voice {_voice(settings.model)}"
    except VoiceUnavailable as exc:
        result["Piper"] = exc
    try:
        result["espeak-ng"] = Espeak().program
    except VoiceUnavailable as exc:
        result["espeak-ng"] = exc
    return result


class Espeak:
    """espeak-ng, started anew for every sentence: it takes some hundredths of a second."""

    name = "espeak-ng"

    def __init__(self) -> None:
        program = shutil.which("espeak-ng")
        if program is None:
            raise VoiceUnavailable("espeak-ng was not found", remedy=INSTALL)
        self.program = program
        self._command = [program, "-v", "en-us", "-b", "1", "--stdin", "--stdout"]

    def speak(self, text: str) -> tuple[NDArray[np.float32], int]:
        """Speech of `text`; raises `VoiceUnavailable`."""
        try:
            wave = subprocess.run(
                self._command,
                input=text.encode(),
                capture_output=True,
                check=True,
                timeout=_LONGEST_S,
            ).stdout
        except (OSError, subprocess.SubprocessError) as exc:
            # Its own words for an end would tell the whole command.
            status = getattr(exc, "returncode", None)
            why = str(exc) if status is None else f"it ended with status {status}"
            raise VoiceUnavailable(
                f"espeak-ng could not speak ({why})", remedy="install it again if that goes on"
            ) from exc
        # The header of a stream gives no length that could be used, but the rate.
        (rate_hz,) = struct.unpack_from("<I", wave, 24) if len(wave) >= _HEADER else (22_050,)
        whole = (len(wave) - _HEADER) // 2 * 2
        samples = np.frombuffer(wave[_HEADER : _HEADER + max(whole, 0)], "<i2")
        return samples.astype(np.float32) / np.float32(32768), rate_hz

    def stop(self) -> None:
        """A sentence is done sooner than it could be stopped."""

    def close(self) -> None:
        """Nothing runs between sentences."""


def _voice(model: str) -> Path:
    """The voice's file, its configuration beside it; `VoiceUnavailable` names what is missing."""
    try:
        locate(f"{model}-config")
        return locate(model)
    except ModelUnavailable as exc:
        raise VoiceUnavailable(exc.thing, remedy=exc.remedy) from exc
