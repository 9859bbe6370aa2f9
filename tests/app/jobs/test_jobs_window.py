"""Real jobs started, followed, cancelled and judged by clicks and keys in the real window."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

from app.jobs.window import JobsWindow
from app.main_window import MainWindow
from engine.jobs import catalogue, overview, queue
from engine.jobs.job import Value
from engine.outbox import Outbox
from engine.records.runs import RunDirectory, RunStatus
from tests.engine.jobs.conftest import SMALL, corpora, shallow, small_corpus, workers_gone

__all__ = ["corpora", "shallow", "small_corpus"]

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def main(qtbot: QtBot) -> Iterator[MainWindow]:
    window = MainWindow(Outbox(), pads=True)
    qtbot.addWidget(window, before_close_func=lambda _: setattr(window, "asks", False))
    window.show()
    qtbot.waitExposed(window)
    yield window
    for seen in overview.active():
        seen.run.request_cancel()
    qtbot.waitUntil(workers_gone, timeout=30_000)


def jobs_window(qtbot: QtBot, main: MainWindow) -> JobsWindow:
    """Open it from the menu, by clicks."""
    bar, menu = main.menuBar(), main.menus.jobs
    qtbot.mouseClick(bar, LEFT, pos=bar.actionGeometry(menu.menuAction()).center())
    qtbot.waitUntil(menu.isVisible, timeout=30_000)
    entry = next(action for action in menu.actions() if action.text().startswith("&Jobs"))
    qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(entry).center())
    assert main.jobs is not None
    qtbot.waitExposed(main.jobs)
    return main.jobs


def start(qtbot: QtBot, window: JobsWindow, job: str, data: Path, **values: Value) -> RunDirectory:
    """Choose a job, name its data and start it, all by clicks; `values` stand in its form."""
    row = [one.name for one in catalogue.JOBS].index(job)
    window.jobs.scrollToItem(window.jobs.item(row))
    place = window.jobs.visualItemRect(window.jobs.item(row)).center()
    qtbot.mouseClick(window.jobs.viewport(), LEFT, pos=place)
    assert window.job.title.text() == catalogue.find(job).title
    assert window.job.form is not None
    window.job.form.set_values(values)
    line = window.job.form.fields["data"].control
    assert isinstance(line, QLineEdit)
    line.setFocus()
    line.clear()
    QTest.keyClicks(line, str(data))
    qtbot.mouseClick(window.job.start, LEFT)
    assert window.pages.currentWidget() is window.run
    assert window.run.follower is not None
    return window.run.follower.run


def test_a_job_is_cancelled_and_another_gives_its_result(
    qtbot: QtBot, main: MainWindow, data: Path, small_corpus: Path
) -> None:
    window = jobs_window(qtbot, main)
    assert "Nothing is running" in window.now.text()
    long = start(qtbot, window, "train-dialogue-act", data)
    qtbot.waitUntil(lambda: "Fitting" in window.run.state.text(), timeout=60_000)
    qtbot.waitUntil(lambda: "MB memory allowed" in window.now.text(), timeout=30_000)
    assert "healthy" in window.now.text()
    assert window.run.log.toPlainText().splitlines()[:2] == ["Reading DailyDialog …", "Fitting …"]
    assert window.run.cancel.isVisible()
    short = start(qtbot, window, "frequent-words", small_corpus)
    assert "waiting" in window.run.state.text()
    qtbot.waitUntil(lambda: "1 waiting" in window.now.text(), timeout=30_000)
    qtbot.mouseClick(window.to_now, LEFT)
    assert window.run.follower is not None
    assert window.run.follower.run.name == long.name
    qtbot.mouseClick(window.run.cancel, LEFT)
    qtbot.waitUntil(lambda: "interrupted" in window.run.state.text(), timeout=30_000)
    assert long.manifest()["reason"] == "cancelled"
    assert not window.run.result.tables
    window.show_run(short)
    qtbot.waitUntil(lambda: "finished" in window.run.state.text(), timeout=60_000)
    qtbot.waitUntil(lambda: bool(window.run.result.plots), timeout=30_000)
    (view,) = window.run.result.plots
    assert view.plot["title"] == "What a draft vocabulary covers"
    assert "measured" in view.canvas.accessibleDescription()
    (figures,) = window.run.result.tables
    words = [figures.item(i, 0).text() for i in range(figures.rowCount())]
    assert "peak memory" in words
    qtbot.waitUntil(lambda: "Nothing is running" in window.now.text(), timeout=30_000)


def test_a_job_goes_on_without_its_window_and_a_new_one_finds_it(
    qtbot: QtBot, main: MainWindow, data: Path
) -> None:
    window = jobs_window(qtbot, main)
    run = start(qtbot, window, "train-dialogue-act", data)
    qtbot.waitUntil(lambda: "Fitting" in window.run.state.text(), timeout=60_000)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()
    answer(qtbot, "&Stay here")
    assert not main.close()
    answer(qtbot, "Let them &go on")
    assert main.close()
    assert run.status() is RunStatus.RUNNING
    new = JobsWindow()
    qtbot.addWidget(new)
    new.show()
    qtbot.waitExposed(new)
    qtbot.waitUntil(lambda: "Fitting" in new.now.text(), timeout=30_000)
    qtbot.mouseClick(new.to_now, LEFT)
    assert "running" in new.run.state.text()
    main.show()
    answer(qtbot, "&End them")
    assert main.close()
    qtbot.waitUntil(lambda: "interrupted" in new.run.state.text(), timeout=30_000)
    assert run.manifest()["reason"] == "cancelled"
    new.close()


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
@pytest.mark.timeout(300)
def test_a_training_is_cancelled_and_goes_on_from_its_checkpoint(
    qtbot: QtBot, main: MainWindow, corpora: Path, shallow: Path
) -> None:
    window = jobs_window(qtbot, main)
    given = SMALL | {"model": shallow, "steps": 20, "checkpoint_steps": 2}
    first = start(qtbot, window, "train-layerskip", corpora, **given)
    qtbot.waitUntil(lambda: "Training" in window.run.state.text(), timeout=120_000)
    before = window.run.progress.value()
    qtbot.waitUntil(lambda: len(losses(first)) >= 5, timeout=120_000)
    qtbot.waitUntil(lambda: window.run.progress.value() > before, timeout=30_000)
    assert (first.folder / "checkpoint.pt").exists()
    qtbot.mouseClick(window.run.cancel, LEFT)
    qtbot.waitUntil(lambda: "interrupted" in window.run.state.text(), timeout=30_000)
    assert not window.run.result.tables
    qtbot.mouseClick(window.run.resume, LEFT)
    assert window.run.follower is not None
    second = window.run.follower.run
    assert second.name != first.name
    last = max(losses(first))
    qtbot.waitUntil(lambda: last in losses(second), timeout=120_000)
    assert "going on after step" in window.run.log.toPlainText()
    assert {step: losses(second)[step] for step in losses(first)} == losses(first)


def losses(run: RunDirectory) -> dict[int, float]:
    return {line["step"]: line["loss"] for line in run.metrics() if "loss" in line}


def answer(qtbot: QtBot, words: str) -> None:
    """Click this button of the question that will be asked."""

    def click() -> None:
        box = QApplication.activeModalWidget()
        if not isinstance(box, QMessageBox):
            QTimer.singleShot(50, click)
            return
        (button,) = [one for one in box.buttons() if one.text() == words]
        qtbot.mouseClick(button, LEFT)

    QTimer.singleShot(0, click)


def test_what_waits_from_an_earlier_time_goes_on(
    qtbot: QtBot, main: MainWindow, small_corpus: Path
) -> None:
    from engine.jobs.launch import job_directory

    left = job_directory(catalogue.find("frequent-words"), {"data": small_corpus}, queued=True)
    assert [run.name for run in queue.waiting()] == [left.name]
    jobs_window(qtbot, main)
    qtbot.waitUntil(lambda: left.status() is RunStatus.FINISHED, timeout=60_000)


def test_a_key_opens_it(qtbot: QtBot, main: MainWindow) -> None:
    main.activateWindow()
    qtbot.waitUntil(main.isActiveWindow, timeout=30_000)
    QTest.keyClick(main, Qt.Key.Key_J)
    assert main.jobs is not None
    assert main.jobs.isVisible()


def test_every_control_has_a_name_and_is_reached_by_keys(qtbot: QtBot, main: MainWindow) -> None:
    window = jobs_window(qtbot, main)
    run = window.run
    controls = (window.jobs, window.runs, window.to_now, window.job.start, window.job.purpose)
    for control in (*controls, run.cancel, run.repeat, run.folder, run.log, run.record):
        assert control.accessibleName()
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus
