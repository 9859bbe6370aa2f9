"""The exit ladder and its readable speed, fed with what a decoder reports."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.pacing import STEP_S, Pacing
from app.panels.ladder import Ladder
from engine import events
from engine.events import TokenDecoded, TokenOutcome


def token(index: int, outcome: TokenOutcome, *, branch: int = 1) -> TokenDecoded:
    return TokenDecoded(
        heard_s=1.0 + index / 10,
        turn=1,
        branch=branch,
        index=index,
        token=100 + index,
        text=f" word{index}",
        outcome=outcome,
        layers_used=15 if outcome is TokenOutcome.KEPT else 30,
        layers_total=30,
    )


@pytest.fixture
def ladder(qtbot: QtBot) -> Ladder:
    ladder = Ladder()
    qtbot.addWidget(ladder)
    decoder = {"layers": 30, "exit_layer": 15, "exit_policy": "verified"}
    ladder.take(events.EngineReady(heard_s=0, elapsed_ms=1, details={"decoder": decoder}))
    ladder.show()
    qtbot.waitExposed(ladder)
    return ladder


def test_at_full_speed_all_that_came_is_shown(ladder: Ladder) -> None:
    for index, outcome in enumerate((TokenOutcome.DEEP, TokenOutcome.KEPT, TokenOutcome.CORRECTED)):
        ladder.take(token(index, outcome))
    ladder.redraw(0.0)
    assert [t.index for t in ladder.strip.tokens] == [0, 1, 2]
    assert "exit layer 15 of 30 · verified" in ladder.words.text()
    assert "1 of 2 checked drafts kept (50 %, measured)" in ladder.words.text()
    assert not ladder.token.isVisible()


def test_key_r_shows_tokens_one_by_one_and_their_figures_with_them(
    qtbot: QtBot, ladder: Ladder
) -> None:
    ladder.activateWindow()
    qtbot.waitUntil(ladder.isActiveWindow, timeout=30_000)
    QTest.keyClick(ladder, Qt.Key.Key_R)
    qtbot.waitUntil(ladder.slow.isChecked, timeout=30_000)
    for index, outcome in enumerate((TokenOutcome.DEEP, TokenOutcome.KEPT, TokenOutcome.CORRECTED)):
        ladder.take(token(index, outcome))
    ladder.redraw(10.0)
    ladder.redraw(10.0 + STEP_S / 2)
    assert [t.index for t in ladder.strip.tokens] == [0]
    assert "drafts kept" not in ladder.words.text()
    ladder.redraw(10.0 + STEP_S)
    assert [t.index for t in ladder.strip.tokens] == [0, 1]
    assert "1 of 1 checked drafts kept" in ladder.words.text()
    assert ladder.token.isVisible()
    assert ladder.token.text() == "“word1”: drafted and kept, layers used 15 of 30"
    QTest.keyClick(ladder, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: not ladder.slow.isChecked())
    ladder.redraw(10.0 + STEP_S)
    assert [t.index for t in ladder.strip.tokens] == [0, 1, 2]


def test_another_source_forgets_what_was_not_shown(ladder: Ladder) -> None:
    ladder.slow.setChecked(True)
    ladder.take(token(0, TokenOutcome.KEPT))
    ladder.take(events.SourceOpened(heard_s=0, name="a", kind="file", seconds=1.0))
    ladder.redraw(10.0)
    assert not ladder.strip.tokens
    assert "No token" in ladder.words.text()


def test_what_is_far_behind_is_not_waited_for() -> None:
    pacing = Pacing()
    pacing.slow = True
    for index in range(2000):
        pacing.add(token(index, TokenOutcome.DEEP))
    assert len(pacing) < 1000
    assert pacing.due(0.0)[0].index == 2000 - len(pacing) - 1
