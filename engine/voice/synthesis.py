"""Speech from text by other programs: Piper where it is installed, else espeak-ng.

Both are under the GPL and stay programs of their own: nothing of them is imported.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import struct
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import numpy as np
import soundfile
from numpy.typing import NDArray

from engine.errors import ModelUnavailable, VoiceUnavailable
from engine.settings import VoiceSettings
from engine.store.fetching import locate

_LONGEST_S = 30.0  # for one sentence, Piper's start included, on a busy machine
_HEADER = 44  # bytes of a WAV header as espeak-ng writes it
_INSTALL = (
    "install espeak-ng (Debian, Ubuntu: apt install espeak-ng) or name Piper in the setting "
    "voice.piper; until then replies stay written"
)

_AGAIN = "install Piper again, or choose espeak-ng"


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
        return Piper(_piper_command(settings.piper), _voice(settings.model))
    except VoiceUnavailable as exc:
        if settings.engine == "piper":
            raise
        try:
            return Espeak()
        except VoiceUnavailable:
            raise VoiceUnavailable(
                f"Replies cannot be spoken, since there is no espeak-ng and no Piper ({exc.thing})",
                remedy=_INSTALL,
            ) from exc


def installed(settings: VoiceSettings) -> dict[str, str | VoiceUnavailable]:
    """By synthesiser, where its program (and Piper's voice) is, or why it cannot speak.

    Nothing is started.
    """
    result: dict[str, str | VoiceUnavailable] = {}
    try:
        command = _piper_command(settings.piper)
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
            raise VoiceUnavailable("espeak-ng was not found", remedy=_INSTALL)
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


class Piper:
    """A Piper process that keeps its voice loaded.

    It reads a line, writes a WAV file into a folder made for it, and says the file's name,
    which is how both its Python and its older C++ version can be asked for one sentence at a time.
    """

    name = "Piper"

    def __init__(self, command: list[str], voice: Path) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="pads-voice-")
        try:
            self._process = subprocess.Popen(
                [*command, "--model", str(voice), "--output_dir", self._folder.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
                start_new_session=True,  # Ctrl+C is for us to obey
            )
        except OSError as exc:
            self._folder.cleanup()
            raise _not_piper(command[0], exc.strerror or str(exc)) from exc
        self._said = ""

    def speak(self, text: str) -> tuple[NDArray[np.float32], int]:
        """Speech of `text`; raises `VoiceUnavailable` when Piper has died or hangs."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(" ".join(text.split()).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as exc:
            raise self._dead() from exc
        file = self._written()
        try:
            samples, rate_hz = soundfile.read(file, dtype="float32", always_2d=True)
        except (OSError, soundfile.SoundFileError) as exc:
            raise VoiceUnavailable(f"Piper wrote no sound ({exc})", remedy=_AGAIN) from exc
        file.unlink()
        return np.ascontiguousarray(samples[:, 0]), rate_hz

    def _written(self) -> Path:
        """The file whose name it says next."""
        deadline_s = time.monotonic() + _LONGEST_S
        name = re.compile(re.escape(self._folder.name) + r"/[^/\s'\"]+\.wav(?=\s)")
        while (found := name.search(self._said)) is None:
            self._said += self._hear(deadline_s - time.monotonic())
        self._said = self._said[found.end() :]
        return Path(found.group())

    def _hear(self, patience_s: float) -> str:
        assert self._process.stdout is not None
        try:
            ready, _, _ = select.select([self._process.stdout], [], [], max(patience_s, 0.0))
            if not ready:
                raise VoiceUnavailable("Piper does not answer", remedy=_AGAIN)
            said = os.read(self._process.stdout.fileno(), 65_536)
        except (OSError, ValueError) as exc:
            raise self._dead() from exc
        if not said:
            raise self._dead()
        return said.decode("utf-8", "replace")

    def _dead(self) -> VoiceUnavailable:
        assert self._process.stdout is not None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        if self._process.returncode is not None and not self._process.stdout.closed:
            self._said += self._process.stdout.read().decode("utf-8", "replace")
        last = (self._said.strip().splitlines() or ["it ended"])[-1]
        return VoiceUnavailable(f"Piper stopped ({last[:200]})", remedy=_AGAIN)

    def stop(self) -> None:
        """Kill the process."""
        self._process.kill()

    def close(self) -> None:
        """Kill the process and remove its folder."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):  # a sentence it will not read any more
                pipe.close()
        self._folder.cleanup()


def _piper_command(named: str | None) -> list[str]:
    """How to start Piper: a program, a Python that has it, or an environment's folder."""
    if named is None:
        program = shutil.which("piper")
        if program is None:
            raise VoiceUnavailable("Piper was not found", remedy=_INSTALL)
        return [program]
    given = Path(named).expanduser()
    if given.is_dir():
        given = given / "bin" / "python"
    if not given.is_file():
        raise _not_piper(str(given), "there is no such file")
    return [str(given), "-m", "piper"] if given.name.startswith("python") else [str(given)]


def _voice(model: str) -> Path:
    """The voice's file, its configuration beside it; `VoiceUnavailable` names what is missing."""
    try:
        locate(f"{model}-config")
        return locate(model)
    except ModelUnavailable as exc:
        raise VoiceUnavailable(exc.thing, remedy=exc.remedy) from exc


def _not_piper(program: str, why: str) -> VoiceUnavailable:
    return VoiceUnavailable(
        f"Piper cannot be started from {program} ({why})",
        remedy="correct the setting voice.piper, or delete it to use espeak-ng",
    )
