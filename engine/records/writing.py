"""Files that are there whole or not at all, and files that are still there."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from engine.errors import ExportFailed


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """A file to write to, which becomes `out` when the block ends well and else is removed.

    Raises `ExportFailed` for what the system refuses (full disk, no such folder).
    """
    partial = out.with_name(f".{out.name}.partial")
    try:
        yield partial
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(out)
    except OSError as exc:
        raise ExportFailed(
            f"{out} cannot be written ({exc.strerror or exc})",
            remedy="make room on the disk, or choose another folder",
        ) from exc
    finally:
        with suppress(OSError):  # its name may be one that the system refuses
            partial.unlink(missing_ok=True)


def check_there(descriptor: int, path: Path) -> None:
    """`OSError` when a file that is open was deleted: the system takes what is written and
    throws it away."""
    if os.fstat(descriptor).st_nlink == 0:
        raise FileNotFoundError(errno.ENOENT, "it was deleted", str(path))
