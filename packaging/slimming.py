"""Take out of a collected bundle what is in it and serves nothing.

Symbols that only a debugger or a linker reads, ICU's data for languages the window does not
speak, second copies of one library.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import icu


def slim(folder: Path) -> None:
    """Work on the bundle in `folder`. Raises `Stopped`."""
    for path in _libraries(folder):
        _strip(path)
    for path in folder.rglob("libicudata.so.*"):
        if not path.is_symlink():
            icu.shrink(path)
    for path in _libraries(folder):
        _link(path)
    _share_openmp(folder)


def _libraries(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*.so*")):
        if path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF":
            yield path


def _strip(path: Path) -> None:
    # What auditwheel rewrote to be movable does not always bear to be rewritten again.
    movable = path.parent.name.endswith(".libs")
    with tempfile.TemporaryDirectory(dir=path.parent) as work:
        new = Path(work, path.name)
        shutil.copy(path, new)
        subprocess.run(["strip", "--strip-unneeded", str(new)], check=False, capture_output=True)
        if new.stat().st_size < path.stat().st_size and (not movable or _loads(new, path.parent)):
            new.replace(path)


def _loads(library: Path, beside: Path) -> bool:
    """Whether the dynamic linker takes it, in a process of its own."""
    command = [sys.executable, "-c", f"import ctypes; ctypes.CDLL({str(library)!r})"]
    env = {"LD_LIBRARY_PATH": str(beside)}
    return subprocess.run(command, env=env, check=False, capture_output=True).returncode == 0


def _link(path: Path) -> None:
    """Make a library a link to one of the same content beside it, as in `libx.so` and `libx.so.0`.

    Opened by either name it is then loaded once.
    """
    for other in sorted(path.parent.glob(f"{path.name}.*")):
        same = not other.is_symlink() and other.read_bytes() == path.read_bytes()
        if same and other.name.removeprefix(path.name).lstrip(".").isdigit():
            path.unlink()
            path.symlink_to(other.name)
            return


def _share_openmp(folder: Path) -> None:
    """Let a wheel's copy of GNU OpenMP be the one that llama.cpp came with; it is no older."""
    for common in folder.rglob("libgomp.so.1"):
        for copy in folder.rglob("*.libs/libgomp-*"):
            copy.unlink()
            copy.symlink_to(os.path.relpath(common, copy.parent))
