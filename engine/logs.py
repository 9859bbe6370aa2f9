"""Where the application's own log goes: a bounded file, and a tail in memory for reports.

A native crash writes its stack into `crash.txt` beside it; the next start puts that aside as
`crash-<time>.txt`, with the last lines of that session's log, until it was offered to the user.
Nothing spoken or written in a
conversation is logged.
"""

from __future__ import annotations

import faulthandler
import logging
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

from engine import paths

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_FILE_BYTES, _FILES = 1_000_000, 3
_CRASHES = 5  # kept at most, offered or not
_CRASH_LINES = 40
_OFFERED = ".offered.txt"


class Tail(logging.Handler):
    """Keeps the last lines in memory."""

    def __init__(self, lines: int = 200) -> None:
        super().__init__()
        self.lines: deque[str] = deque(maxlen=lines)
        self.setFormatter(logging.Formatter(_FORMAT))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one record."""
        self.lines.append(self.format(record))


def folder() -> Path:
    """Where log files lie."""
    return paths.data() / "logs"


def crashes() -> list[Path]:
    """Reports of crashes that were not offered to the user yet, oldest first."""
    return [file for file in _reports() if not file.name.endswith(_OFFERED)]


def offered(report: Path) -> None:
    """The user has seen that there is this report: it is kept, but not offered again."""
    with suppress(OSError):  # another window offered it, or nothing can be written there
        report.rename(report.with_name(report.stem + _OFFERED))


def _reports() -> list[Path]:
    return sorted(folder().glob("crash-*.txt"))


def _put_aside() -> None:
    """Make a report of what the last crash wrote, if there was one; forget the oldest ones."""
    crash = folder() / "crash.txt"
    if not crash.is_file() or not crash.stat().st_size:
        return
    log = folder() / "pads.log"
    lines = log.read_text("utf-8", errors="replace").splitlines() if log.is_file() else []
    tail = "\n".join(lines[-_CRASH_LINES:])
    stamp = time.strftime("%Y-%m-%dT%H-%M-%SZ", time.gmtime(crash.stat().st_mtime))
    with crash.open("a", encoding="utf-8") as file:
        file.write(f"\nThe last lines of its log:\n{tail}\n")
    crash.rename(folder() / f"crash-{stamp}.txt")
    for old in _reports()[:-_CRASHES]:
        old.unlink()


@contextmanager
def recording() -> Iterator[Tail]:
    """Log to file and memory until the block ends; without a writable folder to memory alone."""
    tail = Tail()
    root = logging.getLogger()
    handlers: list[logging.Handler] = [tail]
    crash = None
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        _put_aside()
        file = RotatingFileHandler(
            folder() / "pads.log", maxBytes=_FILE_BYTES, backupCount=_FILES, encoding="utf-8"
        )
        file.setFormatter(logging.Formatter(_FORMAT))
        handlers.append(file)
        crash = (folder() / "crash.txt").open("a", encoding="utf-8")
        faulthandler.enable(crash)
    except OSError as exc:
        tail.emit(logging.makeLogRecord({"levelname": "WARNING", "msg": f"no log file: {exc}"}))
    before = root.level
    root.setLevel(logging.INFO)
    for handler in handlers:
        root.addHandler(handler)
    try:
        yield tail
    finally:
        for handler in handlers:
            root.removeHandler(handler)
            handler.close()
        root.setLevel(before)
        if crash is not None:
            faulthandler.disable()
            crash.close()
