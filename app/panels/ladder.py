"""The exit ladder: one rung a layer, lit to the depth a token used; the token strip.

At readable speed tokens are shown one by one, each with what became of it; the engine goes on as
fast as ever.
"""

from __future__ import annotations

import time
from collections import deque

from PySide6.QtCore import QCoreApplication, QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app import theme
from app.engine_words import policy
from app.pacing import Pacing
from app.phrases import QT_TRANSLATE_NOOP
from app.widgets.flow import Flow
from engine import events
from engine.events import Event, TokenDecoded, TokenOutcome

OUTCOMES = {
    TokenOutcome.KEPT: (theme.SHALLOW, QT_TRANSLATE_NOOP("Outcome", "drafted and kept")),
    TokenOutcome.CORRECTED: (theme.VISIBLE, QT_TRANSLATE_NOOP("Outcome", "corrected")),
    TokenOutcome.DEEP: (theme.HIDDEN, QT_TRANSLATE_NOOP("Outcome", "deep")),
    TokenOutcome.SHALLOW: (theme.WASTED, QT_TRANSLATE_NOOP("Outcome", "shallow, unverified")),
}

_CHANGING = events.EngineReady | events.SourceOpened


class Rungs(QWidget):
    """One bar a layer, the deepest on top; the exit layer is outlined."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Layers used by the token"))
        self.layers, self.exit_layer = 30, 10
        self.token: TokenDecoded | None = None
        self.setMinimumHeight(160)

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
            return theme.RAISED
        if layer < self.exit_layer:
            return theme.SHALLOW
        depth = (layer - self.exit_layer) / max(self.layers - self.exit_layer, 1)
        return theme.HIDDEN.darker(round(100 + 110 * depth))


class Strip(QWidget):
    """The newest tokens, coloured by how each came about."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Newest tokens"))
        self.tokens: deque[TokenDecoded] = deque(maxlen=80)
        self.setMinimumHeight(120)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw as many of the newest tokens as fit, in reading order."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(theme.font(11, bold=True))
            metrics, gap = painter.fontMetrics(), 4
            height = metrics.height() + 8
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
                    painter.setPen(theme.INK)
                    text = token.text.strip() or "␣"
                    painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)
                    x += width + gap


class Ladder(QWidget):
    """Depth of the shown token, exit policy, acceptance, and the strip of tokens.

    `slow` is the control of readable speed; all shown figures belong to the shown tokens.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Exit ladder"))
        self.rungs, self.strip = Rungs(), Strip()
        self.words = QLabel(self.tr("No token yet"))
        self.words.setObjectName("muted")
        self.words.setWordWrap(True)
        self.token = QLabel()
        self.token.setWordWrap(True)
        self.token.setTextFormat(Qt.TextFormat.PlainText)
        self.token.hide()
        heading = QLabel(self.tr("EXIT LADDER"))
        heading.setObjectName("heading")
        self.slow = QPushButton(self.tr("Slow"))
        self.slow.setCheckable(True)
        self.slow.setShortcut("R")
        self.slow.setAccessibleName(self.tr("Show tokens at readable speed"))
        self.slow.setToolTip(
            self.tr("Shows each token long enough to read it (R); the engine is not slowed.")
        )
        self.slow.toggled.connect(self._pace)
        heading.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        top = Flow(spacing=6)
        top.add(heading, self.slow)
        self.key = QLabel()
        self.key.setFont(theme.font(11))
        self.key.setWordWrap(True)
        self._explain_colours()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(top)
        for widget, stretch in (
            (self.rungs, 3),
            (self.words, 0),
            (self.token, 0),
            (self.strip, 2),
            (self.key, 0),
        ):
            layout.addWidget(widget, stretch)
        self._pacing = Pacing()
        self._policy = ""
        self._kept = self._checked = 0
        self._stale = True

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Another palette has other colours to explain."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._explain_colours()

    def _explain_colours(self) -> None:
        parts = [
            f"<span style='color:{colour.name()}'>■</span>&nbsp;"
            f"{QCoreApplication.translate('Outcome', words)}&nbsp; "
            for outcome, (colour, words) in OUTCOMES.items()
            if outcome is not TokenOutcome.SHALLOW
        ]
        self.key.setText("".join(parts))

    def take(self, event: Event) -> None:
        """Take the next event."""
        self._stale = self._stale or isinstance(event, _CHANGING)
        match event:
            case events.EngineReady():
                decoder = event.details.get("decoder", {})
                self.rungs.layers = int(decoder.get("layers", 30))
                self.rungs.exit_layer = int(decoder.get("exit_layer", 10))
                self._policy = str(decoder.get("exit_policy", ""))
            case events.SourceOpened():
                self._pacing.clear()
                self.strip.tokens.clear()
                self.rungs.token = None
                self._kept = self._checked = 0
                self.words.setText(self.tr("No token yet"))
                self.token.setText("")
            case events.TokenDecoded():
                self._pacing.add(event)

    def _pace(self, slow: bool) -> None:
        self._pacing.slow = slow
        self.token.setVisible(slow)

    def _show(self, token: TokenDecoded) -> None:
        if token.index == 0:
            self.strip.tokens.clear()
        self.strip.tokens.append(token)
        self.rungs.token = token
        self._kept += token.outcome is TokenOutcome.KEPT
        self._checked += token.outcome in (TokenOutcome.KEPT, TokenOutcome.CORRECTED)

    def _tell(self, token: TokenDecoded) -> None:
        """Say in words what the newest of the shown tokens adds."""
        words = self.tr("exit layer {exit} of {layers} · {policy}").format(
            exit=self.rungs.exit_layer, layers=self.rungs.layers, policy=policy(self._policy)
        )
        if self._checked:
            words += " · " + self.tr(
                "{kept} of {checked} checked drafts kept ({share:.0f} %, measured)"
            ).format(kept=self._kept, checked=self._checked, share=100 * self._kept / self._checked)
        self.words.setText(words)
        one = self.tr("“{text}”: {outcome}, layers used {used} of {layers}").format(
            text=token.text.strip() or "␣",
            outcome=QCoreApplication.translate("Outcome", OUTCOMES[token.outcome][1]),
            used=token.layers_used,
            layers=token.layers_total,
        )
        self.token.setText(one)
        self.setAccessibleDescription(f"{words}. {one}" if self._pacing.slow else words)

    def redraw(self, now_s: float | None = None) -> None:
        """Show the tokens that are due; `now_s` is `time.monotonic()`, read here when None."""
        due = self._pacing.due(time.monotonic() if now_s is None else now_s)
        for token in due:
            self._show(token)
        if due:
            self._tell(due[-1])
        if due or self._stale:
            self._stale = False
            self.rungs.update()
            self.strip.update()
