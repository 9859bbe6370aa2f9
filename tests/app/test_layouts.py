"""Layouts that give way: rows that wrap, columns that move below each other, pages that scroll."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.columns import Columns, Side
from app.widgets.flow import Flow
from app.widgets.scrolled import Scrolled


def box(width: int, *, grows: bool = False) -> QWidget:
    widget = QWidget()
    widget.setMinimumSize(width, 20)
    if grows:
        widget.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return widget


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    page = QWidget()
    qtbot.addWidget(page)
    return page


def shown(page: QWidget, flow: Flow, widgets: list[QWidget], width: int) -> list[tuple[int, int]]:
    """Left edges and rows after a flow is shown at a width."""
    flow.setContentsMargins(0, 0, 0, 0)
    flow.add(*widgets)
    page.setLayout(flow)
    page.resize(width, flow.heightForWidth(width))
    page.show()
    flow.activate()
    assert all(page.rect().contains(widget.geometry()) for widget in widgets if widget.isVisible())
    return [(widget.x(), widget.y()) for widget in widgets]


@pytest.mark.parametrize(("width", "third"), [(320, (220, 0)), (319, (0, 30))])
def test_widgets_stand_in_a_row_while_there_is_room_and_wrap_then(
    page: QWidget, width: int, third: tuple[int, int]
) -> None:
    places = shown(page, Flow(spacing=10), [box(100), box(100), box(100)], width)
    assert places == [(0, 0), (110, 0), third]


def test_what_is_left_goes_to_the_widget_that_grows(page: QWidget) -> None:
    growing = box(50, grows=True)
    shown(page, Flow(spacing=10), [box(100), growing], 400)
    assert growing.width() == 290


def test_what_is_hidden_takes_no_room(page: QWidget) -> None:
    hidden = box(300)
    hidden.hide()
    assert shown(page, Flow(spacing=10), [box(100), hidden, box(100)], 220)[2] == (110, 0)


@pytest.mark.parametrize(("width", "rows"), [(430, [4]), (429, [2, 2]), (100, [1, 1, 1, 1])])
def test_even_rows_share_their_widgets(page: QWidget, width: int, rows: list[int]) -> None:
    widgets = [box(100) for _ in range(4)]
    places = shown(page, Flow(spacing=10, even=True), widgets, width)
    lines = sorted({y for _, y in places})
    assert [sum(y == line for _, y in places) for line in lines] == rows
    assert len({widget.width() for widget in widgets}) == 1


def test_the_middle_column_comes_first_where_there_is_no_room_for_three(qtbot: QtBot) -> None:
    left, middle, right = Side([QLabel("left")], 276), box(300), Side([QLabel("right")], 214)
    frame = QWidget()
    qtbot.addWidget(frame)
    frame.resize(1280, 600)
    columns = Columns(left, middle, right)
    columns.setParent(frame)
    columns.resize(1280, 600)
    frame.show()
    qtbot.waitExposed(frame)
    assert left.x() < middle.x() < right.x()
    assert left.y() == middle.y() == right.y()
    columns.resize(700, 600)
    qtbot.waitUntil(lambda: middle.y() < left.y() == right.y(), timeout=30_000)
    assert middle.width() == 700
    columns.resize(1280, 600)
    qtbot.waitUntil(lambda: left.x() < middle.x() < right.x(), timeout=30_000)


def test_a_page_is_shown_whole_where_the_screen_allows_and_scrolls_otherwise(qtbot: QtBot) -> None:
    for height, whole in ((200, True), (5000, False)):
        page = box(300)
        page.setMinimumHeight(height)
        scrolled = Scrolled(page, "Page")
        qtbot.addWidget(scrolled)
        scrolled.resize(scrolled.sizeHint())
        scrolled.show()
        qtbot.waitExposed(scrolled)
        assert scrolled.verticalScrollBar().isVisible() != whole
        assert scrolled.height() <= scrolled.screen().availableSize().height()
