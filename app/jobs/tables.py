"""Read-only tables: a stored table, a result's figures, two results side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from app.evidence import tag
from app.jobs.words import cell, interval, method, quantity, sentence
from app.widgets.entries import wrapping
from engine.records.evidence import is_figure
from engine.records.figures import Beside, figures, readable

_MOST_ROWS_SEEN = 14


class Grid(QTableWidget):
    """Read-only words in rows, as high as its rows up to a limit, at any width and size of text."""

    def __init__(
        self,
        name: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[str]],
        tips: Mapping[tuple[int, int], str],
    ) -> None:
        super().__init__(len(rows), len(columns))
        self.setAccessibleName(name)
        self.setHorizontalHeaderLabels(columns)
        self.verticalHeader().hide()
        self.setShowGrid(False)
        wrapping(self)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for i, row in enumerate(rows):
            for j, words in enumerate(row):
                item = QTableWidgetItem(words)
                item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{columns[j]}: {words}")
                item.setToolTip(tips.get((i, j), ""))
                self.setItem(i, j, item)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Break words to the new width, and be as high as that needs."""
        super().resizeEvent(event)
        self._share_width()
        self.resizeRowsToContents()
        seen = min(self.rowCount(), _MOST_ROWS_SEEN)
        height = sum(self.rowHeight(i) for i in range(seen)) + 2 * self.frameWidth()
        height += self.horizontalHeader().sizeHint().height()
        if self.horizontalScrollBar().maximum() > 0:
            height += self.horizontalScrollBar().sizeHint().height()
        if height != self.minimumHeight():
            self.setFixedHeight(height)

    def _share_width(self) -> None:
        """Narrow columns as wide as their words; wide ones share the rest, with words broken."""
        header, count = self.horizontalHeader(), self.columnCount()
        wanted = [max(self.sizeHintForColumn(i), header.sectionSizeHint(i)) for i in range(count)]
        room = self.viewport().width()
        fits = sum(wanted) <= room
        modes = QHeaderView.ResizeMode
        for i, width in enumerate(wanted):
            own = i < count - 1 and (fits or width <= room // count)
            mode = modes.ResizeToContents if own else modes.Stretch
            if header.sectionResizeMode(i) != mode:
                header.setSectionResizeMode(i, mode)


def stored(table: Mapping[str, Any]) -> Grid:
    """A table as a job stored it."""
    rows = [[cell(value) for value in row] for row in table["rows"]]
    tips = {
        (i, j): method(value)
        for i, row in enumerate(table["rows"])
        for j, value in enumerate(row)
        if is_figure(value)
    }
    return Grid(table["title"], table["columns"], rows, tips)


def all_figures(result: Mapping[str, Any]) -> Grid:
    """Every figure of a result with interval and evidence."""
    found = figures(result)
    columns = [
        QCoreApplication.translate("Tables", "figure"),
        QCoreApplication.translate("Tables", "value"),
        QCoreApplication.translate("Tables", "interval"),
        QCoreApplication.translate("Tables", "evidence"),
    ]
    rows, tips = [], {}
    for i, (path, figure) in enumerate(found.items()):
        evidence = tag(figure["evidence"])
        if figure["value"] is None:
            evidence = sentence(figure)
        rows.append([readable(path), quantity(figure), interval(figure), evidence])
        tips[i, 2] = method(figure)
    return Grid(QCoreApplication.translate("Tables", "All figures"), columns, rows, tips)


def side_by_side(names: Sequence[str], found: Sequence[Beside]) -> Grid:
    """Two results' figures; a difference only where both are measured."""
    rows, tips = [], {}
    for i, one in enumerate(found):
        sides = [_side(side) for side in (one.first, one.second)]
        difference = one.difference.record()
        told = "–" if one.difference.value is None else sentence(difference)
        for column, side in ((1, one.first), (2, one.second)):
            tips[i, column] = "" if side is None else side.get("reason", "") or method(side)
        tips[i, 3] = one.difference.reason
        judged = ""
        if one.apart is not None:
            judged = (
                QCoreApplication.translate("Tables", "intervals apart")
                if one.apart
                else QCoreApplication.translate("Tables", "intervals overlap")
            )
        rows.append([readable(one.path), *sides, told, judged])
    columns = [
        QCoreApplication.translate("Tables", "figure"),
        *names,
        QCoreApplication.translate("Tables", "difference"),
        "",
    ]
    return Grid(QCoreApplication.translate("Tables", "Two runs side by side"), columns, rows, tips)


def _side(figure: dict[str, Any] | None) -> str:
    """One run's figure, briefly: why there is none stands in the cell's tip."""
    if figure is None:
        return "–"
    return tag(figure["evidence"]) if figure["value"] is None else sentence(figure)
