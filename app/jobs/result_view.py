"""Any run's result: its plots, its tables, and every figure with interval and evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget

from app import theme
from app.jobs import tables
from engine.records.figures import Beside, figures


class ResultView(QScrollArea):
    """Shows one result, or two side by side, without knowing the job."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setAccessibleName(self.tr("Result"))
        self.plots: list[Any] = []
        """The `PlotView`s on show."""
        self.tables: list[Any] = []
        """The tables on show."""
        self.show_words(self.tr("No result yet."))

    def show_words(self, words: str) -> None:
        """Show a sentence in place of a result."""
        self._put([_paragraph(words)])

    def show_result(self, result: Mapping[str, Any]) -> None:
        """Show a finished run's result."""
        self._put(list(self._parts(result)))

    def show_two(
        self, names: Sequence[str], results: Sequence[Mapping[str, Any]], found: Sequence[Beside]
    ) -> None:
        """Show two results: figures beside each other, then plots in pairs."""
        parts: list[QWidget] = [
            _paragraph(
                self.tr(
                    "A difference is given only where both runs measured the figure on the same "
                    "kind of machine; point at a dash to see why there is none."
                )
            ),
            self._table(tables.side_by_side(names, found)),
        ]
        for name, result in zip(names, results, strict=True):
            if result.get("plots"):
                parts += [_heading(name), *self._drawn(result)]
        self._put(parts)

    def _parts(self, result: Mapping[str, Any]) -> Iterator[QWidget]:
        yield from self._drawn(result)
        for table in result.get("tables", ()):
            yield _heading(table["title"])
            yield self._table(tables.stored(table))
        if figures(result):
            yield _heading(self.tr("All figures"))
            yield self._table(tables.all_figures(result))

    def _drawn(self, result: Mapping[str, Any]) -> Iterator[QWidget]:
        if not result.get("plots"):
            return
        from app.jobs.plot import PlotView  # takes a second to import: only where it is needed

        for plot in result["plots"]:
            view = PlotView(plot)
            self.plots.append(view)
            yield view

    def _table(self, table: QWidget) -> QWidget:
        self.tables.append(table)
        return table

    def _put(self, parts: Sequence[QWidget]) -> None:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 8, 10, 8)
        column.setSpacing(10)
        for part in parts:
            column.addWidget(part)
        column.addStretch(1)
        kept = set(parts)
        self.plots = [view for view in self.plots if view in kept]
        self.tables = [view for view in self.tables if view in kept]
        self.setWidget(page)


def _heading(words: str) -> QLabel:
    heading = QLabel(words)
    heading.setFont(theme.font(14, bold=True))
    heading.setWordWrap(True)
    return heading


def _paragraph(words: str) -> QLabel:
    paragraph = QLabel(words)
    paragraph.setWordWrap(True)
    paragraph.setTextFormat(Qt.TextFormat.PlainText)
    paragraph.setAlignment(Qt.AlignmentFlag.AlignTop)
    theme.tone(paragraph, "muted")
    return paragraph
