"""The real window on a real screen, fed by the real engine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.display import virtual
from app.main_window import MainWindow
from app.panels.work import COLOURS, shape
from engine import commands, events
from engine.events import Evidence, Reading, VitalsRead
from engine.history.blocks import Fate
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import Settings
from engine.telemetry.vitals import VitalsReader

LANES = ("audio", "turn end", "verdict", "decoder", "reply")


@pytest.fixture
def window(qtbot: QtBot, outbox: Outbox) -> MainWindow:
    window = MainWindow(outbox, pads=True)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    return window


def pixels(window: MainWindow, lane: str) -> bytes:
    area: QRect = window.profiler.lane(lane).toRect()
    image = window.profiler.grab(area).toImage().convertToFormat(QImage.Format.Format_RGB32)
    return bytes(image.constBits())


@pytest.mark.usefixtures("models")
def test_every_lane_draws_what_the_engine_does_which_hears_on_while_the_view_is_frozen(
    qtbot: QtBot, window: MainWindow, outbox: Outbox, data: Path
) -> None:
    before = {lane: pixels(window, lane) for lane in LANES}
    ladder = window.ladder.rungs.grab().toImage()
    session = Session(Settings(), outbox, log_folder=None)
    window.command.connect(session.send)
    finished: list[events.Event] = []
    window.bridge.listen(
        event=lambda e: finished.append(e) if isinstance(e, events.ReplyFinished) else None
    )
    window.bridge.start()
    session.start()
    try:
        qtbot.waitUntil(window.controls.start.isEnabled, timeout=60_000)
        window.controls.open_file(data / "audio" / "livekit_weather_question.wav")
        qtbot.waitUntil(lambda: window.timeline.now_s > 1, timeout=30_000)
        profiler = window.profiler
        profiler.setFocus()
        qtbot.keyClick(profiler, Qt.Key.Key_Space)
        stood = profiler.view.from_s, profiler.view.to_s
        qtbot.waitUntil(lambda: bool(finished), timeout=60_000)
        assert (profiler.view.from_s, profiler.view.to_s) == stood
        assert window.timeline.replies
        qtbot.keyClick(profiler, Qt.Key.Key_L)
        qtbot.waitUntil(
            lambda: abs(profiler.view.to_s - window.timeline.now_s) < 0.5, timeout=30_000
        )
        assert profiler.view.to_s > stood[1]
        qtbot.waitUntil(lambda: "–" not in window.headline.first_word.value.text(), timeout=30_000)
    finally:
        assert session.stop(10)
        window.bridge.stop()
    unchanged = [lane for lane in LANES if pixels(window, lane) == before[lane]]
    assert not unchanged
    assert window.ladder.rungs.grab().toImage() != ladder
    assert window.ladder.strip.tokens
    assert window.headline.first_word.words.text().endswith("measured")
    assert window.headline.without.words.text().endswith("derived")


def test_a_missing_model_is_named_and_the_engine_starts_once_it_is_there(
    qtbot: QtBot,
    window: MainWindow,
    outbox: Outbox,
    models: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PADS_MODELS", str(tmp_path / "nothing-here"))
    session = Session(Settings(), outbox, log_folder=None)
    window.command.connect(session.send)
    window.bridge.start()
    session.start()
    try:
        qtbot.waitUntil(window.banner.isVisible, timeout=30_000)
        assert "pads models fetch" in window.banner.words.text()
        assert not window.controls.start.isEnabled()
        monkeypatch.setenv("PADS_MODELS", str(models))
        window.banner.retry.click()
        qtbot.waitUntil(window.controls.start.isEnabled, timeout=60_000)
        empty = tmp_path / "empty.wav"
        empty.touch()
        window.controls.open_file(empty)
        qtbot.waitUntil(window.banner.isVisible, timeout=30_000)
        assert "empty.wav" in window.banner.words.text()
        assert not window.banner.retry.isVisible()
    finally:
        assert session.stop(10)
        window.bridge.stop()


def test_silence_draws_no_decoder_work(window: MainWindow, outbox: Outbox) -> None:
    outbox.post(events.AudioHeard(heard_s=0.03, low=-0.1, high=0.1, p_speech=0, speech=False))
    window.bridge.deliver()
    area = window.profiler.lane("decoder").toRect()
    image = window.profiler.grab(area).toImage()
    work = {colour.rgb() for colour in COLOURS.values()}
    drawn = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
    assert not drawn & work


def test_a_sensor_that_is_missing_is_never_a_zero(window: MainWindow, outbox: Outbox) -> None:
    missing = Reading(value=None, unit="°C", evidence=Evidence.UNAVAILABLE, reason="no sensor here")
    real = VitalsReader().read()
    fields = {name: getattr(real, name) for name in VitalsRead.__slots__}
    outbox.show(VitalsRead(**{**fields, "temperature": missing}))
    window.bridge.deliver()
    assert window.vitals.temperature.value.text() == "—"
    assert "unavailable: no sensor here" in window.vitals.temperature.words.text()
    assert window.vitals.memory.value.text().endswith(("MB", "GB"))


def test_a_problem_is_a_banner_and_a_failed_start_can_be_retried(
    qtbot: QtBot, window: MainWindow, outbox: Outbox
) -> None:
    outbox.post(events.Problem(heard_s=0, message="The microphone is gone: connect it again"))
    window.bridge.deliver()
    assert window.banner.isVisible()
    assert not window.banner.retry.isVisible()
    outbox.post(events.EngineFailed(heard_s=0, message="A model is missing: fetch it"))
    window.bridge.deliver()
    assert window.banner.retry.isVisible()
    with qtbot.waitSignal(window.command) as asked:
        window.banner.retry.click()
    assert asked.args == [commands.Retry()]
    assert not window.banner.isVisible()


def test_what_was_the_matter_with_a_source_is_over_when_another_is_open(
    window: MainWindow, outbox: Outbox
) -> None:
    outbox.post(events.SourceEnded(heard_s=0, reason="The recording cannot be played"))
    window.bridge.deliver()
    assert window.banner.isVisible()
    opened = events.SourceOpened(heard_s=0, name="it", kind="file", seconds=1)
    outbox.post(opened)
    window.bridge.deliver()
    assert not window.banner.isVisible()
    outbox.post(events.Problem(heard_s=0, message="The disk is full"))
    outbox.post(opened)
    window.bridge.deliver()
    assert window.banner.isVisible()


def test_the_switch_tells_the_engine(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.command) as asked:
        window.controls.pads.click()
    assert asked.args == [commands.SwitchPads(on=False)]
    assert window.controls.pads.text() == "PADS off"


def test_every_demo_the_microphone_and_a_file_are_on_offer(window: MainWindow) -> None:
    offers = [window.controls.source.itemText(i) for i in range(window.controls.source.count())]
    assert sum(offer.startswith("Demo:") for offer in offers) >= 3
    assert "Microphone" in offers


def test_audio_moves_the_level_and_silence_of_the_engine_draws_nothing(
    qtbot: QtBot, window: MainWindow, outbox: Outbox
) -> None:
    outbox.post(events.AudioHeard(heard_s=0.03, low=-0.5, high=0.4, p_speech=1, speech=True))
    window.bridge.deliver()
    assert window.controls.level.alive
    assert window.controls.level.share > 0.8

    def standing() -> bool:
        before = window.profiler.frames
        window.bridge.deliver()
        QApplication.processEvents()
        return window.profiler.frames == before

    qtbot.waitUntil(standing, timeout=30_000)


def test_a_hidden_window_is_not_drawn(window: MainWindow, outbox: Outbox) -> None:
    window.hide()
    QApplication.processEvents()
    before = window.profiler.frames
    outbox.post(events.AudioHeard(heard_s=9.0, low=-0.5, high=0.4, p_speech=1, speech=True))
    window.bridge.deliver()
    QApplication.processEvents()
    assert window.profiler.frames == before
    assert window.timeline.now_s == 9.0


def test_closing_the_window_stops_the_bridge(window: MainWindow, outbox: Outbox) -> None:
    window.bridge.start()
    window.close()
    assert not window.bridge.running


def test_wasted_work_is_hatched_and_hidden_work_is_not(window: MainWindow) -> None:
    for fate, colours in ((Fate.WASTED, 2), (Fate.HIDDEN, 1)):
        image = QImage(40, 40, QImage.Format.Format_RGB32)
        image.fill(0)
        with QPainter(image) as painter:
            shape(painter, QRectF(0, 0, 40, 40), fate)
        inside = {image.pixel(x, y) for x in range(10, 30) for y in range(10, 30)}
        assert len(inside) == colours


def test_nothing_is_clipped_in_the_smallest_window(window: MainWindow, outbox: Outbox) -> None:
    outbox.show(VitalsReader().read())
    outbox.post(events.TurnDropped(heard_s=1, turn=1, wasted_ms=1234, reason="no words"))
    window.bridge.deliver()
    window.resize(window.minimumSize())
    QApplication.processEvents()
    panels = (window.headline, window.vitals, window.controls, window.ladder)
    labels = [label for panel in panels for label in panel.findChildren(QLabel)]
    assert len(labels) > 20
    for label in labels:
        if label.isVisible():
            assert label.width() >= label.minimumSizeHint().width(), label.text()
            assert label.height() >= label.heightForWidth(label.width()), label.text()


@pytest.mark.parametrize(("pixels", "scale"), [("1366x768", "1"), ("1920x1080", "2")])
def test_the_window_fits_on_a_laptops_screen(pixels: str, scale: str) -> None:
    ask = """
from PySide6.QtWidgets import QApplication
application = QApplication(["pads"])
from app.main_window import MainWindow
from engine.outbox import Outbox
window = MainWindow(Outbox())
has, needs = window.screen().availableSize(), window.size().expandedTo(window.minimumSize())
print(has.width() - needs.width(), has.height() - needs.height())
"""
    with virtual(pixels) as display:
        done = subprocess.run(
            [sys.executable, "-c", ask],
            check=True,
            capture_output=True,
            text=True,
            timeout=90,
            env={
                **os.environ,
                "QT_QPA_PLATFORM": "xcb",
                "DISPLAY": display,
                "QT_SCALE_FACTOR": scale,
            },
        )
    wide, high = map(int, done.stdout.split())
    assert wide >= 0
    assert high >= 60  # a title bar and a panel


@pytest.mark.usefixtures("models", "display")
def test_smoke_opens_draws_and_quits() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app", "--smoke"],
        check=False,
        capture_output=True,
        text=True,
        timeout=90,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "drawn\n", "")


@pytest.mark.parametrize("display", ["", ":987654", "nonsense"])
def test_without_a_display_it_says_so(display: str) -> None:
    bare = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    bare |= {"QT_QPA_PLATFORM": "xcb", "DISPLAY": display}
    done = subprocess.run(
        [sys.executable, "-m", "app"],
        check=False,
        capture_output=True,
        text=True,
        timeout=30,
        env=bare,
    )
    assert done.returncode == 1
    assert "no display" in done.stderr
    assert "Traceback" not in done.stderr
