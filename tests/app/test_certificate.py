"""The certificate in the window, from what a real decoder says about itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.dialogs import certificate
from app.engine_words import policy
from app.main_window import MainWindow
from engine import events
from engine.outbox import Outbox
from engine.settings import DecoderSettings
from engine.speculation import loading
from engine.store.fetching import locate


@pytest.fixture(scope="module")
def said(models: Path, halves: Path) -> dict[str, Any]:
    chosen = replace(DecoderSettings(), threads=1, context_tokens=1024)
    loaded = loading.load(locate(chosen.model), halves, chosen, lambda *_: None)
    loaded.decoder.close()
    return loaded.details


def rounding(said: dict[str, Any]) -> dict[str, Any]:
    probe = {**said["exactness"], "verdict": "lossless up to rounding"}
    return {**said, "exactness": {**probe, "equal": [2, 3], "unequal": [4, 5, 8], "margin": 0.037}}


def lossy(said: dict[str, Any]) -> dict[str, Any]:
    return {**said, "lossless": False, "exit_policy": "token-confidence"}


@pytest.mark.parametrize(
    ("change", "verdict"),
    [(dict, "exact"), (rounding, "lossless up to rounding"), (lossy, "lossy")],
)
def test_the_badge_says_what_was_found(
    window: MainWindow, outbox: Outbox, said: dict[str, Any], change: Any, verdict: str
) -> None:
    ready = events.EngineReady(heard_s=0, elapsed_ms=1, details={"decoder": change(said)})
    outbox.post(ready)
    window.bridge.deliver()
    assert window.controls.exactness.isVisible()
    assert window.controls.exactness.text() == verdict
    assert "15 of 30" in window.controls.exit.text()
    assert policy(change(said)["exit_policy"]) in window.controls.exit.text()


def test_a_click_opens_the_certificate_and_it_can_be_copied(
    window: MainWindow, outbox: Outbox, said: dict[str, Any], qtbot: QtBot
) -> None:
    outbox.post(events.EngineReady(heard_s=0, elapsed_ms=1, details={"decoder": said}))
    window.bridge.deliver()
    qtbot.mouseClick(window.controls.exactness, Qt.MouseButton.LeftButton)
    assert window.certificate.isVisible()
    shown = " ".join(label.text() for label in window.certificate.findChildren(QLabel))
    for fact in (said["model"], said["sha256"][:16], "8,192 of 49,152", said["system_info"]):
        assert fact in shown
    copy = next(b for b in window.certificate.findChildren(QPushButton) if "Copy" in b.text())
    qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == window.certificate.text
    assert window.certificate.text.startswith("exact: Checked on this machine")


def test_what_differs_is_told_with_its_margin(said: dict[str, Any]) -> None:
    told = dict(certificate.rows(rounding(said)))["Bit-equal"]
    assert "batches of 2, 3 against single steps" in told
    assert "not at 4, 5, 8 (margin 0.037 in a logit)" in told


def test_what_was_left_out_is_told(said: dict[str, Any]) -> None:
    assert said["problems"] == []
    problem = "The exit adapter a.gguf is left out (it ends early): train it again or delete it"
    assert ("Left out", problem) in certificate.rows({**said, "problems": [problem]})
