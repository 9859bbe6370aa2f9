"""The application's own log."""

import logging
import subprocess
import sys
from pathlib import Path

from engine import logs


def test_what_is_logged_is_in_the_file_and_in_the_tail() -> None:
    with logs.recording() as tail:
        logging.getLogger("engine.test").warning("the disk is %s", "full")
    assert "the disk is full" in tail.lines[-1]
    assert "the disk is full" in (logs.folder() / "pads.log").read_text("utf-8")
    count = len(tail.lines)
    logging.getLogger("engine.test").warning("afterwards")
    assert len(tail.lines) == count


def test_without_a_writable_folder_the_tail_still_works(home: Path) -> None:
    (home / "data").write_text("a file where the folder should be")
    with logs.recording() as tail:
        logging.getLogger("engine.test").warning("still here")
    assert "no log file" in tail.lines[0]
    assert "still here" in tail.lines[-1]


def test_a_native_crash_leaves_its_stack() -> None:
    code = (
        "import os, signal; from engine import logs\n"
        "with logs.recording(): os.kill(os.getpid(), signal.SIGSEGV)"
    )
    subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, timeout=60)
    assert "Segmentation fault" in (logs.folder() / "crash.txt").read_text("utf-8")
