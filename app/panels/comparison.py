"""A comparison: the same turn without and with PADS under each other, and what it changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.panels.profiler import Profiler
from engine.evaluation.comparison import (
    Agreement,
    earlier_in_words,
    read_events,
    replies_in_words,
)
from engine.events import Event
from engine.history.timeline import Timeline

AFTER_S = 4.0
"""How far past the end of a turn its picture reaches."""

_BEFORE_S = 40.0  # older events cannot reach into the picture
_COLUMNS = (
    "turn",
    "PADS\noff",
    "PADS\non",
    "earlier",
    "hidden",
    "visible",
    "wasted",
    "replies",
)
_ARMS = ("off", "on")


class Lane(QWidget):
    """One run's profiler with its caption."""

    def __init__(self, arm: str) -> None:
        super().__init__()
        self._arm = arm
        self._events: list[Event] = []
        self.profiler = Profiler(Timeline())
        self.profiler.setAccessibleName(f"Timeline with PADS {arm}")
        self.caption = QLabel()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.caption)
        layout.addWidget(self.profiler, 1)

    def take(self, events: list[Event]) -> None:
        """Take all that happened in the run."""
        self._events = events

    def show_until(self, to_s: float, side: dict[str, Any] | None, evidence: str) -> None:
        """Draw what was known at `to_s`, and say how long the turn's first word took."""
        timeline = self.profiler.timeline
        timeline.clear()
        for event in self._events:
            if to_s - _BEFORE_S <= event.heard_s <= to_s:
                timeline.take(event)
        timeline.now_s = to_s  # both lanes end at the same moment, whatever happened last
        self.profiler.redraw()
        said = "no such turn"
        if side is not None:
            said = "no reply"
            if "perceived_ttft_ms" in side:
                said = f"first word {side['perceived_ttft_ms']:.0f} ms after you stopped speaking"
                said += f" ({evidence})"
        self.caption.setText(f"<b>PADS {self._arm}</b> · {said}")


class Comparison(QWidget):
    """Shows a finished run of the job compare; choosing a turn in the table draws it."""

    def __init__(self) -> None:
        super().__init__()
        self.headline, self.verdict, self.words = QLabel(), QLabel(), QLabel()
        self.headline.setFont(theme.font(22, bold=True))
        for label in (self.headline, self.verdict, self.words):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.lanes = {arm: Lane(arm) for arm in _ARMS}
        self.table = QTableWidget(0, len(_COLUMNS))
        self._prepare_table()
        self._turns: list[dict[str, Any]] = []
        self._lay()

    def _prepare_table(self) -> None:
        table = self.table
        table.setHorizontalHeaderLabels(_COLUMNS)
        table.setAccessibleName("Turns")
        table.setAccessibleDescription("First word without and with PADS, and deep work with it")
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(len(_COLUMNS) - 1, QHeaderView.ResizeMode.Stretch)
        table.currentCellChanged.connect(lambda row, *_: self._show_turn(row))

    def _lay(self) -> None:
        both, scrolled, facts = QWidget(), QScrollArea(), QVBoxLayout()
        pictures = QVBoxLayout(both)
        pictures.setContentsMargins(0, 0, 0, 0)
        for lane in self.lanes.values():
            pictures.addWidget(lane, 1)
        scrolled.setWidget(both)
        scrolled.setWidgetResizable(True)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scrolled.setMinimumWidth(450)
        scrolled.setAccessibleName("Both timelines")
        self.unit = QLabel()
        self.unit.setObjectName("muted")
        self.unit.setWordWrap(True)
        for widget in (self.unit, self.table, self.words):
            facts.addWidget(widget)
        facts.setStretch(1, 1)
        self.table.setMinimumWidth(440)
        body = QHBoxLayout()
        body.setSpacing(16)
        body.addWidget(scrolled, 3)
        body.addLayout(facts, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.headline)
        layout.addWidget(self.verdict)
        layout.addLayout(body, 1)

    def show_run(self, folder: Path) -> None:
        """Show what a run of the job left in its folder; raises `OSError` if it left nothing."""
        result = json.loads((folder / "result.json").read_text("utf-8"))
        for arm, lane in self.lanes.items():
            lane.take(list(read_events(folder / f"{arm}.jsonl")))
        evidence = result["evidence"]
        self.headline.setText(earlier_in_words(result["earlier_ms"]))
        self.headline.setToolTip(result["earlier_ms"].get("method", ""))
        replies = result["replies"]
        self.verdict.setText(replies_in_words(replies, evidence))
        same = set(replies) == {Agreement.SAME.value}
        self.verdict.setStyleSheet(f"color: {(theme.HIDDEN if same else theme.ALERT).name()}")
        self.unit.setText(
            f"Milliseconds, {evidence}: from the end of speech to the first word; deep work with "
            "PADS on. Choose a turn to see it."
        )
        self._turns = result["turns"]
        self.table.setRowCount(0)
        self.table.setRowCount(len(self._turns))
        for row, turn in enumerate(self._turns):
            self._fill(row, turn)
        self.table.setCurrentCell(self._most_earlier(), 0)

    def _fill(self, row: int, turn: dict[str, Any]) -> None:
        on = turn["on"] or {}
        cells = [
            str(turn["turn"]),
            *(_ms((turn[arm] or {}).get("perceived_ttft_ms")) for arm in _ARMS),
            _ms(turn["earlier_ms"]["value"]),
            *(_ms(on.get(f"{fate}_ms")) for fate in ("hidden", "visible", "wasted")),
            turn["replies"],
        ]
        for column, text in enumerate(cells):
            item = QTableWidgetItem(text)
            name = _COLUMNS[column].replace("\n", " ")
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name}: {text}")
            item.setToolTip(turn["earlier_ms"].get("reason", "") if column == 3 else "")
            if column == len(cells) - 1:
                item.setForeground(QBrush(_colour(turn["replies"])))
            else:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.table.setItem(row, column, item)

    def _most_earlier(self) -> int:
        """The row of the turn that PADS changed most."""
        gains = [abs(turn["earlier_ms"]["value"] or 0.0) for turn in self._turns]
        return gains.index(max(gains)) if gains else -1

    def _show_turn(self, row: int) -> None:
        if not 0 <= row < len(self._turns):
            self.words.clear()
            return
        turn = self._turns[row]
        sides = {arm: turn[arm] for arm in _ARMS}
        to_s = AFTER_S + max(side["committed_s"] for side in sides.values() if side)
        for arm, lane in self.lanes.items():
            lane.show_until(to_s, sides[arm], turn["evidence"])
        self.words.setText(_words(turn))


def _words(turn: dict[str, Any]) -> str:
    """What was said in a turn and replied, once where both runs agree."""
    off, on = turn["off"] or {}, turn["on"] or {}
    if turn["replies"] == Agreement.SAME:
        count = len(on["tokens"])
        said = f"Reply of both, {count} of {count} token ids equal: {on['reply'].strip()}"
        return f"You: {on['heard']}\n\n{said}"
    lines = [f"You: {on.get('heard') or off.get('heard', '')}", f"Replies: {turn['replies']}."]
    for arm, side in (("off", off), ("on", on)):
        lines.append(f"PADS {arm}: {side.get('reply', 'no reply').strip()}")
    return "\n\n".join(lines)


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _colour(replies: str) -> QColor:
    return theme.HIDDEN if replies == Agreement.SAME else theme.ALERT
