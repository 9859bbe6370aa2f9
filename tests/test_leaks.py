"""Each part of the leak guard is seen failing a test that leaks, and passing one that does not."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

LEAKING = """
import subprocess, sys, tempfile, threading
import pytest
from tests import leaks

leaks.GRACE_S = 0.3  # nothing here ends late
SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]
KEPT = []


def test_clean():
    thread = threading.Thread(target=lambda: None)
    thread.start()
    child = subprocess.Popen(SLEEP)
    child.kill()
    child.wait()
    with tempfile.TemporaryDirectory():
        pass


def test_thread():
    threading.Thread(target=threading.Event().wait, name="forgotten", daemon=True).start()


def test_child():
    KEPT.append(subprocess.Popen(SLEEP))


def test_orphan():
    start = f"import subprocess; print(subprocess.Popen({SLEEP!r}, stdout=-3).pid)"
    subprocess.run([sys.executable, "-c", start], check=True, stdout=subprocess.PIPE)


def test_folder():
    tempfile.mkdtemp(prefix="forgotten")


def test_timer(qapp):
    from PySide6.QtCore import QTimer
    KEPT.append(QTimer(interval=50))
    KEPT[-1].start()


def test_stopped_timer(qapp):
    from PySide6.QtCore import QTimer
    timer = QTimer(interval=50)
    timer.start()
    timer.stop()
    KEPT.append(timer)


@pytest.fixture(scope="module")
def service():
    child = subprocess.Popen(SLEEP)
    yield
    child.kill()
    child.wait()


def test_fixture_of_a_wider_scope(service):
    pass


def test_last():
    "Also told what still stands at the end of the session."
"""

FORGETFUL_FIXTURE = """
import tempfile
import pytest


@pytest.fixture(scope="module")
def folder():
    return tempfile.mkdtemp(prefix="forgotten")


def test_uses_it(folder):
    pass
"""


def run(folder: Path, tests: str) -> dict[str, str]:
    """What the guard said about each test ("" when it had nothing to say)."""
    file, report = folder / "test_leaking.py", folder / "report.xml"
    file.write_text(tests)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.leaks", "-p", "no:cacheprovider"]
    places = ["-c", os.devnull, "--rootdir", str(folder), f"--basetemp={folder / 'base'}"]
    subprocess.run(  # most of its tests fail, as they should
        [*command, *places, f"--junitxml={report}", str(file)],
        check=False,
        stdout=subprocess.DEVNULL,
        cwd=Path(__file__).parents[1],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        timeout=120,
    )
    said: dict[str, str] = {}
    for case in ET.parse(report).iter("testcase"):
        name = case.get("name") or ""
        errors = [str(error.text) for error in case]
        said[name] = said.get(name, "") + "".join(errors)
    return said


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return run(tmp_path_factory.mktemp("guarded"), LEAKING)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("test_thread", "thread forgotten"),
        ("test_child", "time.sleep(600)"),
        ("test_orphan", "time.sleep(600)"),
        ("test_folder", "temporary"),
        ("test_timer", "QTimer of nothing, every 50 ms"),
    ],
)
def test_a_leak_fails_the_test(verdicts: dict[str, str], name: str, words: str) -> None:
    assert "left behind: " in verdicts[name]
    assert words in verdicts[name]


@pytest.mark.parametrize(
    "name", ["test_clean", "test_stopped_timer", "test_fixture_of_a_wider_scope"]
)
def test_what_leaves_nothing_passes(verdicts: dict[str, str], name: str) -> None:
    assert verdicts[name] == ""


def test_what_a_wide_fixture_leaves_fails_the_session(tmp_path: Path) -> None:
    assert "left behind: temporary" in run(tmp_path, FORGETFUL_FIXTURE)["test_uses_it"]
