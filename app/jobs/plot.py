"""Draws a stored plot: lines with their bands, points or bars with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pyqtgraph
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QColor, QPen, QWheelEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app import theme
from app.evidence import tag
from app.jobs.words import number
from engine.jobs.showing import axis

_COLOURS = (theme.AUDIO, theme.VISIBLE, theme.HIDDEN, theme.WASTED, theme.SHALLOW, theme.ALERT)
_DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine)
_SYMBOLS = ("o", "s", "t", "d", "x", "+")
_BAND_ALPHA = 46
_MOST_MARKS = 60  # a longer line is drawn without a mark at each point
_HEIGHT_PX = 270
_MOST_TICKS = 20
_MOST_ROWS = 4
_ROW = 0.095  # of the height, a series in the legend
_AROUND = 0.09  # and what stands around them


class _Canvas(pyqtgraph.PlotWidget):  # type: ignore[misc]  # pyqtgraph ships no types
    """A plot that leaves the wheel to the page it stands in."""

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Let the page scroll."""
        event.ignore()


class PlotView(QWidget):
    """One plot with its title; what it shows is also its accessible description."""

    def __init__(self, plot: dict[str, Any]) -> None:
        super().__init__()
        self.plot = plot
        self.title, self.canvas = QLabel(plot["title"]), _Canvas(background=None)
        self.title.setWordWrap(True)
        self.title.setFont(theme.font(14, bold=True))
        self.canvas.setFixedHeight(theme.px(_HEIGHT_PX))
        self.canvas.setMouseEnabled(x=False, y=False)
        self.canvas.setMenuEnabled(False)
        self.canvas.hideButtons()
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.canvas.setAccessibleName(plot["title"])
        self.canvas.setAccessibleDescription(_spoken(plot))
        self.canvas.setToolTip(_spoken(plot))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.title)
        layout.addWidget(self.canvas)
        self.draw()

    def draw(self) -> None:
        """Draw all series in the colours in force."""
        canvas = self.canvas
        canvas.clear()
        legend = canvas.addLegend(
            offset=(-8, 8),
            labelTextColor=theme.TEXT,
            labelTextSize=f"{theme.px(12)}px",
            brush=theme.PANEL,
        )
        legend.clear()
        for side, name in (("bottom", "x"), ("left", "y")):
            edge = canvas.getAxis(side)
            edge.enableAutoSIPrefix(False)
            edge.setPen(theme.PENDING)
            edge.setTextPen(theme.MUTED)
            edge.setLabel(axis(self.plot[name]), color=theme.MUTED.name())
        canvas.showGrid(x=False, y=True, alpha=0.15)
        for i, series in enumerate(self.plot["series"]):
            match self.plot["kind"]:
                case "bars":
                    self._bars(series, i)
                case "points":
                    self._points(series, i)
                case _:
                    self._line(series, i)
        self._give_room()

    def _give_room(self) -> None:
        """Ticks where bars stand, and room for the legend above what is drawn."""
        places = sorted({x for series in self.plot["series"] for x in series["x"]})
        bars = self.plot["kind"] == "bars" and len(places) <= _MOST_TICKS
        self.canvas.getAxis("bottom").setTicks([[(x, number(x)) for x in places]] if bars else None)
        self.canvas.enableAutoRange()
        view = self.canvas.getViewBox()
        view.updateAutoRange()
        low, high = view.viewRange()[1]
        legend = _AROUND + _ROW * min(len(self.plot["series"]), _MOST_ROWS)
        self.canvas.setYRange(low, low + (high - low) / (1 - legend), padding=0)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Draw anew in another palette."""
        if event.type() == QEvent.Type.PaletteChange:
            self.draw()
        super().changeEvent(event)

    def _line(self, series: dict[str, Any], i: int) -> None:
        colour = _COLOURS[i % len(_COLOURS)]
        if "low" in series:
            edges = [
                pyqtgraph.PlotDataItem(series["x"], series[name], pen=None)
                for name in ("low", "high")
            ]
            band = pyqtgraph.FillBetweenItem(*edges, brush=theme.faint(colour, _BAND_ALPHA))
            for item in (*edges, band):
                self.canvas.addItem(item)
        marked = len(series["x"]) <= _MOST_MARKS
        self.canvas.plot(
            series["x"],
            series["y"],
            pen=_pen(colour, i),
            symbol=_SYMBOLS[i % len(_SYMBOLS)] if marked else None,
            symbolSize=6,
            symbolBrush=colour,
            symbolPen=None,
            name=_named(series),
        )

    def _points(self, series: dict[str, Any], i: int) -> None:
        colour = _COLOURS[i % len(_COLOURS)]
        self._intervals(series, np.asarray(series["x"], float), colour)
        self.canvas.plot(
            series["x"],
            series["y"],
            pen=None,
            symbol=_SYMBOLS[i % len(_SYMBOLS)],
            symbolSize=8,
            symbolBrush=colour,
            symbolPen=None,
            name=_named(series),
        )

    def _bars(self, series: dict[str, Any], i: int) -> None:
        """Bars of several series stand side by side about their common place."""
        colour = _COLOURS[i % len(_COLOURS)]
        count = len(self.plot["series"])
        width = _spacing([x for one in self.plot["series"] for x in one["x"]]) * 0.86 / count
        places = np.asarray(series["x"], float) + (i - (count - 1) / 2) * width
        bars = pyqtgraph.BarGraphItem(
            x=places,
            height=series["y"],
            width=width * 0.96,
            brush=theme.faint(colour, 200),
            pen=colour,
            name=_named(series),
        )
        self.canvas.addItem(bars)
        self._intervals(series, places, theme.TEXT)

    def _intervals(self, series: dict[str, Any], places: Any, colour: QColor) -> None:
        if "low" not in series:
            return
        y, low, high = (np.asarray(series[name], float) for name in ("y", "low", "high"))
        beam = 0.2 * _spacing(series["x"])
        item = pyqtgraph.ErrorBarItem(
            x=places, y=y, top=high - y, bottom=y - low, beam=beam, pen=_pen(colour, 0)
        )
        self.canvas.addItem(item)


def _pen(colour: QColor, i: int) -> QPen:
    pen = QPen(colour, 2, _DASHES[i // len(_COLOURS) % len(_DASHES)])
    pen.setCosmetic(True)  # as wide on any scale of the axes
    return pen


def _named(series: dict[str, Any]) -> str:
    return f"{series['name']} · {tag(series['evidence'])}"


def _spacing(places: Sequence[float]) -> float:
    """The least distance between two places; 1 when there are not two."""
    ordered = sorted(set(places))
    return min((b - a for a, b in pairwise(ordered)), default=1.0)


def _spoken(plot: dict[str, Any]) -> str:
    """The picture in words."""
    told = [f"{axis(plot['y'])} – {axis(plot['x'])}."]
    for series in plot["series"]:
        if series["y"]:
            lowest, highest = number(min(series["y"])), number(max(series["y"]))
            words = QCoreApplication.translate(
                "PlotView", "{name}: {count} points from {lowest} to {highest}."
            )
            told.append(
                words.format(
                    name=_named(series), count=len(series["y"]), lowest=lowest, highest=highest
                )
            )
    return " ".join(told)
