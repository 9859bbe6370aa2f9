"""The machine's vital signs: a number, its unit, a short history, or why there is none."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from app import theme
from app.engine_words import worded
from app.evidence import tag
from app.widgets.flow import Flow
from app.widgets.greyed import grey
from engine import events
from engine.events import Event, Evidence, Reading, VitalsRead
from engine.telemetry.heat import HOT_C

_HISTORY = 120
_STALE_S = 3.0
_FULL = 0.9  # of the memory: from here on the system begins to swap


class Sparkline(QWidget):
    """The last minute of one reading, and the threshold that matters, if there is one."""

    def __init__(self, colour: QColor) -> None:
        super().__init__()
        self.values: deque[float] = deque(maxlen=_HISTORY)
        self.threshold: float | None = None
        self._colour = colour
        self.setFixedHeight(20)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the line, scaled to its own range and the threshold."""
        if len(self.values) < 2:
            return
        shown = [*self.values, *([] if self.threshold is None else [self.threshold])]
        low, high = min(shown), max(shown)
        scale = (self.height() - 4) / max(high - low, 1e-9) if high > low else 0.0
        step = self.width() / (_HISTORY - 1)
        first = self.width() - step * (len(self.values) - 1)
        points = [
            QPointF(first + i * step, self.height() - 2 - (value - low) * scale)
            for i, value in enumerate(self.values)
        ]
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.threshold is not None:
                y = self.height() - 2 - (self.threshold - low) * scale
                painter.setPen(QPen(theme.ALERT, 1.0, Qt.PenStyle.DashLine))
                painter.drawLine(QPointF(0, y), QPointF(self.width(), y))
            painter.setPen(QPen(self._colour, 1.4))
            painter.drawPolyline(QPolygonF(points))


class Vital(QWidget):
    """One reading."""

    def __init__(self, meaning: str, colour: QColor, decimals: int = 0) -> None:
        super().__init__()
        self._meaning, self._decimals = meaning, decimals
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.value, self.words = QLabel("–"), QLabel(meaning)
        self.value.setFont(theme.font(18, bold=True))
        self.words.setObjectName("muted")
        self.words.setFont(theme.font(11))
        self.words.setWordWrap(True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.line = Sparkline(colour)
        past = self.tr("{meaning}: the last minute")
        self.line.setAccessibleName(past.format(meaning=meaning))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        layout.addWidget(self.value)
        layout.addWidget(self.words, 1)
        layout.addWidget(self.line)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As narrow as its words may be: rows of readings share the width."""
        return QSize(theme.px(140), super().sizeHint().height())

    def show_reading(
        self, reading: Reading, extra: str = "", *, drawn: float | None = None
    ) -> None:
        """Show a value, or that it is unavailable and why; `drawn` goes into the line instead."""
        if reading.value is None:
            self.value.setText("—")
            # The reason's first clause says why; what could be done about it is in the tip.
            why = worded(reading.reason).partition(";")[0].partition(" (")[0]
            words = self.tr("{meaning} unavailable: {why}")
            self.words.setText(words.format(meaning=self._meaning, why=why))
            self.line.hide()
        else:
            self.value.setText(_quantity(reading.value, reading.unit, self._decimals))
            parts = (self._meaning, extra, tag(reading.evidence))
            self.words.setText(" · ".join(part for part in parts if part))
            self.line.show()
            at = reading.value if drawn is None else drawn
            self.line.values.append(at)
            above = self.line.threshold is not None and at >= self.line.threshold
            theme.tone(self.value, "alert" if above else "")
            self.line.update()
        self.words.setToolTip(worded(reading.reason) or self.words.text())
        self.setAccessibleName(f"{self.value.text()} {self.words.text()}")


def _quantity(value: float, unit: str, decimals: int) -> str:
    """A value with its unit, in thousands where that reads better."""
    larger = {"MB": "GB", "MHz": "GHz"}.get(unit)
    if larger is not None and value >= 1000:
        return f"{value / 1000:.1f} {larger}"
    return f"{value:.{decimals}f} {unit}"


class Cores(QWidget):
    """Load of every core as a row of bars."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: tuple[float, ...] = ()
        self.setAccessibleName(self.tr("Load of every core"))
        self.setFixedHeight(20)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw one bar a core."""
        width = min(18.0, self.width() / max(len(self.loads), 1))
        with QPainter(self) as painter:
            for i, load in enumerate(self.loads):
                left, full = round(i * width), self.height()
                painter.fillRect(left, 0, round(width) - 3, full, theme.LINE)
                height = round(full * min(load, 100.0) / 100)
                painter.fillRect(left, full - height, round(width) - 3, height, theme.AUDIO)


class Vitals(QWidget):
    """All readings in a row; greys out when its source falls silent."""

    def __init__(self) -> None:
        super().__init__()
        self.load = Vital(self.tr("cores busy"), theme.AUDIO)
        self.cores = Cores()
        self.load.layout().replaceWidget(self.load.line, self.cores)  # type: ignore[union-attr]
        self.load.line.setParent(None)
        self.clock = Vital(self.tr("clock"), theme.AUDIO)
        self.temperature = Vital(self.tr("temperature"), theme.VISIBLE)
        self.temperature.line.threshold = HOT_C
        self.throttles = Vital(self.tr("throttling"), theme.WASTED)
        self.memory = Vital(self.tr("memory"), theme.SHALLOW)
        self.energy = Vital(self.tr("power"), theme.HIDDEN, 1)
        self.lost = Vital(self.tr("audio blocks lost"), theme.WASTED)
        self.lost.line.hide()
        self._lost_blocks = 0
        layout = Flow(spacing=18, even=True, row_spacing=10)
        layout.setContentsMargins(16, 8, 16, 6)
        machine = (self.load, self.clock, self.temperature, self.throttles, self.memory)
        layout.add(*machine, self.energy, self.lost)
        self.setLayout(layout)
        self._read_s = time.monotonic()

    def take(self, event: Event) -> None:
        """Count what was lost of the present source."""
        match event:
            case events.SourceOpened():
                self._lost_blocks = 0
            case events.BlocksDropped():
                self._lost_blocks += event.blocks
            case _:
                return
        self.lost.value.setText(str(self._lost_blocks))
        said = self.tr("audio blocks lost · {evidence}")
        self.lost.words.setText(said.format(evidence=tag(Evidence.MEASURED)))

    def show_gauge(self, gauge: Any) -> None:
        """Take a gauge; other gauges than `VitalsRead` are not for this panel."""
        if not isinstance(gauge, VitalsRead):
            return
        self._read_s = time.monotonic()
        self.setEnabled(True)
        grey(self, False)
        loads = gauge.core_loads
        mean = sum(loads) / len(loads) if loads else 0.0
        self.load.value.setText(f"{mean:.0f} %")
        own = gauge.own_load
        said = self.tr("of {n} cores · own {own:.0f} % of one · {evidence}")
        if own.value is None:
            said = self.tr("of {n} cores · {evidence}")
        facts = {"n": len(loads), "own": own.value, "evidence": tag(own.evidence)}
        self.load.words.setText(said.format(**facts))
        self.cores.loads = loads
        self.cores.setAccessibleDescription(", ".join(f"{load:.0f} %" for load in loads))
        self.cores.update()
        self.clock.show_reading(gauge.clock, self._clocks(gauge.core_clocks_mhz))
        self.temperature.show_reading(gauge.temperature, self._hottest(gauge.core_temperature))
        self.throttles.show_reading(gauge.throttles, gauge.slowed_by)
        if gauge.throttles.value is None and gauge.slowed_by:
            self.throttles.words.setText(f"{self.throttles.words.text()} · {gauge.slowed_by}")
        self._show_memory(gauge)
        self.energy.show_reading(gauge.energy)

    def _clocks(self, each: tuple[float, ...]) -> str:
        if len(each) < 2:
            return ""
        low, high = min(each) / 1000, max(each) / 1000
        return self.tr("{low:.1f} to {high:.1f} GHz").format(low=low, high=high)

    def _hottest(self, core: Reading) -> str:
        if core.value is None:
            return self.tr("single cores unavailable")
        return self.tr("hottest core {c:.0f} °C").format(c=core.value)

    def _show_memory(self, gauge: VitalsRead) -> None:
        """The application's own share, and what all programs use; the line draws the latter."""
        used, total = gauge.memory_used, gauge.memory_total
        if used.value is None or total.value is None:
            self.memory.show_reading(gauge.own_memory)
            return
        self.memory.line.threshold = _FULL * total.value
        said = self.tr("own share; {used} of {total} used")
        facts = {
            "used": _quantity(used.value, used.unit, 0),
            "total": _quantity(total.value, total.unit, 0),
        }
        self.memory.show_reading(gauge.own_memory, said.format(**facts), drawn=used.value)

    def watch(self) -> None:
        """Grey out what has become stale."""
        if self.isEnabled() and time.monotonic() - self._read_s > _STALE_S:
            self.setEnabled(False)
            grey(self, True)
            self.load.words.setText(self.tr("no readings arrive"))
