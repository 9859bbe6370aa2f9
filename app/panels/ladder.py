"""The exit ladder: one rung a layer, lit to the depth the newest token used; the token strip."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app import theme
from engine import events
from engine.events import Event, TokenDecoded, TokenOutcome

OUTCOMES = {
    TokenOutcome.KEPT: (theme.SHALLOW, "drafted and kept"),
    TokenOutcome.CORRECTED: (theme.VISIBLE, "corrected"),
    TokenOutcome.DEEP: (theme.HIDDEN, "deep"),
    TokenOutcome.SHALLOW: (theme.WASTED, "shallow, unverified"),
}

_CHANGING = events.EngineReady | events.SourceOpened | events.TokenDecoded


class Rungs(QWidget):
    """One bar a layer, the deepest on top; the exit layer is outlined."""

    def __init__(self) -> None:
        super().__init__()
        self.layers, self.exit_layer = 30, 10
        self.token: TokenDecoded | None = None
        self.setMinimumHeight(200)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the ladder."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            step = self.height() / self.layers
            for layer in range(self.layers):
                top = self.height() - (layer + 1) * step
                rung = QRectF(1, top + 1, self.width() - 2, max(step - 2, 1))
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._colour(layer))
                painter.drawRoundedRect(rung, 2, 2)
                if layer == self.exit_layer - 1:
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.setPen(QPen(theme.TEXT, 1))
                    painter.drawRoundedRect(rung, 2, 2)

    def _colour(self, layer: int) -> QColor:
        if self.token is None or layer >= self.token.layers_used:
            return theme.LINE
        if layer < self.exit_layer:
            return theme.SHALLOW
        depth = (layer - self.exit_layer) / max(self.layers - self.exit_layer, 1)
        return theme.HIDDEN.darker(round(100 + 110 * depth))


class Strip(QWidget):
    """The newest tokens, coloured by how each came about."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens: deque[TokenDecoded] = deque(maxlen=80)
        self.setMinimumHeight(150)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw as many of the newest tokens as fit, in reading order."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(theme.font(11, bold=True))
            metrics, height, gap = painter.fontMetrics(), 22, 4
            rows: list[list[tuple[TokenDecoded, float]]] = [[]]
            x = 0.0
            for token in self.tokens:
                words = token.text.strip() or "␣"
                width = min(metrics.horizontalAdvance(words) + 10.0, float(self.width()))
                if x + width > self.width() and rows[-1]:
                    rows.append([])
                    x = 0.0
                rows[-1].append((token, width))
                x += width + gap
            fitting = rows[-max(1, self.height() // (height + gap)) :]
            for i, row in enumerate(fitting):
                x = 0.0
                for token, width in row:
                    chip = QRectF(x, i * (height + gap), width, height)
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(OUTCOMES[token.outcome][0])
                    painter.drawRoundedRect(chip, 4, 4)
                    painter.setPen(QColor("#0c1017"))
                    text = token.text.strip() or "␣"
                    painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)
                    x += width + gap


class Ladder(QWidget):
    """Depth of the newest token, acceptance, and the strip of tokens."""

    def __init__(self) -> None:
        super().__init__()
        self.rungs, self.strip = Rungs(), Strip()
        self.words = QLabel("No token yet")
        self.words.setObjectName("muted")
        self.words.setWordWrap(True)
        self.words.setMinimumHeight(34)
        heading = QLabel("EXIT LADDER")
        heading.setObjectName("heading")
        key = QLabel(
            "".join(
                f"<span style='color:{colour.name()}'>■</span> {words}&nbsp; "
                for outcome, (colour, words) in OUTCOMES.items()
                if outcome is not TokenOutcome.SHALLOW
            )
        )
        key.setFont(theme.font(11))
        key.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for widget, stretch in (
            (heading, 0),
            (self.rungs, 3),
            (self.words, 0),
            (self.strip, 2),
            (key, 0),
        ):
            layout.addWidget(widget, stretch)
        self._kept = self._checked = 0
        self._stale = True

    def take(self, event: Event) -> None:
        """Take the next event."""
        self._stale = self._stale or isinstance(event, _CHANGING)
        match event:
            case events.EngineReady():
                decoder = event.details.get("decoder", {})
                self.rungs.layers = int(decoder.get("layers", 30))
                self.rungs.exit_layer = int(decoder.get("exit_layer", 10))
            case events.SourceOpened():
                self.strip.tokens.clear()
                self.rungs.token = None
                self._kept = self._checked = 0
                self.words.setText("No token yet")
            case events.TokenDecoded():
                self._token(event)

    def _token(self, token: TokenDecoded) -> None:
        if token.index == 0:
            self.strip.tokens.clear()
        self.strip.tokens.append(token)
        self.rungs.token = token
        self._kept += token.outcome is TokenOutcome.KEPT
        self._checked += token.outcome in (TokenOutcome.KEPT, TokenOutcome.CORRECTED)
        exit_layer = self.rungs.exit_layer
        if self._checked:
            share = 100 * self._kept / self._checked
            self.words.setText(
                f"exit layer {exit_layer} of {self.rungs.layers} · {self._kept} of "
                f"{self._checked} checked drafts kept ({share:.0f} %, measured)"
            )
        self.setAccessibleDescription(self.words.text())

    def redraw(self) -> None:
        """Draw the newest state if it is not drawn yet."""
        if self._stale:
            self._stale = False
            self.rungs.update()
            self.strip.update()
