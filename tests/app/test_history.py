"""Past sessions in the window, by real clicks, over a real session."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app import picture
from app.main_window import MainWindow
from engine import events, paths
from engine.history import recording
from engine.outbox import Outbox

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def session(recorded: Path, home: Path) -> Path:
    folder = paths.sessions() / recorded.name
    shutil.copytree(recorded, folder)
    return folder


def listed(qtbot: QtBot, window: MainWindow) -> None:
    action = next(a for a in window.menus.file.actions() if "History" in a.text())
    assert action.shortcut().toString() == "Ctrl+H"
    action.trigger()
    qtbot.waitUntil(lambda: window.history.isVisible() and not window.history.busy, timeout=20_000)


def opened(qtbot: QtBot, window: MainWindow) -> None:
    listed(qtbot, window)
    QTest.mouseClick(window.history.reopen, LEFT)
    qtbot.waitUntil(lambda: window.past is not None, timeout=20_000)


def test_a_past_session_is_opened_marked_and_left_again(
    qtbot: QtBot, window: MainWindow, outbox: Outbox, session: Path
) -> None:
    live = window.pages.currentWidget()
    opened(qtbot, window)
    assert not window.history.isVisible()
    past = window.past
    assert past is not None
    assert window.pages.currentWidget() is past
    assert past.words.isVisible()
    assert past.words.text().startswith("Past session of")
    assert "first turn.wav" in past.words.text()
    (one,) = recording.read(session).conversations
    assert past.profiler.timeline.blocks() == one.timeline.blocks()
    assert past.profiler.view.from_s <= 0
    assert past.profiler.view.to_s >= one.timeline.now_s
    assert "measured" in past.headline.first_word.words.text()
    assert past.ladder.strip.tokens
    assert not past.play.isVisible()
    # The live conversation goes on behind it.
    outbox.post(events.AudioHeard(heard_s=0.5, low=-0.5, high=0.5, p_speech=1, speech=True))
    window.bridge.deliver()
    assert window.timeline.now_s == 0.5
    QTest.mouseClick(past.back, LEFT)
    assert window.past is None
    assert window.pages.currentWidget() is live


def test_a_new_source_shows_the_live_conversation(
    qtbot: QtBot, window: MainWindow, outbox: Outbox, session: Path
) -> None:
    opened(qtbot, window)
    outbox.post(events.SourceOpened(heard_s=0, name="mic", kind="microphone", seconds=None))
    window.bridge.deliver()
    assert window.past is None


def test_the_list_tells_what_was_in_a_session(
    qtbot: QtBot, window: MainWindow, session: Path
) -> None:
    damaged = session.with_name("2020-01-01T00-00-00Z")
    damaged.mkdir()
    (damaged / "manifest.json").write_text("not JSON")
    listed(qtbot, window)
    table = window.history.table
    rows = [
        [table.item(row, column).text() for column in range(table.columnCount())]  # type: ignore[union-attr]
        for row in range(table.rowCount())
    ]
    hidden = sum(a.hidden_ms for a in recording.read(session).conversations[0].accounts.values())
    assert rows[0][1:4] == ["first turn.wav", "1", f"{hidden:.0f} ms (measured)"]
    assert rows[0][5] == "complete"
    assert (rows[1][1], rows[1][5]) == ("nothing", "damaged")
    table.setCurrentCell(1, 0)
    assert not window.history.reopen.isEnabled()
    assert window.history.delete.isEnabled()


def test_damage_is_said_where_the_session_is_shown(
    qtbot: QtBot, window: MainWindow, session: Path
) -> None:
    file = session / "events.jsonl"
    file.write_bytes(file.read_bytes()[:-5])
    opened(qtbot, window)
    assert window.past is not None
    assert window.past.damage.isVisible()
    assert "could not be read" in window.past.damage.text()


def test_deleting_is_asked_for_and_can_be_thought_better_of(
    qtbot: QtBot, window: MainWindow, session: Path
) -> None:
    shutil.copytree(session, session.with_name("2020-01-01T00-00-00Z"))
    listed(qtbot, window)
    dialog = window.history
    QTest.mouseClick(dialog.delete, LEFT)
    assert session.name in dialog.question.text()
    QTest.mouseClick(dialog.keep, LEFT)
    assert session.exists()
    QTest.mouseClick(dialog.delete, LEFT)
    QTest.mouseClick(dialog.sure, LEFT)
    qtbot.waitUntil(lambda: not dialog.busy and dialog.table.rowCount() == 1, timeout=20_000)
    assert not session.exists()
    QTest.mouseClick(dialog.clear, LEFT)
    QTest.mouseClick(dialog.sure, LEFT)
    assert list(paths.sessions().iterdir()) == []
    assert "Nothing has been recorded" in dialog.status.text()


@pytest.mark.parametrize("kind", ["html", "csv", "trace", "png"])
def test_every_export_is_written_from_the_list(
    qtbot: QtBot, window: MainWindow, session: Path, tmp_path: Path, kind: str
) -> None:
    listed(qtbot, window)
    out = tmp_path / f"out.{kind}"
    window.history.export_to(kind, out)
    qtbot.waitUntil(lambda: not window.history.busy, timeout=20_000)
    assert window.history.status.text() == f"Exported to {out}"
    assert out.stat().st_size > 500
    window.history.export_to(kind, tmp_path / "missing" / "out")
    qtbot.waitUntil(lambda: not window.history.busy, timeout=20_000)
    assert "cannot be written" in window.history.status.text()


@pytest.mark.usefixtures("qtbot")
def test_the_picture_shows_the_session(session: Path, tmp_path: Path) -> None:
    picture.write(recording.read(session), tmp_path / "whole.png")
    lines = (session / "events.jsonl").read_text("utf-8").splitlines(keepends=True)
    quiet = [
        line
        for line in lines
        if json.loads(line)["type"] in ("engine_ready", "source_opened", "source_ended")
    ]
    (session / "events.jsonl").write_text("".join(quiet), "utf-8")
    picture.write(recording.read(session), tmp_path / "empty.png")
    whole, empty = QImage(str(tmp_path / "whole.png")), QImage(str(tmp_path / "empty.png"))
    assert whole.size() == empty.size()
    assert whole.width() == 1600
    assert whole != empty


def test_the_running_session_can_be_exported_but_not_deleted(
    qtbot: QtBot, window: MainWindow, session: Path, tmp_path: Path
) -> None:
    file = session / "manifest.json"
    own = {"status": "running", "process": os.getpid()}
    own |= {"process_started": psutil.Process().create_time()}
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | own), "utf-8")
    listed(qtbot, window)
    state = window.history.table.item(0, 5)
    assert state is not None
    assert state.text() == "being recorded"
    assert not window.history.delete.isEnabled()
    assert not window.history.clear.isEnabled()
    window.history.export_to("html", tmp_path / "now.html")
    qtbot.waitUntil(lambda: not window.history.busy, timeout=20_000)
    assert "first turn.wav" in (tmp_path / "now.html").read_text("utf-8")


def test_a_session_with_sound_offers_to_play_it(
    qtbot: QtBot, window: MainWindow, session: Path
) -> None:
    kept = events.SoundRecorded(heard_s=1.0, file="../sound-1.wav", on=True)
    with (session / "events.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps(events.to_record(kept)) + "\n")
    opened(qtbot, window)
    past = window.past
    assert past is not None
    assert past.play.isVisible()
    (sound,) = past.recording.conversations[0].sounds
    assert sound.file == "sound-1.wav"  # whatever a log says, only from its own folder
    QTest.mouseClick(past.play, LEFT)
    qtbot.waitUntil(lambda: not past.playing, timeout=20_000)
    assert past.play.text() == "▶ Play the sound"
    assert past.damage.isVisible()  # the file is not there, or there is no loudspeaker
    assert "cannot be" in past.damage.text()


def test_the_view_is_saved_as_a_picture_live_and_past(
    qtbot: QtBot, window: MainWindow, session: Path, tmp_path: Path
) -> None:
    window.save_view_to(tmp_path / "live.png")
    opened(qtbot, window)
    window.save_view_to(tmp_path / "past.png")
    live, past = QImage(str(tmp_path / "live.png")), QImage(str(tmp_path / "past.png"))
    assert live.width() == past.width() == window.pages.width()
    assert live != past
    window.save_view_to(tmp_path / "missing" / "x.png")
    assert window.banner.isVisible()
    assert "cannot be written" in window.banner.words.text()
