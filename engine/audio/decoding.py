"""Recordings from outside, decoded by a process of their own.

libsndfile reads the file there: one that is made to crash it, or does so by being damaged, takes
nothing with it. What comes back is a line of JSON, then mono samples as float32.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from engine import children
from engine.audio.sources import mono
from engine.errors import AudioUnavailable

ARGUMENT = "--decode-sound"
"""First argument, before the file, with which the frozen application runs `main`."""

_LOWEST_HZ, _HIGHEST_HZ, _CHANNELS = 1_000, 768_000, 256
_BLOCK = 4096
_HEADER_S, _HEADER_BYTES = 20.0, 65_536


class Decoding:
    """A WAV, FLAC or OGG file as mono samples at its own rate.

    `frames` is what its header says. Raises `AudioUnavailable` when it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - `close` does
        try:
            self._child = subprocess.Popen(
                [*children.command("engine.audio.decoding", ARGUMENT), str(path)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=children.environment(),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except (OSError, ValueError) as exc:
            self._errors.close()
            raise unplayable(path, f"its decoder could not be started: {exc}") from exc
        assert self._child.stdout is not None
        self._pipe: IO[bytes] = self._child.stdout
        try:
            self.rate_hz, self.frames = self._header()
        except AudioUnavailable:
            self.close()
            raise

    def read(self, count: int) -> NDArray[np.float32]:
        """The next samples, shape [n] with n < `count` at the end only.

        Raises `AudioUnavailable` when the file makes its decoder break off.
        """
        content = self._pipe.read(4 * count)
        if len(content) < 4 * count and (code := self._child.wait()):
            raise unplayable(self._path, f"it broke off: {self._end(code)}")
        samples = np.frombuffer(content[: len(content) // 4 * 4], np.float32)
        return mono(samples[:, None])  # a process that reads such files is not believed blindly

    def blocks(self) -> Iterator[NDArray[np.float32]]:
        """All that is left, in pieces; raises as `read` does."""
        while len(samples := self.read(_BLOCK)):
            yield samples

    def stop(self) -> None:
        """End the process: whoever waits for it in another thread gets an end, or an error."""
        with suppress(ProcessLookupError):
            self._child.kill()
        self._child.wait()

    def close(self) -> None:
        """Free everything, while nobody reads. Harmless when repeated."""
        self.stop()
        self._pipe.close()
        self._errors.close()

    def _header(self) -> tuple[int, int]:
        too_long = threading.Timer(_HEADER_S, self._child.kill)
        too_long.start()
        try:
            line = self._pipe.readline(_HEADER_BYTES)
        finally:
            too_long.cancel()
            too_long.join()
        try:
            record: dict[str, Any] = json.loads(line)
            if "thing" in record:
                raise AudioUnavailable(str(record["thing"]), remedy=str(record["remedy"]))
            return int(record["rate_hz"]), int(record["frames"])
        except (ValueError, KeyError, TypeError) as exc:
            raise unplayable(self._path, self._end(self._child.wait())) from exc

    def _end(self, code: int) -> str:
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return f"it makes its decoder end with {said[-1][:200] if said else f'status {code}'}"


def unplayable(path: Path, why: str) -> AudioUnavailable:
    """The sentence about a recording that cannot be played."""
    return AudioUnavailable(
        f"The recording {path} cannot be played ({why})",
        remedy="choose a WAV, FLAC or OGG file with sound in it",
    )


# In the process of its own -------------------------------------------------------------------


def opened(path: Path) -> Any:
    """The file, open in this process. Raises `AudioUnavailable`."""
    import soundfile

    try:
        if not path.is_file():
            raise unplayable(path, "there is no such file")
        if path.stat().st_size == 0:
            raise unplayable(path, "the file is empty")
        path.open("rb").close()
        file = soundfile.SoundFile(path)
    except OSError as exc:
        raise unplayable(path, exc.strerror or str(exc)) from exc
    except (soundfile.SoundFileError, TypeError) as exc:  # TypeError: headerless, by its suffix
        raise unplayable(path, "its format is not known") from exc
    if file.frames <= 0:
        file.close()
        raise unplayable(path, "it holds no sound")
    if not _LOWEST_HZ <= file.samplerate <= _HIGHEST_HZ or file.channels > _CHANNELS:
        file.close()
        raise unplayable(path, "its rate or its number of channels is none of a recording")
    return file


def samples(file: Any) -> Iterator[NDArray[np.float32]]:
    """All of an open file as mono blocks; raises `AudioUnavailable` where it breaks off."""
    import soundfile

    size = max(1, math.ceil(_BLOCK / file.channels))
    while True:
        try:
            frames = file.read(size, dtype="float32", always_2d=True)
        except soundfile.SoundFileError as exc:
            raise unplayable(Path(file.name), f"it broke off: {exc}") from exc
        if not len(frames):
            return  # perhaps sooner than its header says
        yield mono(frames)


def main(words: list[str]) -> int:
    """Decode the file that is named to standard output; 1 when that cannot be done."""
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print goes to standard error
    with suppress(BrokenPipeError, KeyboardInterrupt), stream:
        try:
            file = opened(Path(words[0]))
        except AudioUnavailable as exc:
            stream.write(json.dumps({"thing": exc.thing, "remedy": exc.remedy}).encode())
            return 1
        with file:
            header = {"rate_hz": file.samplerate, "frames": file.frames}
            stream.write(json.dumps(header).encode() + b"\n")
            stream.flush()
            try:
                for block in samples(file):
                    stream.write(block.tobytes())
            except AudioUnavailable as exc:
                print(exc.thing, file=sys.stderr)
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
