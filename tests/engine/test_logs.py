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


def crash() -> None:
    code = (
        "import logging, os, signal; from engine import logs\n"
        "with logs.recording():\n"
        "    logging.getLogger('engine').warning('the last words')\n"
        "    os.kill(os.getpid(), signal.SIGSEGV)"
    )
    subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, timeout=60)


def test_a_crash_is_put_aside_by_the_next_start_and_kept_until_it_was_offered() -> None:
    crash()
    for _ in range(2):
        with logs.recording():
            logging.getLogger("engine").warning("a new day")
    (report,) = logs.crashes()
    text = report.read_text("utf-8")
    assert "Segmentation fault" in text
    assert "the last words" in text
    assert "a new day" not in text
    logs.offered(report)
    logs.offered(report)  # by another window
    assert logs.crashes() == []
    assert [file.read_text("utf-8") for file in logs.folder().glob("crash-*")] == [text]


def test_only_the_newest_crashes_are_kept() -> None:
    logs.folder().mkdir(parents=True)
    for day in range(1, 8):
        (logs.folder() / f"crash-2026-01-0{day}T00-00-00Z.txt").write_text("old")
    (logs.folder() / "crash.txt").write_text("new")
    with logs.recording():
        kept = logs.crashes()
    assert len(kept) == 5
    assert kept[-1].read_text().startswith("new")


def test_a_session_that_ended_well_leaves_nothing_to_offer() -> None:
    with logs.recording():
        pass
    with logs.recording():
        assert logs.crashes() == []
