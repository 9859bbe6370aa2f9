"""Where the application's own log goes: a bounded file, and a tail in memory for reports.

A native crash writes its stack into `crash.txt` beside it. Nothing spoken or written in a
conversation is logged.
"""

from __future__ import annotations

import faulthandler
import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path

from engine import paths

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_FILE_BYTES, _FILES = 1_000_000, 3


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


@contextmanager
def recording() -> Iterator[Tail]:
    """Log to file and memory until the block ends; without a writable folder to memory alone."""
    tail = Tail()
    root = logging.getLogger()
    handlers: list[logging.Handler] = [tail]
    crash = None
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        file = RotatingFileHandler(
            folder() / "pads.log", maxBytes=_FILE_BYTES, backupCount=_FILES, encoding="utf-8"
        )
        file.setFormatter(logging.Formatter(_FORMAT))
        handlers.append(file)
        crash = (folder() / "crash.txt").open("w", encoding="utf-8")
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
