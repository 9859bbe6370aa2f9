"""Files from outside: read only where they are files, and only as far as such a file may go.

A link to a device never ends, a pipe waits for its other end, a damaged folder holds a gigabyte
where a line should be. Each is an `OSError` here.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

LINE = 2**22
"""Bytes of the longest line that is one."""


@contextmanager
def regular(path: Path) -> Iterator[BinaryIO]:
    """The file, open for reading; `OSError` where there is none, or something else."""
    with open(path, "rb", opener=_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        yield file


def whole(path: Path, most: int) -> bytes:
    """All of a file of at most `most` bytes; `OSError` for a larger one, of which none is read."""
    with regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        content = file.read(most + 1) if size <= most else b""
    if size > most or len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most} bytes", str(path))
    return content


def text(path: Path, most: int) -> str:
    """The same as UTF-8; `UnicodeDecodeError` where it is none."""
    return whole(path, most).decode("utf-8")


def lines(path: Path) -> Iterator[bytes]:
    """Its lines with their ends, the last one perhaps without; one longer than `LINE` in pieces."""
    with regular(path) as file:
        while line := file.readline(LINE):
            yield line


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
