"""Presenter mode by real keys, over the real engine and a real demo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app import theme
from app.main_window import MainWindow
from app.presenter.kiosk import ATTRACT_S, Phase
from engine import commands, events, paths
from engine.history.blocks import Fate
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import AppearanceSettings, Settings

Key = Qt.Key


@pytest.fixture
def window(qtbot: QtBot, outbox: Outbox) -> Iterator[MainWindow]:
    window = MainWindow(outbox)
    qtbot.addWidget(window)
    qtbot.addWidget(window.presenter)
    window.show()
    qtbot.waitExposed(window)
    yield window
    window.close()
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    theme.apply(application)


def present(qtbot: QtBot, window: MainWindow) -> QWidget:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Key.Key_F11)
    qtbot.waitUntil(window.presenter.isVisible)
    qtbot.waitExposed(window.presenter)
    return window.presenter


def tell(window: MainWindow, outbox: Outbox, *told: events.Event) -> None:
    for event in told:
        outbox.post(event)
    window.bridge.deliver()


def opened(kind: str) -> events.SourceOpened:
    return events.SourceOpened(heard_s=0, name="it", kind=kind, seconds=None)


def test_f11_fills_the_screen_in_high_contrast_and_escape_gives_the_window_back(
    qtbot: QtBot, window: MainWindow
) -> None:
    look, size = theme.BACKGROUND.name(), window.font().pixelSize()
    presenter = present(qtbot, window)
    assert not window.isVisible()
    assert presenter.size() == presenter.screen().size()
    assert theme.BACKGROUND.name() == "#000000"
    assert presenter.font().pixelSize() > 1.5 * size
    QTest.keyClick(presenter, Key.Key_Escape)
    assert not presenter.isVisible()
    assert window.isVisible()
    assert theme.BACKGROUND.name() == look
    QTest.keyClick(window, Key.Key_F11)
    QTest.keyClick(presenter, Key.Key_F11)
    assert window.isVisible()


@pytest.mark.usefixtures("models")
def test_the_next_demo_is_played_and_its_hidden_work_counted_beneath_the_pause(
    qtbot: QtBot, window: MainWindow, outbox: Outbox
) -> None:
    presenter = window.presenter
    session = Session(Settings(), outbox, log_folder=None)
    window.command.connect(session.send)
    accounts: list[events.TurnAccounted] = []
    said: list[str] = []
    early: list[str] = []

    def see(event: events.Event) -> None:
        match event:
            case events.TurnAccounted():
                accounts.append(event)
            case events.TurnCommitted():
                said.append(presenter.words.said.text())
            case events.BranchStarted(speculative=True):
                early.append(presenter.counter.meaning.text())

    window.bridge.listen(event=see)
    window.bridge.start()
    session.start()
    try:
        qtbot.waitUntil(window.controls.start.isEnabled, timeout=120_000)
        present(qtbot, window)
        empty = presenter.profiler.grab().toImage()
        QTest.keyClick(presenter, Key.Key_N)
        qtbot.waitUntil(lambda: bool(accounts), timeout=120_000)
        qtbot.waitUntil(lambda: presenter.headline.first_word.value.text() != "–", timeout=5_000)
    finally:
        assert session.stop(10)
        window.bridge.stop()
    account = accounts[-1]
    assert set(early) == {"working inside your pause …"}
    assert presenter.counter.value.text() == f"{account.hidden_ms:.0f} ms"
    assert "measured" in presenter.counter.note.text()
    assert "cactus" in said[0]
    assert len(presenter.words.answered.text()) > len("Answer: …")
    assert presenter.profiler.grab().toImage() != empty
    assert presenter.ladder.strip.tokens


def test_a_pause_is_a_band_through_the_lanes(qtbot: QtBot, window: MainWindow) -> None:
    presenter = present(qtbot, window)
    assert isinstance(presenter, type(window.presenter))
    timeline = window.timeline

    def picture() -> QImage:
        presenter.profiler.redraw()
        return presenter.profiler.grab(presenter.profiler.lane("decoder").toRect()).toImage()

    quiet = {"low": 0.0, "high": 0.0}
    for chunk in range(60):
        speech = chunk < 30
        timeline.take(
            events.AudioHeard(heard_s=chunk * 0.032, p_speech=0.0, speech=speech, **quiet)
        )
    before = picture()
    gate = {"p_end": 0.9, "p_deep": 0.9, "theta_end": 0.4, "theta_deep": 0.5, "gate_ms": 200.0}
    timeline.take(
        events.DialogueActJudged(heard_s=1.1, turn=1, act="question", p_act=0.9, p_deep=0.9)
    )
    timeline.take(
        events.GateDecided(heard_s=1.1, turn=1, onset_s=0.96, triggered=True, reason="both", **gate)
    )
    assert picture() != before


def test_discarded_work_is_shown_as_thrown_away_and_nothing_is_a_dialog(
    qtbot: QtBot, window: MainWindow, outbox: Outbox
) -> None:
    presenter = window.presenter
    present(qtbot, window)
    worked = {"turn": 1, "branch": 4, "depth": "deep", "head_ms": 30.0, "tail_ms": 70.0}
    tell(
        window,
        outbox,
        opened("file"),
        events.BranchStarted(heard_s=1.0, turn=1, branch=4, speculative=True),
        events.DecoderWorked(heard_s=1.1, start_s=1.0, tokens=3, **worked),
    )
    assert presenter.counter.value.text() == "100 ms"
    assert [w.fate for w in window.timeline.work] == [Fate.PENDING]
    tell(
        window,
        outbox,
        events.BranchDiscarded(heard_s=1.2, turn=1, branch=4, reason="speech went on"),
        events.Problem(heard_s=1.3, message="The microphone is quiet: turn it up"),
    )
    assert "thrown away" in presenter.counter.meaning.text()
    assert presenter.counter.note.text().startswith("speech went on: nothing of it was shown")
    assert presenter.problem.isVisible()
    assert presenter.problem.text() == "The microphone is quiet: turn it up"
    assert QApplication.activeModalWidget() is None
    tell(window, outbox, opened("file"))
    assert not presenter.problem.isVisible()


def test_the_back_row_reads_who_is_at_it(qtbot: QtBot, window: MainWindow, outbox: Outbox) -> None:
    presenter = present(qtbot, window)
    large = presenter.counter.value
    assert large.text() == "PADS"
    height = large.height()

    def state(name: events.TurnState, turn: int = 1) -> None:
        tell(window, outbox, events.StateChanged(heard_s=1.0, turn=turn, state=name))

    tell(window, outbox, opened("file"))
    state(events.TurnState.SPEAKING)
    assert large.text() == "You speak"
    assert large.height() == height
    state(events.TurnState.PAUSING)
    assert large.text() == "You pause"
    tell(
        window,
        outbox,
        events.BranchStarted(heard_s=1.0, turn=1, branch=4, speculative=True),
        events.BranchDiscarded(heard_s=1.2, turn=1, branch=4, reason="speech went on"),
    )
    state(events.TurnState.SPEAKING)  # what was thrown away stays to be read
    assert "thrown away" in presenter.counter.meaning.text()
    state(events.TurnState.PAUSING)
    assert large.text() == "You pause"
    state(events.TurnState.SPEAKING, turn=2)
    assert large.text() == "You speak"


def test_a_turn_that_was_not_started_early_hid_nothing(
    qtbot: QtBot, window: MainWindow, outbox: Outbox
) -> None:
    presenter = window.presenter
    tell(
        window,
        outbox,
        opened("file"),
        events.TurnCommitted(heard_s=1.0, turn=1, text="It is red.", from_branch=False),
    )
    assert presenter.counter.value.text() == "0 ms"
    assert "not started early" in presenter.counter.note.text()
    worked = {"turn": 2, "branch": 7, "depth": "deep", "head_ms": 40.0, "tail_ms": 60.0}
    tell(
        window,
        outbox,
        events.BranchStarted(heard_s=5.0, turn=2, branch=7, speculative=True),
        events.TurnCommitted(heard_s=5.4, turn=2, text="How?", from_branch=True),
        # A step that straddles the turn's end is hidden as far as it lies before it.
        events.DecoderWorked(heard_s=5.5, start_s=5.3, tokens=3, **worked),
        events.DecoderWorked(heard_s=5.7, start_s=5.5, tokens=3, **worked),
    )
    assert presenter.counter.value.text() == "50 ms"


def test_m_silences_voice_and_microphone_and_opens_them_again(
    qtbot: QtBot, window: MainWindow, outbox: Outbox, sent: list[Any]
) -> None:
    presenter = present(qtbot, window)
    tell(window, outbox, opened("microphone"))
    QTest.keyClick(presenter, Key.Key_M)
    assert sent == [
        commands.SwitchVoice(on=False, listening="speaker"),
        commands.CloseSource(),
    ]
    assert "Muted" in window.presenter.keys.text()
    tell(window, outbox, events.SourceEnded(heard_s=1, reason="closed"))
    sent.clear()
    QTest.keyClick(presenter, Key.Key_M)
    assert commands.OpenMicrophone(name=None) in sent
    assert "Muted" not in window.presenter.keys.text()


def test_k_loops_with_the_attract_screen_and_any_key_or_click_interrupts(
    qtbot: QtBot, window: MainWindow, outbox: Outbox, sent: list[Any]
) -> None:
    presenter = window.presenter
    present(qtbot, window)
    now = [1000.0]
    presenter._clock = lambda: now[0]
    QTest.keyClick(presenter, Key.Key_K)
    window.bridge.deliver()
    assert presenter.attract.isVisible()
    assert presenter.attract.invitation == "Press any key"
    tell(window, outbox, opened(events.CHECK))
    assert presenter.attract.invitation == "Just speak, or press any key"
    first = presenter.attract.grab().toImage()
    now[0] += 3.0
    window.bridge.deliver()
    assert presenter.attract.grab().toImage() != first
    now[0] += ATTRACT_S
    window.bridge.deliver()
    assert sent[-1] == commands.OpenFile(path=str(paths.demo_recordings()[0]))
    assert not presenter.attract.isVisible()
    QTest.keyClick(presenter, Key.Key_Space)
    assert presenter.kiosk.phase is Phase.VISITOR
    assert sent[-1] == commands.OpenMicrophone(name=None)
    tell(window, outbox, events.SourceEnded(heard_s=0, reason="No microphone was found: connect"))
    assert presenter.problem.isVisible()
    QTest.keyClick(presenter, Key.Key_K)
    QTest.keyClick(presenter, Key.Key_K)
    window.bridge.deliver()
    assert presenter.attract.isVisible()
    QTest.mouseClick(presenter.attract, Qt.MouseButton.LeftButton)
    assert presenter.kiosk.phase is Phase.VISITOR
    QTest.keyClick(presenter, Key.Key_Escape)
    assert presenter.kiosk.phase is Phase.OFF


def test_no_words_are_clipped(qtbot: QtBot, window: MainWindow, outbox: Outbox) -> None:
    presenter = window.presenter
    present(qtbot, window)
    account: dict[str, Any] = {"extra_starts": 1, "hidden_ms": 1234.0, "visible_ms": 999.0}
    tell(
        window,
        outbox,
        opened("file"),
        events.Transcribed(heard_s=1, turn=1, text="word " * 60, final=True, elapsed_ms=1),
        events.ReplyServed(heard_s=2, turn=1, text="answer " * 60),
        events.TurnAccounted(
            heard_s=3,
            turn=1,
            triggered=True,
            from_branch=True,
            wasted_ms=500.0,
            post_confirmation_ttft_ms=0.0,
            without_pads_ttft_ms=1800.0,
            perceived_ttft_ms=700.0,
            **account,
        ),
    )
    QApplication.processEvents()
    assert presenter.width() == presenter.screen().size().width()
    labels = [label for label in presenter.findChildren(QLabel) if label.isVisible()]
    assert len(labels) > 10
    for label in labels:
        assert label.width() >= label.minimumSizeHint().width() or not label.wordWrap()
        assert label.height() >= label.heightForWidth(label.width()), label.text()
        wide = label.fontMetrics().horizontalAdvance(label.text())
        rich = label.textFormat() != Qt.TextFormat.PlainText
        assert label.wordWrap() or rich or label.width() >= wide, label.text()


@pytest.mark.parametrize("slow", [False, True])
def test_nothing_of_the_ladder_lies_over_another_part_on_a_laptops_screen(
    window: MainWindow, *, slow: bool
) -> None:
    presenter, ladder = window.presenter, window.presenter.ladder
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    look = replace(AppearanceSettings(), colours="high-contrast", text_percent=121)
    theme.apply(application, look)
    details = {"decoder": {"layers": 30, "exit_layer": 15, "exit_policy": "verified"}}
    token = events.TokenDecoded(
        heard_s=1,
        turn=1,
        branch=1,
        index=0,
        token=5,
        text=" extraordinarily",
        outcome=events.TokenOutcome.CORRECTED,
        layers_used=30,
        layers_total=30,
    )
    ladder.slow.setChecked(slow)
    presenter.resize(1366, 768)
    presenter.show()
    said = events.Transcribed(heard_s=1, turn=1, text="word " * 60, final=True, elapsed_ms=1)
    ready = events.EngineReady(heard_s=0, elapsed_ms=1, details=details)
    for event in (ready, opened("file"), said, token):
        presenter.take(event)
    presenter.problem.setText("No microphone was found: connect one, or play a demo")
    presenter.problem.show()
    ladder.redraw()
    QApplication.processEvents()
    parts = (ladder.rungs, ladder.words, ladder.token, ladder.strip, ladder.key)
    places = [part.geometry() for part in parts if part.isVisible()]
    assert len(places) == 4 + slow
    for upper, lower in pairwise(places):
        assert upper.bottom() < lower.top()
    for label in (ladder.words, ladder.token, ladder.key):
        assert not label.isVisible() or label.height() >= label.heightForWidth(label.width())
    assert places[-1].bottom() <= ladder.height()
    presenter.close()
