"""The blind trial in the window by real clicks and keys, with the real engine for one question."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.trial import dialog as trial_dialog
from app.trial.dialog import FeelIt
from engine import commands, events
from engine.evaluation.conversations.blind_trial import ROUNDS, Stage
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import Settings

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(qtbot: QtBot, outbox: Outbox) -> Iterator[MainWindow]:
    window = MainWindow(outbox)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    yield window
    window.close()


def opened(qtbot: QtBot, window: MainWindow) -> FeelIt:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=30_000)
    QTest.keyClick(window, Qt.Key.Key_F)
    feel_it = window.feel_it
    qtbot.waitExposed(feel_it)
    return feel_it


def answer(feel_it: FeelIt, ms: float) -> list[tuple[str, ...]]:
    """The engine answers one question; what was on the page at each step."""
    trial = feel_it._trial
    assert trial is not None
    feel_it._gap.stop()
    feel_it._listen()
    seen = []
    for event in (
        events.SourceOpened(heard_s=0, name="q", kind="file", seconds=3.0),
        events.AudioHeard(heard_s=0.5, low=-0.5, high=0.5, p_speech=1.0, speech=True),
        events.TurnCommitted(heard_s=1.0, turn=1, text="How?", from_branch=True),
        events.ReplyServed(heard_s=1.1, turn=1, text="Yes."),
        events.TurnAccounted(
            heard_s=1.2,
            turn=1,
            triggered=True,
            from_branch=True,
            extra_starts=0,
            hidden_ms=0.0,
            visible_ms=0.0,
            wasted_ms=0.0,
            post_confirmation_ttft_ms=0.0,
            without_pads_ttft_ms=0.0,
            perceived_ttft_ms=ms,
        ),
        events.SourceEnded(heard_s=1.3, reason="closed"),
    ):
        feel_it.take(event)
        seen.append(tuple(label.text() for label in feel_it.findChildren(QLabel)))
    return seen


def ready() -> events.EngineReady:
    return events.EngineReady(heard_s=0, elapsed_ms=1, details={})


def test_a_visitor_answers_four_questions_and_sees_what_was_measured(
    qtbot: QtBot, window: MainWindow, outbox: Outbox, sent: list[Any]
) -> None:
    feel_it = opened(qtbot, window)
    assert not feel_it.recorded.isEnabled()
    outbox.post(ready())
    window.bridge.deliver()
    assert "No visitor" in feel_it.results.words.text()
    qtbot.mouseClick(feel_it.recorded, LEFT)
    assert sent == [commands.SwitchVoice(on=False, listening="speaker")]
    for _ in range(ROUNDS):
        trial = feel_it._trial
        assert trial is not None
        pages = []
        for interval in (1, 2):
            on = trial._now.pads_in == interval
            assert not feel_it.answers[1].choose.isEnabled()
            pages.append(answer(feel_it, 600.0 if on else 750.0))
        assert trial.stage is Stage.CHOOSING
        assert not any("PADS" in words for page in pages[0] for words in page[2:])
        QTest.keyClick(feel_it, str(trial._now.pads_in))
        qtbot.waitUntil(lambda t=trial: t.stage is not Stage.CHOOSING)
    assert "In 4 of 4 questions" in feel_it.summary.text()
    assert "100% [51%, 100%] (measured" in feel_it.summary.text()
    assert "600 ms with PADS and 750 ms without, 150 ms earlier" in feel_it.summary.text()
    assert "Question 1: 600 ms with PADS, 750 ms without (measured)" in (
        feel_it.reveal.accessibleDescription()
    )
    assert sent[-3:] == [
        commands.CloseSource(),
        commands.SwitchVoice(on=False, listening="speaker"),
        commands.SwitchPads(on=True),
    ]
    kept = [json.loads(line) for line in feel_it.results.book.file.read_text().splitlines()]
    assert len(kept) == ROUNDS
    assert all("How?" not in str(line) for line in kept)


def test_results_are_reset_with_a_copy_undone_and_exported(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.feel_it.take(ready())
    feel_it = opened(qtbot, window)
    qtbot.mouseClick(feel_it.recorded, LEFT)
    for _ in range(ROUNDS):
        for _ in (1, 2):
            answer(feel_it, 500.0)
        qtbot.mouseClick(feel_it.answers[2].choose, LEFT)
    qtbot.mouseClick(feel_it.again, LEFT)
    results = feel_it.results
    assert "All visitors so far (1)" in results.words.text()
    results.save_as(tmp_path / "out.csv")
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 1 + ROUNDS
    qtbot.mouseClick(results.reset, LEFT)
    assert "No visitor" in results.words.text()
    assert "is kept in" in results.message.text()
    assert not results.export.isEnabled()
    qtbot.mouseClick(results.undo, LEFT)
    assert "All visitors so far (1)" in results.words.text()
    results.save_as(tmp_path / "no-such-folder" / "out.csv")
    assert "cannot be written" in results.message.text()


def test_a_trial_broken_off_keeps_nothing_and_puts_the_engine_back(
    qtbot: QtBot, window: MainWindow, sent: list[Any]
) -> None:
    window.feel_it.take(ready())
    feel_it = opened(qtbot, window)
    qtbot.mouseClick(feel_it.spoken, LEFT)
    assert "Ask any question" in feel_it.asked.text()
    answer(feel_it, 500.0)
    QTest.keyClick(feel_it, Qt.Key.Key_Escape)
    assert feel_it.isVisible()
    assert feel_it.recorded.isVisible()
    assert sent[-1] == commands.SwitchPads(on=True)
    assert not feel_it.results.book.choices()
    qtbot.mouseClick(feel_it.recorded, LEFT)
    feel_it._gap.stop()
    feel_it._listen()
    feel_it.take(events.SourceEnded(heard_s=0, reason="The recording is gone: install it again"))
    assert feel_it.results.message.text() == "The recording is gone: install it again"
    QTest.keyClick(feel_it, Qt.Key.Key_Escape)
    assert not feel_it.isVisible()


@pytest.mark.usefixtures("models")
def test_one_question_is_answered_twice_by_the_real_engine(
    qtbot: QtBot, window: MainWindow, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial_dialog, "ROUNDS", 1)
    session = Session(Settings(), outbox, log_folder=None)
    window.command.connect(session.send)
    window.bridge.start()
    session.start()
    try:
        feel_it = opened(qtbot, window)
        qtbot.waitUntil(feel_it.recorded.isEnabled, timeout=120_000)
        qtbot.mouseClick(feel_it.recorded, LEFT)
        both = feel_it.answers
        qtbot.waitUntil(both[1].choose.isEnabled, timeout=150_000)
        assert both[1].reply.text() == both[2].reply.text() != ""
        qtbot.mouseClick(both[1].choose, LEFT)
        assert "All visitors so far (1)" in feel_it.summary.text()
    finally:
        assert session.stop(10)
        window.bridge.stop()
    (choice,) = feel_it.results.book.choices()
    assert min(choice.with_ms, choice.without_ms) > 0


def test_every_control_has_a_name_and_is_reached_by_keys(window: MainWindow) -> None:
    feel_it = window.feel_it
    controls = [feel_it.recorded, feel_it.spoken, feel_it.again, feel_it.results.export]
    controls += [feel_it.results.reset, feel_it.results.undo]
    controls += [answer.choose for answer in feel_it.answers.values()]
    for control in controls:
        assert control.accessibleName()
        assert "&" not in control.accessibleName()
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus
