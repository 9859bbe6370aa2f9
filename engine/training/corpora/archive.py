"""A corpus as a tree of files, whether still zipped or unpacked."""

from __future__ import annotations

import hashlib
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from engine import reading
from engine.errors import DataUnavailable

_MEMBER_BYTES = 64 * 2**20
"""Largest file a corpus may hold; the largest real one has 6 MB, a zip bomb has more."""

_DAMAGE = (
    OSError,
    EOFError,
    RuntimeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)
"""What reading a damaged archive raises; RuntimeError: encrypted, or packed in an unknown way."""


class Archive:
    """Reads files by their path inside a corpus; every failure is `DataUnavailable`."""

    def __init__(self, place: Path, packed: zipfile.ZipFile | None) -> None:
        self.place = place
        self._packed = packed

    def names(self, folder: str, ending: str) -> list[str]:
        """Sorted paths of the files in `folder` whose names have this ending."""
        if self._packed is not None:
            names = [n for n in self._packed.namelist() if n.startswith(f"{folder}/")]
        else:
            names = [f"{folder}/{path.name}" for path in (self.place / folder).glob("*")]
        return sorted(name for name in names if name.endswith(ending))

    def read(self, name: str) -> bytes:
        """A file's bytes."""
        try:
            if self._packed is None:
                return reading.whole(self.place / name, _MEMBER_BYTES)
            if self._packed.getinfo(name).file_size > _MEMBER_BYTES:
                raise self.damaged(name, "is too large to be part of the corpus")
            return self._packed.read(name)
        except (KeyError, FileNotFoundError) as exc:
            raise self.damaged(name, "is missing") from exc
        except _DAMAGE as exc:
            raise self.damaged(name, f"cannot be read ({exc})") from exc

    def damaged(self, name: str, why: str) -> DataUnavailable:
        """The error for a file that is not as it should be."""
        return DataUnavailable(
            f"{name} in the corpus {self.place} {why}", remedy="obtain the corpus again"
        )

    def sha256(self) -> str | None:
        """The archive file's hash; None for an unpacked folder."""
        if self._packed is None:
            return None
        with self.place.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def opened(place: Path) -> Iterator[Archive]:
    """Open a zip file or a folder of the same layout."""
    if place.is_dir():
        yield Archive(place, None)
        return
    with ExitStack() as stack:
        try:
            packed = stack.enter_context(
                zipfile.ZipFile(stack.enter_context(reading.regular(place)))
            )
        except _DAMAGE as exc:
            raise DataUnavailable(
                f"The corpus {place} cannot be opened ({exc})", remedy="obtain it again"
            ) from exc
        yield Archive(place, packed)
