"""Scroll, zoom, freeze and inspect: real clicks, wheel and keys on a recorded conversation."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QColor, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app import theme
from app.main_window import MainWindow
from app.panels.lanes import LANES
from app.panels.profiler import Profiler
from app.panels.work import row
from engine import events
from engine.evaluation.conversations.comparison import read_events
from engine.events import Event
from engine.history.blocks import Fate, Mark, MarkKind, Reply, Verdict, Work
from engine.history.timeline import KEEP_S, Timeline

Key = Qt.Key


@pytest.fixture(scope="module")
def recorded(compared: Path) -> tuple[Event, ...]:
    """Three turns of a demo that the engine heard, one in which it hid work in a pause."""
    return tuple(read_events(compared / "on.jsonl"))


def feed(window: MainWindow, facts: tuple[Event, ...]) -> None:
    for fact in facts:
        window.timeline.take(fact)
    draw(window)


def draw(window: MainWindow) -> None:
    window.profiler.redraw()
    window.profiler.repaint()


@pytest.fixture
def profiler(window: MainWindow, recorded: tuple[Event, ...]) -> Profiler:
    feed(window, recorded)
    window.profiler.setFocus()
    return window.profiler


def x_of(profiler: Profiler, at_s: float) -> float:
    lane, view = profiler.lane("audio"), profiler.view
    return lane.left() + (at_s - view.from_s) / view.span_s * lane.width()


def place(profiler: Profiler, at_s: float, lane: str) -> QPoint:
    return QPoint(round(x_of(profiler, at_s)), round(profiler.lane(lane).center().y()))


def wheel(profiler: Profiler, at: QPoint, notches: int, sideways: int = 0) -> None:
    event = QWheelEvent(
        QPointF(at),
        QPointF(profiler.mapToGlobal(at)),
        QPoint(),
        QPoint(120 * sideways, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(profiler, event)


def test_the_wheel_zooms_around_the_pointer_and_scrolls_sideways(profiler: Profiler) -> None:
    middle = profiler.timeline.now_s - 6.0
    at = place(profiler, middle, "audio")
    under_s = profiler.view.from_s + profiler.view.span_s * (
        (at.x() - profiler.lane("audio").left()) / profiler.lane("audio").width()
    )
    wheel(profiler, at, 3)
    assert profiler.view.span_s == pytest.approx(12.0 * 0.8**3)
    assert x_of(profiler, under_s) == pytest.approx(at.x(), abs=0.01)
    assert profiler.view.frozen
    before_s = profiler.view.from_s
    wheel(profiler, at, 0, sideways=2)
    assert profiler.view.from_s == pytest.approx(before_s - 0.2 * profiler.view.span_s)


def test_keys_zoom_scroll_and_go_to_both_ends(qtbot: QtBot, profiler: Profiler) -> None:
    view, control = profiler.view, Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(profiler, Key.Key_Plus, control)
    assert view.span_s == pytest.approx(12.0 * 0.8)
    qtbot.keyClick(profiler, Key.Key_Minus, control)
    assert view.span_s == pytest.approx(12.0)
    assert not view.frozen
    newest_s = view.to_s
    qtbot.keyClick(profiler, Key.Key_Left)
    assert view.to_s == pytest.approx(newest_s - 1.2)
    qtbot.keyClick(profiler, Key.Key_Right)
    assert view.to_s == pytest.approx(newest_s)
    qtbot.keyClick(profiler, Key.Key_Home)
    assert view.from_s == pytest.approx(0.0)
    for key in (Key.Key_End, Key.Key_L):
        qtbot.keyClick(profiler, Key.Key_Home)
        qtbot.keyClick(profiler, key)
        assert view.to_s == newest_s
        assert not view.frozen


def test_dragging_scrolls_and_selects_nothing(qtbot: QtBot, profiler: Profiler) -> None:
    lane, view = profiler.lane("audio"), profiler.view
    from_s = view.from_s
    start = lane.center().toPoint()
    left = Qt.MouseButton.LeftButton
    qtbot.mousePress(profiler, left, pos=start)
    qtbot.mouseMove(profiler, start + QPoint(100, 0))
    qtbot.waitUntil(lambda: view.from_s != from_s, timeout=30_000)
    qtbot.mouseRelease(profiler, left, pos=start + QPoint(100, 0))
    assert view.from_s == pytest.approx(from_s - 100 * view.span_s / lane.width())
    assert profiler.turn is None


def amid_speech(facts: tuple[Event, ...]) -> int:
    """About the middle, where nothing is told afterwards of a pause that has begun already."""
    heard = [i for i, fact in enumerate(facts) if isinstance(fact, events.AudioHeard)]
    before = [(heard[n], heard[n - 30 : n]) for n in range(30, len(heard))]  # for a second
    spoken = [i for i, second in before if all(facts[n].speech for n in second)]
    return min(spoken, key=lambda i: abs(i - len(facts) // 2))


def test_space_freezes_while_the_conversation_goes_on(
    qtbot: QtBot, window: MainWindow, recorded: tuple[Event, ...]
) -> None:
    profiler, half = window.profiler, amid_speech(recorded)
    feed(window, recorded[:half])
    profiler.setFocus()
    qtbot.keyClick(profiler, Key.Key_Space)
    stood = profiler.view.from_s, profiler.view.to_s
    draw(window)
    audio = profiler.lane("audio").toRect()
    audio.setWidth(audio.width() - 20)  # the newest chunk is finished by what comes after it
    picture = profiler.grab(audio).toImage()
    feed(window, recorded[half:])
    assert (profiler.view.from_s, profiler.view.to_s) == stood
    assert profiler.timeline.now_s > stood[1] + 5
    assert profiler.grab(audio).toImage() == picture
    assert profiler.inspector.freeze.text() == "● frozen"
    qtbot.mouseClick(profiler.inspector.live, Qt.MouseButton.LeftButton)
    draw(window)
    assert not profiler.view.frozen
    assert profiler.view.to_s == pytest.approx(profiler.timeline.now_s, abs=0.5)
    assert profiler.inspector.freeze.text() == "Freeze"
    assert profiler.grab(audio).toImage() != picture


def test_another_source_is_followed_from_its_start(qtbot: QtBot, window: MainWindow) -> None:
    profiler = window.profiler
    feed(window, (events.AudioHeard(heard_s=40, low=0, high=0, p_speech=0, speech=False),))
    qtbot.keyClick(profiler, Key.Key_Space)
    feed(window, (events.SourceOpened(heard_s=0, name="x", kind="file", seconds=1.0),))
    assert not profiler.view.frozen
    assert profiler.view.to_s == 0.0


def holds(profiler: Profiler, number: int) -> bool:
    turn = profiler.timeline.turn(number)
    assert turn is not None
    return profiler.view.from_s <= turn.start_s and turn.end_s <= profiler.view.to_s


def test_a_click_on_a_turn_fits_it_and_page_keys_go_on(qtbot: QtBot, profiler: Profiler) -> None:
    turns = list(profiler.timeline.turns)
    assert len(turns) >= 3
    last = turns[-1]
    click = place(profiler, last.end_s - 0.2, "turn end")
    qtbot.mouseClick(profiler, Qt.MouseButton.LeftButton, pos=click)
    assert profiler.turn == last.number
    assert holds(profiler, last.number)
    assert profiler.view.span_s < 1.2 * (last.end_s - last.start_s) + 0.3
    seen = [last.number]
    for _ in turns:
        qtbot.keyClick(profiler, Key.Key_PageUp)
        assert profiler.turn is not None
        assert holds(profiler, profiler.turn)
        seen.append(profiler.turn)
    assert seen == [turn.number for turn in reversed(turns)] + [turns[0].number]
    qtbot.keyClick(profiler, Key.Key_PageDown)
    assert profiler.turn == turns[1].number
    assert profiler.inspector.words.text().startswith(f"Turn {turns[1].number}")
    qtbot.keyClick(profiler, Key.Key_Escape)
    assert profiler.turn is None


def test_enter_selects_the_turn_of_the_explained_block(qtbot: QtBot, profiler: Profiler) -> None:
    qtbot.keyClick(profiler, Key.Key_Home)
    qtbot.keyClick(profiler, Key.Key_Down)
    assert profiler.explained is not None
    qtbot.keyClick(profiler, Key.Key_Return)
    assert profiler.turn == profiler.explained.turn == profiler.timeline.turns[0].number
    assert holds(profiler, profiler.turn)


def test_pointing_at_hidden_work_says_what_it_saved(qtbot: QtBot, profiler: Profiler) -> None:
    hidden = [work for work in profiler.timeline.work if work.fate is Fate.HIDDEN]
    work = max(hidden, key=lambda work: work.ms)  # what is shorter than a pixel is hard to point at
    profiler.view.fit(work.start_s - 1.0, work.end_s + 1.0)
    profiler.repaint()
    deep = row(profiler.lane("decoder"), "deep")
    inside = QPoint(
        round(x_of(profiler, (work.start_s + work.end_s) / 2)), round(deep.center().y())
    )
    qtbot.mouseMove(profiler, inside)
    qtbot.waitUntil(lambda: profiler.explained is work, timeout=30_000)
    words = profiler.inspector.words.text()
    assert words.startswith(f"{work.ms:.0f} ms of deep work hidden in your pause [measured")
    assert words.endswith("without PADS it would have been waited for [derived].")
    qtbot.mouseMove(profiler, QPoint(2, 2))
    qtbot.waitUntil(lambda: profiler.explained is None, timeout=30_000)


def test_keys_explain_every_block_to_eyes_and_to_screen_readers(
    qtbot: QtBot, window: MainWindow, profiler: Profiler
) -> None:
    window.resize(window.minimumSize())
    QApplication.processEvents()
    interface = QAccessible.queryAccessibleInterface(profiler)
    assert interface.text(QAccessible.Text.Name) == "Conversation profiler"
    blocks = profiler.timeline.blocks()
    assert {type(block) for block in blocks} >= {Work, Verdict, Reply}
    label = profiler.inspector.words
    qtbot.keyClick(profiler, Key.Key_Home)
    for block in blocks:
        qtbot.keyClick(profiler, Key.Key_Down)
        assert profiler.explained is block
        assert profiler.view.from_s <= block.start_s <= profiler.view.to_s
        assert "[measured" in label.text()
        assert interface.text(QAccessible.Text.Description) == label.text()
        assert label.heightForWidth(label.width()) <= label.height(), label.text()
    qtbot.keyClick(profiler, Key.Key_Up)
    assert profiler.explained is blocks[-2]


def test_the_buttons_have_names_and_come_after_the_lanes(
    qtbot: QtBot, window: MainWindow, profiler: Profiler
) -> None:
    at: QWidget = profiler
    for button in (profiler.inspector.freeze, profiler.inspector.live):
        qtbot.keyClick(at, Key.Key_Tab)
        assert window.focusWidget() is button
        assert button.accessibleName()
        at = button
    qtbot.keyClick(at, Key.Key_PageUp)
    assert profiler.turn is not None


@pytest.mark.parametrize(
    ("kind", "colour"), [(MarkKind.TRIGGER, theme.TEXT), (MarkKind.COMMIT, theme.HIDDEN)]
)
def test_every_lane_is_marked(profiler: Profiler, kind: MarkKind, colour: QColor) -> None:
    marks = profiler.timeline.marks
    # A turn may be committed at the moment of its trigger: of two marks in one place one is seen.
    mark = next(m for m in marks if m.kind is kind and sum(near(m, other) for other in marks) == 1)
    profiler.view.fit(mark.at_s - 2, mark.at_s + 2)
    image = profiler.grab().toImage()
    x = round(x_of(profiler, mark.at_s))
    for name in LANES:
        assert image.pixelColor(x, round(profiler.lane(name).top()) + 2) == colour, name


def near(one: Mark, other: Mark) -> bool:
    return abs(one.at_s - other.at_s) < 0.02


def _size(timeline: Timeline) -> int:
    lanes = (timeline.work, timeline.replies, timeline.verdicts, timeline.marks, timeline.turns)
    tracks = (timeline.audio, timeline.turn_end)
    rows = sum(len(track._rows) for track in tracks)
    return rows + sum(map(len, lanes)) + len(timeline._branches)


def test_an_hour_needs_the_memory_of_ten_minutes(recorded: tuple[Event, ...]) -> None:
    opened = next(i for i, fact in enumerate(recorded) if isinstance(fact, events.SourceOpened))
    once = recorded[opened + 1 :]
    length_s = max(fact.heard_s for fact in once) + 1.0
    timeline, sizes = Timeline(), dict[int, int]()
    repetitions = int(6 * KEEP_S / length_s)
    for again in range(repetitions):
        for fact in once:
            timeline.take(_later(fact, again, length_s))
        sizes[again] = _size(timeline)
    # The rows' arrays double until they hold ten minutes twice.
    settled = sizes[repetitions // 2]
    assert settled > sizes[0]
    assert max(sizes.values()) <= 1.01 * settled


def _later(fact: Event, again: int, length_s: float) -> Event:
    """The event of the conversation's `again`-th repetition."""
    by_s = again * length_s
    moved = {
        name: getattr(fact, name) + step
        for name, step in (
            ("heard_s", by_s),
            ("start_s", by_s),
            ("onset_s", by_s),
            ("turn", 100 * again),
            ("branch", 1000 * again),
        )
        if hasattr(fact, name)
    }
    return replace(fact, **moved)
