"""A comparison: the same turn without and with PADS under each other, and what it changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QBrush, QColor, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QScrollArea,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.engine_words import worded
from app.evidence import tag
from app.panels.profiler import Profiler
from app.phrases import QT_TRANSLATE_NOOP
from app.widgets.scrolled import Scrolled
from engine.evaluation.conversations.comparison import (
    Agreement,
    earlier_in_words,
    read_events,
    replies_in_words,
)
from engine.events import Event
from engine.history.timeline import Timeline

_AFTER_S = 3.5  # past the later first word: its reply has room to begin where it began

_BESIDE_PX = 1000  # that timelines and table need beside each other, at text size 100 %
_SPAN_S = 8.0  # seen at once: so much that the first words' distance is, too
_BEFORE_S = 40.0  # older events cannot reach into the picture
_COLUMNS = (
    QT_TRANSLATE_NOOP("Comparison", "turn"),
    QT_TRANSLATE_NOOP("Comparison", "PADS\noff"),
    QT_TRANSLATE_NOOP("Comparison", "PADS\non"),
    QT_TRANSLATE_NOOP("Comparison", "earlier"),
    QT_TRANSLATE_NOOP("Comparison", "hidden"),
    QT_TRANSLATE_NOOP("Comparison", "visible"),
    QT_TRANSLATE_NOOP("Comparison", "wasted"),
    QT_TRANSLATE_NOOP("Comparison", "replies"),
)
_ARMS = ("off", "on")


class Lane(QWidget):
    """One run's profiler with its caption."""

    def __init__(self, arm: str) -> None:
        super().__init__()
        on = arm == "on"
        self._name = self.tr("PADS on") if on else self.tr("PADS off")
        self._events: list[Event] = []
        self.profiler = Profiler(Timeline())
        self.profiler.view.span_s = _SPAN_S
        self.profiler.setAccessibleName(
            self.tr("Timeline with PADS on") if on else self.tr("Timeline with PADS off")
        )
        for button in (self.profiler.inspector.freeze, self.profiler.inspector.live):
            button.hide()  # there is no newest moment to follow
        self.caption = QLabel()
        self.caption.setWordWrap(True)
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
        said = self.tr("no such turn")
        if side is not None:
            said = self.tr("no reply")
            if "perceived_ttft_ms" in side:
                said = self.tr("first word {ms:.0f} ms after you stopped speaking ({evidence})")
                said = said.format(ms=side["perceived_ttft_ms"], evidence=tag(evidence))
        self.caption.setText(f"<b>{self._name}</b> · {said}")


class Comparison(QWidget):
    """Shows a finished run of the job compare; choosing a turn in the table draws it."""

    def __init__(self) -> None:
        super().__init__()
        self._turns: list[dict[str, Any]] = []
        self.headline, self.verdict, self.words = QLabel(), QLabel(), QLabel()
        self.conditions = QLabel()
        theme.tone(self.conditions, "alert")
        self.headline.setFont(theme.font(22, bold=True))
        for label in (self.headline, self.verdict, self.conditions, self.words):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.lanes = {arm: Lane(arm) for arm in _ARMS}
        self.table = QTableWidget(0, len(_COLUMNS))
        self._prepare_table()
        self._lay()

    def _prepare_table(self) -> None:
        table = self.table
        table.setHorizontalHeaderLabels([self.tr(name) for name in _COLUMNS])
        table.setAccessibleName(self.tr("Turns"))
        table.setAccessibleDescription(
            self.tr("First word without and with PADS, and deep work with it")
        )
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
        both, scrolled, beside = QWidget(), QScrollArea(), QWidget()
        facts = QVBoxLayout(beside)
        facts.setContentsMargins(0, 0, 0, 0)
        pictures = QVBoxLayout(both)
        pictures.setContentsMargins(0, 0, 0, 0)
        for lane in self.lanes.values():
            pictures.addWidget(lane, 1)
        scrolled.setWidget(both)
        scrolled.setWidgetResizable(True)
        scrolled.setMinimumSize(450, 300)
        scrolled.setAccessibleName(self.tr("Both timelines"))
        self.unit = QLabel()
        self.unit.setObjectName("muted")
        self.unit.setWordWrap(True)
        said = Scrolled(self.words, self.tr("What was said"))
        for widget, share in ((self.unit, 0), (self.table, 1), (said, 1)):
            facts.addWidget(widget, share)
        self.table.setMinimumSize(theme.px(440), 160)
        self.body = body = QSplitter(Qt.Orientation.Horizontal)
        body.setChildrenCollapsible(False)
        body.addWidget(scrolled)
        body.addWidget(beside)
        body.setStretchFactor(0, 3)
        body.setStretchFactor(1, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.headline)
        layout.addWidget(self.verdict)
        layout.addWidget(self.conditions)
        layout.addWidget(body, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Timelines and table stand below each other where there is no room for both."""
        super().resizeEvent(event)
        beside = self.width() >= theme.px(_BESIDE_PX)
        self.body.setOrientation(Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical)

    def show_run(self, folder: Path) -> None:
        """Show what a run of the job left in its folder; raises `OSError` if it left nothing."""
        result = json.loads((folder / "result.json").read_text("utf-8"))
        for arm, lane in self.lanes.items():
            lane.take(list(read_events(folder / f"{arm}.jsonl")))
        evidence = result["evidence"]
        earlier = {**result["earlier_ms"], "evidence": tag(result["earlier_ms"]["evidence"])}
        self.headline.setText(earlier_in_words(earlier, worded))
        self.headline.setToolTip(result["earlier_ms"].get("method", ""))
        replies = result["replies"]
        self.verdict.setText(replies_in_words(replies, tag(evidence), worded))
        same = set(replies) == {Agreement.SAME.value}
        theme.tone(self.verdict, "hidden" if same else "alert")
        self._tell_conditions(result.get("protocol", {}).get("broken", []))
        unit = self.tr(
            "Milliseconds, {evidence}: from the end of speech to the first word; deep work with "
            "PADS on. Choose a turn to see it."
        )
        self.unit.setText(unit.format(evidence=tag(evidence)))
        self._turns = result["turns"]
        self.table.setRowCount(0)
        self.table.setRowCount(len(self._turns))
        for row, turn in enumerate(self._turns):
            self._fill(row, turn)
        self._give_room()
        self.table.setCurrentCell(self._most_earlier(), 0)

    def _tell_conditions(self, broken: list[str]) -> None:
        """Say what else may be in the figures, where the machine was not at rest."""
        said = self.tr(
            "Not measured at rest, so the figures tell of other things than PADS, too: {why}."
        )
        self.conditions.setText(said.format(why="; ".join(broken)))
        self.conditions.setVisible(bool(broken))

    def _give_room(self) -> None:
        """Let the table be as wide as its words, in whatever language and size."""
        table, header = self.table, self.table.horizontalHeader()
        needs = [
            max(header.sectionSizeHint(column), table.sizeHintForColumn(column))
            for column in range(table.columnCount())
        ]
        beside = 2 * table.frameWidth() + table.verticalScrollBar().sizeHint().width()
        table.setMinimumWidth(sum(needs) + beside)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """The verdicts' colours are those of the palette in force."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._give_room()
            for row, turn in enumerate(self._turns):
                cell = self.table.item(row, len(_COLUMNS) - 1)
                if cell is not None:
                    cell.setForeground(QBrush(_colour(turn["replies"])))

    def _fill(self, row: int, turn: dict[str, Any]) -> None:
        on = turn["on"] or {}
        cells = [
            str(turn["turn"]),
            *(_ms((turn[arm] or {}).get("perceived_ttft_ms")) for arm in _ARMS),
            _ms(turn["earlier_ms"]["value"]),
            *(_ms(on.get(f"{fate}_ms")) for fate in ("hidden", "visible", "wasted")),
            worded(turn["replies"]),
        ]
        for column, text in enumerate(cells):
            item = QTableWidgetItem(text)
            name = self.tr(_COLUMNS[column]).replace("\n", " ")
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
        to_s = _AFTER_S + max(
            side["committed_s"] + side.get("perceived_ttft_ms", 0.0) / 1000
            for side in sides.values()
            if side
        )
        for arm, lane in self.lanes.items():
            lane.show_until(to_s, sides[arm], turn["evidence"])
        self.words.setText(_words(turn))


def _words(turn: dict[str, Any]) -> str:
    """What was said in a turn and replied, once where both runs agree."""
    translate = QCoreApplication.translate
    off, on = turn["off"] or {}, turn["on"] or {}
    you = translate("Comparison", "You: {words}")
    if turn["replies"] == Agreement.SAME:
        said = translate("Comparison", "Reply of both, {n} of {n} token ids equal: {reply}")
        said = said.format(n=len(on["tokens"]), reply=on["reply"].strip())
        return f"{you.format(words=on['heard'])}\n\n{said}"
    replies, none = translate("Comparison", "Replies: {how}."), translate("Comparison", "no reply")
    lines = [
        you.format(words=on.get("heard") or off.get("heard", "")),
        replies.format(how=worded(turn["replies"])),
        f"{translate('Comparison', 'PADS off')}: {off.get('reply', none).strip()}",
        f"{translate('Comparison', 'PADS on')}: {on.get('reply', none).strip()}",
    ]
    return "\n\n".join(lines)


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _colour(replies: str) -> QColor:
    return theme.HIDDEN if replies == Agreement.SAME else theme.ALERT
