"""What is kept of a conversation is its owner's alone, and nobody listens at a socket."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from engine.faults import command_line

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")


@pytest.mark.usefixtures("models")
def test_whatever_a_session_leaves_is_readable_by_its_owner_alone(
    home: Path, tmp_path: Path
) -> None:
    """A home that the program makes itself, under a umask that lets others read."""
    soundfile.write(tmp_path / "quiet.wav", np.zeros(8_000, np.float32), 16_000)
    done = subprocess.run(
        command_line.replaying(tmp_path / "quiet.wav"),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        umask=0o022,
    )
    assert done.returncode == 0, done.stderr
    (session,) = (home / "data" / "sessions").iterdir()
    exported = tmp_path / "report.html"
    told = subprocess.run(
        [sys.executable, "-m", "app", "export", session.name, "--html", str(exported)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        umask=0o022,
    )
    assert told.returncode == 0, told.stderr
    left = [home / "data", *(home / "data").rglob("*"), exported]
    assert {path.name for path in left} >= {"events.jsonl", "manifest.json", "report.html"}
    assert [str(path) for path in left if os.stat(path).st_mode & 0o077] == []
