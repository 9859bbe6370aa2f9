"""Asking for a display must not disturb it."""

import os
import subprocess
import sys

import pytest

_OPEN = """
from PySide6.QtGui import QGuiApplication
from app import display
with display.reachable() as answers:
    assert answers
    application = QGuiApplication([])
"""


@pytest.mark.usefixtures("display")
def test_a_server_that_restarts_without_clients_still_opens_the_window() -> None:
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "640x480x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with open(reading, encoding="ascii") as pipe:
            name = f":{pipe.readline().strip()}"
        done = subprocess.run(
            [sys.executable, "-c", _OPEN],
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "DISPLAY": name, "QT_QPA_PLATFORM": "xcb"},
        )
    finally:
        server.terminate()
        server.wait(10)
    assert (done.returncode, done.stderr) == (0, "")
