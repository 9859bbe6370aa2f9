"""Every window of the program in a state worth looking at, from a real session."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial

from PySide6.QtCore import QDeadlineTimer, QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from app.main_window import MainWindow
from app.presenter.attract import WHOLE_S
from app.screenshots.material import Material, fed, settle
from engine.history.blocks import Fate, Work
from engine.jobs import catalogue

Scene = Callable[[MainWindow, Material], AbstractContextManager[QWidget]]

_PATIENCE_MS = 20_000
_EXAMPLE = "gate-ablation"  # a job with many kinds of field


def shown(material: Material, wanted: Mapping[str, Scene]) -> Iterator[tuple[str, QWidget]]:
    """Each of the scenes by its name while it is on screen; one window serves all of a moment."""
    for moment in ("idle", "working", "answered"):
        scenes = {name: scene for name, scene in wanted.items() if MOMENTS.get(name) == moment}
        if moment == "answered":
            scenes = {name: scene for name, scene in wanted.items() if name not in MOMENTS}
        if scenes:
            with fed(material, moment) as window:
                for name, scene in scenes.items():
                    with scene(window, material) as widget:
                        yield name, widget


@contextmanager
def _main(window: MainWindow, _material: Material) -> Iterator[QWidget]:
    yield window


@contextmanager
def _inspected(window: MainWindow, _material: Material) -> Iterator[QWidget]:
    """The last turn is selected, its hidden work explained."""
    profiler = window.profiler
    _press(profiler, Qt.Key.Key_Return)
    for _ in window.timeline.blocks():
        _press(profiler, Qt.Key.Key_Down)
        block = profiler.explained
        if isinstance(block, Work) and block.fate is Fate.HIDDEN:
            break
    settle()
    yield window
    _press(profiler, Qt.Key.Key_Escape)
    _press(profiler, Qt.Key.Key_End)


@contextmanager
def _past(window: MainWindow, material: Material) -> Iterator[QWidget]:
    window.show_past(material.read())
    settle()
    yield window
    window.show_live()


@contextmanager
def _presenter(
    window: MainWindow, _material: Material, *, attract: bool = False
) -> Iterator[QWidget]:
    window.present()
    presenter = window.presenter
    if attract:
        presenter.kiosk.start(time.monotonic())
        presenter.redraw()
        presenter.attract.redraw(WHOLE_S)
    else:
        presenter.redraw()
    settle()
    yield presenter
    presenter.leave()
    settle()


@contextmanager
def _dialog(
    window: MainWindow, _material: Material, *, of: Callable[[MainWindow], QDialog]
) -> Iterator[QWidget]:
    dialog = of(window)
    dialog.show()
    settle()
    yield dialog
    dialog.close()


def _first_step(window: MainWindow, step: int) -> QDialog:
    window.first_run.restart()
    for _ in range(step):
        window.first_run.forward.click()
    return window.first_run


def _feel_it(window: MainWindow) -> QDialog:
    window.feel_it.open_wide()
    return window.feel_it


def _history(window: MainWindow) -> QDialog:
    window.history.show()
    _wait(lambda: not window.history.busy)
    return window.history


@contextmanager
def _compare(window: MainWindow, material: Material) -> Iterator[QWidget]:
    window.compare.show()
    window.compare.show_run(material.comparison.folder)
    settle()
    yield window.compare
    window.compare.close()


@contextmanager
def _jobs(window: MainWindow, material: Material, *, run: str = "") -> Iterator[QWidget]:
    """The form of a job, or a run of the material by its field's name."""
    window.show_jobs()
    jobs = window.jobs
    assert jobs is not None
    settle()  # focus comes to it, and with it a choice
    if run:
        jobs.show_run(getattr(material, run))
    else:
        jobs.jobs.setCurrentRow([job.name for job in catalogue.JOBS].index(_EXAMPLE))
    jobs.poll()
    settle()
    yield jobs
    jobs.close()


def _press(widget: QWidget, key: Qt.Key) -> None:
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(widget, QKeyEvent(QEvent.Type.KeyPress, key, none))


def _wait(until: Callable[[], bool]) -> None:
    """Let the window work until something is so; it is shown as it stands after some seconds."""
    deadline = QDeadlineTimer(_PATIENCE_MS)
    while not (until() or deadline.hasExpired()):
        QApplication.processEvents()


MOMENTS = {"main-idle": "idle", "main-working-in-the-pause": "working"}
"""The scenes of another moment than that when the best answer has been given."""

SCENES: dict[str, Scene] = {
    "main-idle": _main,
    "main-working-in-the-pause": _main,
    "main-answered": _main,
    "main-inspected": _inspected,
    "main-past-session": _past,
    "compare": _compare,
    "jobs-form": _jobs,
    "jobs-result": partial(_jobs, run="comparison"),
    "models": partial(_dialog, of=lambda window: window.models),
    **{
        f"first-run-{step + 1}": partial(_dialog, of=partial(_first_step, step=step))
        for step in range(3)
    },
    "settings": partial(_dialog, of=lambda window: window.settings),
    "history": partial(_dialog, of=_history),
    "sound": partial(_dialog, of=lambda window: window.sound),
    "rehearsal": partial(_dialog, of=lambda window: window.rehearsal),
    "feel-it": partial(_dialog, of=_feel_it),
    "certificate": partial(_dialog, of=lambda window: window.certificate),
}
"""What is shown in every look."""

PRESENTED: dict[str, Scene] = {
    "presenter": _presenter,
    "presenter-attract": partial(_presenter, attract=True),
}
"""What has a look of its own."""

RUNNING: dict[str, Scene] = {"jobs-running": partial(_jobs, run="running")}
"""What is shown only while the job runs."""
