"""Any run's result in the window, and two side by side."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from app import theme
from app.jobs.plot import PlotView
from app.jobs.window import JobsWindow
from engine import paths
from engine.events import Evidence
from engine.records.evidence import Figure, Interval
from engine.records.plots import Axis, Plot, Series, Table, shown
from engine.records.runs import RunDirectory, RunStatus
from engine.records.superseding import supersede
from engine.settings import AppearanceSettings


def figure(value: float | None, evidence: Evidence = Evidence.MEASURED) -> Figure:
    if value is None:
        return Figure(value=None, evidence=Evidence.UNAVAILABLE, reason="no sensor here")
    interval = Interval(low=value - 1, high=value + 1, level=0.95, method="a test's")
    return Figure(value=value, evidence=evidence, unit="ms", interval=interval)


def plot(kind: Any, count: int = 2) -> Plot:
    series = [
        Series(
            name=f"series {i}",
            x=[1.0, 2.0, 3.0],
            y=[2.0 + i, 5.0 + i, 3.0 + i],
            low=[1.5 + i, 4.0 + i, 2.0 + i],
            high=[3.0 + i, 6.0 + i, 4.0 + i],
            evidence=Evidence.MEASURED if i else Evidence.EXTRAPOLATED,
        )
        for i in range(count)
    ]
    x, y = Axis(name="layers"), Axis(name="time", unit="ms")
    return Plot(title=f"A picture of {kind}", x=x, y=y, kind=kind, series=series)


def made(job: str = "pauses", **result: Any) -> RunDirectory:
    run = RunDirectory.create(
        paths.runs(),
        job=job,
        purpose="a test",
        command=["pads", "job", "run", job],
        parameters={},
        machine={},
        target_hardware=False,
    )
    if result:
        run.finish(result)
    return run


@pytest.fixture
def window(qtbot: QtBot) -> JobsWindow:
    window = JobsWindow()
    qtbot.addWidget(window)
    return window


def opened(qtbot: QtBot, window: JobsWindow) -> JobsWindow:
    window.show()
    qtbot.waitExposed(window)
    return window


def colours(widget: QWidget) -> set[str]:
    image = widget.grab().toImage()
    return {
        QColor(image.pixel(x, y)).name()
        for x in range(0, image.width(), 1)
        for y in range(0, image.height(), 2)
    }


def rows(table: QTableWidget) -> list[list[str]]:
    return [
        [table.item(i, j).text() for j in range(table.columnCount())]
        for i in range(table.rowCount())
    ]


@pytest.mark.parametrize("kind", ["line", "points", "bars"])
def test_every_kind_of_plot_is_drawn_named_and_tagged(qtbot: QtBot, kind: str) -> None:
    theme.apply(QApplication.instance())  # type: ignore[arg-type]
    view = PlotView(plot(kind).record())
    qtbot.addWidget(view)
    view.resize(600, 360)
    view.show()
    qtbot.waitExposed(view)
    drawn = colours(view.canvas)
    assert theme.AUDIO.name() in drawn
    assert theme.VISIBLE.name() in drawn
    spoken = view.canvas.accessibleDescription()
    assert "series 0 · extrapolated: 3 points from 2 to 5." in spoken
    assert "series 1 · measured" in spoken
    assert "time (ms)" in spoken
    named = [label.text for _, label in view.canvas.getPlotItem().legend.items]
    assert named == ["series 0 · extrapolated", "series 1 · measured"]
    try:
        theme.apply(QApplication.instance(), AppearanceSettings(colours="light"))  # type: ignore[arg-type]
        assert theme.AUDIO.name() in colours(view.canvas) - drawn
    finally:
        theme.apply(QApplication.instance())  # type: ignore[arg-type]


def test_a_result_shows_plots_tables_and_every_figure_with_its_evidence(
    qtbot: QtBot, window: JobsWindow
) -> None:
    table = Table(
        title="By layer",
        columns=("layer", "time"),
        rows=[["four", figure(4.0)], ["none", figure(None)]],
    )
    run = made(
        mean=figure(12.5).record(), heat=figure(None).record(), **shown([plot("bars")], [table])
    )
    opened(qtbot, window).show_run(run)
    result = window.run.result
    assert [view.plot["title"] for view in result.plots] == ["A picture of bars"]
    first, figures = result.tables
    assert rows(first)[0] == ["four", "4 ms [3, 5] · measured"]
    assert rows(first)[1] == ["none", "unavailable: no sensor here"]
    assert "a test's" in first.item(0, 1).toolTip()
    assert rows(figures) == [
        ["mean", "12.5 ms", "[11.5, 13.5]", "measured"],
        ["heat", "–", "", "unavailable: no sensor here"],
    ]
    assert "finished" in window.run.state.text()
    assert "a test" in window.run.purpose.text()


def test_an_old_run_without_plots_shows_its_figures(qtbot: QtBot, window: JobsWindow) -> None:
    run = made("bench-decode", speed={"figures": {"median": figure(3.0).record()}})
    opened(qtbot, window).show_run(run)
    (figures,) = window.run.result.tables
    assert rows(figures)[0][0] == "speed › median"
    assert not window.run.result.plots
    assert window.run.title.text() == "bench-decode"
    assert not window.run.repeat.isVisible()  # no job of the catalogue


def test_an_interrupted_run_is_marked_and_never_a_result(qtbot: QtBot, window: JobsWindow) -> None:
    run = made()
    (run.folder / "result.json").write_text('{"mean": {"value": 1, "evidence": "measured"}}')
    run.end(RunStatus.INTERRUPTED, "cancelled")
    opened(qtbot, window).show_run(run)
    assert not window.run.result.tables
    assert "interrupted" in window.run.state.text()
    assert "cancelled" in window.run.state.text()
    assert "interrupted" in window.runs.item(0).text()
    assert not window.run.compare.isVisible()
    assert window.run.repeat.isVisible()
    assert not window.run.resume.isVisible()  # this job keeps no checkpoints


def test_two_runs_of_a_job_side_by_side(qtbot: QtBot, window: JobsWindow) -> None:
    first = made(mean=figure(10.0).record(), page=figure(1.0, Evidence.PUBLISHED).record())
    made("turn-end", mean=figure(1.0).record())  # of another job: not offered
    second = made(mean=figure(15.0).record(), page=figure(2.0).record())
    supersede(first, second)
    opened(qtbot, window).show_run(second)
    assert ["superseded" in window.runs.item(i).text() for i in (0, 1, 2)].count(True) == 1
    (action,) = window.run.compare.menu().actions()
    assert first.name in action.text()
    action.trigger()
    (table,) = window.run.result.tables
    assert rows(table) == [
        [
            "mean",
            "10 ms [9, 11] · measured",
            "15 ms [14, 16] · measured",
            "5 ms · derived",
            "intervals apart",
        ],
        ["page", "1 ms [0, 2] · published", "2 ms [1, 3] · measured", "–", ""],
    ]
    assert "published" in table.item(1, 3).toolTip()
    window.show_run(first)
    assert f"superseded by {second.name}" in window.run.state.text()


def test_the_list_keeps_its_choice_while_runs_come_and_go(qtbot: QtBot, window: JobsWindow) -> None:
    old, kept = made(mean=figure(1.0).record()), made(mean=figure(2.0).record())
    opened(qtbot, window).show_run(kept)
    made(mean=figure(3.0).record())
    window.refresh()
    assert window.runs.count() == 3
    assert window.runs.currentItem().data(Qt.ItemDataRole.UserRole) == kept.name
    for file in old.folder.iterdir():
        file.unlink()
    old.folder.rmdir()
    window.refresh()
    assert window.runs.count() == 2
    assert window.runs.currentItem().data(Qt.ItemDataRole.UserRole) == kept.name
