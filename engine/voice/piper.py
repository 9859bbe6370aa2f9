"""Piper, a program that keeps a voice loaded and makes sound of one sentence after the other."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

from engine.errors import VoiceUnavailable

INSTALL = (
    "install espeak-ng (Debian, Ubuntu: apt install espeak-ng) or name Piper in the setting "
    "voice.piper; until then replies stay written"
)

TRIES = 3
"""After so many sentences in a row that failed it is not started again."""

_LONGEST_S = 30.0  # for one sentence, Piper's start included, on a busy machine
_LOOKS_S = 0.5  # so often it is looked at whether it still runs
_AGAIN = "install Piper again, or choose espeak-ng"


class Piper:
    """A Piper process that keeps its voice loaded.

    It reads a line, writes a WAV file into a folder made for it, and says the file's name,
    which is how both its Python and its older C++ version can be asked for one sentence at a time.
    A process that died or hung is started again, until `TRIES` sentences in a row have failed.
    """

    name = "Piper"

    def __init__(self, command: list[str], voice: Path) -> None:
        self._command = [*command, "--model", str(voice), "--output_dir"]
        self._starting = threading.Lock()
        self._stopped = False
        self._failures = 0
        self._begin()

    @property
    def given_up(self) -> bool:
        """Whether it has failed too often to be started again."""
        return self._failures >= TRIES

    def speak(self, text: str) -> tuple[NDArray[np.float32], int]:
        """Speech of `text`; raises `VoiceUnavailable` when Piper has died or hangs.

        One that died since the last sentence is started again first.
        """
        try:
            if self._process.poll() is not None:
                self._begin_again()
            speech = self._spoken(text)
        except VoiceUnavailable:
            self._failures += 1
            if not self.given_up and not self._stopped:
                self._begin_again()  # now, so that its voice is loaded by the next sentence
            raise
        self._failures = 0
        return speech

    def stop(self) -> None:
        """Kill the process; none is started any more."""
        with self._starting:
            self._stopped = True
            self._kill()

    def close(self) -> None:
        """Kill the process and remove its folder."""
        self.stop()
        self._end()

    def _begin(self) -> None:
        try:
            # Piper itself may write there until it is gone, so that what is left is no error.
            self._folder = tempfile.TemporaryDirectory(
                prefix="pads-voice-", ignore_cleanup_errors=True
            )
        except OSError as exc:
            raise VoiceUnavailable(
                f"Piper has no folder for its sound ({exc.strerror or exc})",
                remedy="free disk space or allow writing there, or choose espeak-ng",
            ) from exc
        try:
            self._process = subprocess.Popen(
                [*self._command, self._folder.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
                start_new_session=True,  # Ctrl+C is for us to obey
            )
        except OSError as exc:
            self._folder.cleanup()
            raise _not_piper(self._command[0], exc.strerror or str(exc)) from exc
        self._said = ""

    def _begin_again(self) -> None:
        with self._starting:
            if self._stopped:
                raise VoiceUnavailable("Piper was stopped", remedy=_AGAIN)
            self._end()
            self._begin()

    def _end(self) -> None:
        self._kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):  # a sentence it will not read any more
                pipe.close()
        self._folder.cleanup()

    def _kill(self) -> None:
        """Also what it started: a script around Piper would leave it, holding our pipe."""
        if sys.platform == "win32":
            self._process.kill()
        elif self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _spoken(self, text: str) -> tuple[NDArray[np.float32], int]:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(" ".join(text.split()).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as exc:
            raise self._dead() from exc
        file = self._written()
        try:
            samples, rate_hz = soundfile.read(file, dtype="float32", always_2d=True)
            file.unlink()
        except (OSError, soundfile.SoundFileError) as exc:
            raise VoiceUnavailable(f"Piper wrote no sound ({exc})", remedy=_AGAIN) from exc
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
        """What it says next; a script around Piper may die and leave the pipe open."""
        assert self._process.stdout is not None
        try:
            slice_s = min(max(patience_s, 0.0), _LOOKS_S)
            if not select.select([self._process.stdout], [], [], slice_s)[0]:
                if self._process.poll() is not None:
                    raise self._dead()
                if patience_s <= 0:
                    raise VoiceUnavailable("Piper does not answer", remedy=_AGAIN)
                return ""
            said = os.read(self._process.stdout.fileno(), 65_536)
        except (OSError, ValueError) as exc:
            raise self._dead() from exc
        if not said:
            raise self._dead()
        return said.decode("utf-8", "replace")

    def _dead(self) -> VoiceUnavailable:
        """What it said last, if it ended by itself; else only how it ended."""
        assert self._process.stdout is not None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code = self._process.returncode
        if code is not None and not self._process.stdout.closed:
            if hasattr(os, "set_blocking"):  # Windows has it from Python 3.12 on
                os.set_blocking(self._process.stdout.fileno(), False)
            self._said += (self._process.stdout.read() or b"").decode("utf-8", "replace")
        last = self._said.strip().splitlines()[-1:]
        why = last[0][:200] if last and (code or 0) > 0 else f"it ended with status {code}"
        return VoiceUnavailable(f"Piper stopped ({why})", remedy=_AGAIN)


def piper_command(named: str | None) -> list[str]:
    """How to start Piper: a program, a Python that has it, or an environment's folder."""
    if named is None:
        program = shutil.which("piper")
        if program is None:
            raise VoiceUnavailable("Piper was not found", remedy=INSTALL)
        return [program]
    given = Path(named).expanduser()
    if given.is_dir():
        given = given / "bin" / "python"
    if not given.is_file():
        raise _not_piper(str(given), "there is no such file")
    return [str(given), "-m", "piper"] if given.name.startswith("python") else [str(given)]


def _not_piper(program: str, why: str) -> VoiceUnavailable:
    return VoiceUnavailable(
        f"Piper cannot be started from {program} ({why})",
        remedy="correct the setting voice.piper, or delete it to use espeak-ng",
    )
