"""The rehearsal in the window: the real job, its lights and its verdict."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.presenter.rehearsal import RehearsalDialog
from engine import commands
from engine.evaluation.machine.rehearsal import Light, together


@pytest.mark.usefixtures("models")
def test_every_check_is_shown_with_its_light_and_the_verdict_follows(qtbot: QtBot) -> None:
    dialog = RehearsalDialog()
    qtbot.addWidget(dialog)
    sent: list[object] = []
    dialog.command.connect(sent.append)
    dialog.show()
    qtbot.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    assert sent == [commands.CloseSource()]
    assert not dialog.start.isEnabled()
    qtbot.waitUntil(lambda: not dialog.busy, timeout=240_000)
    names = [check["name"] for check in dialog.checks]
    assert names == [
        "other programs",
        "power",
        "memory",
        "disk",
        "models",
        "microphone",
        "one turn",
        "heat",
    ]
    lights = {check["name"]: check["light"] for check in dialog.checks}
    assert lights["models"] == Light.GREEN
    worst = together(list(lights.values()))
    ready = "Ready to present" in dialog.verdict.text()
    assert ready == (worst is Light.GREEN)
    assert dialog.start.isEnabled()


def test_closing_ends_it(qtbot: QtBot) -> None:
    dialog = RehearsalDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.begin()
    dialog.close()
    assert not dialog.busy
    assert dialog.start.isEnabled()
