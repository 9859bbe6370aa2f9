"""`pads screenshots` writes a picture of every window, whatever display there is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from app.screenshots import scenes
from engine import paths
from tests.app.conftest import question


@pytest.mark.usefixtures("models")
def test_every_window_is_pictured_from_a_recorded_session(
    recorded: Path, compared: Path, home: Path, tmp_path: Path
) -> None:
    shutil.copytree(recorded, paths.sessions() / recorded.name)
    shutil.copytree(compared, paths.runs() / compared.name)
    sound = question(recorded, tmp_path)
    given = ["--session", "latest", "--comparison", "latest", "--recording", str(sound)]
    command = ["screenshots", str(tmp_path / "out"), "--look", "light", "--json", *given]
    bare = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-m", "app", *command],
        check=False,
        capture_output=True,
        text=True,
        timeout=280,
        env=bare,
    )
    assert done.returncode == 0, done.stderr
    told = [json.loads(line)["file"] for line in done.stdout.splitlines()]
    wanted = {f"{name}-light.png" for name in {**scenes.SCENES, **scenes.RUNNING}}
    assert {Path(file).name for file in told} == wanted
    images = {Path(file).name: QImage(file) for file in told}
    assert all(not image.isNull() for image in images.values())
    main = images["main-answered-light.png"]
    assert (main.width(), main.height()) == (1280, 800)
    assert main != images["main-idle-light.png"]
    # The user's own history got nothing from it.
    assert [folder.name for folder in paths.sessions().iterdir()] == [recorded.name]
