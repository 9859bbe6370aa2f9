"""The line below the profiler: a block in words, and whether the view stands still."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app import theme


class Inspector(QWidget):
    """Words of an explanation, a button that is also the lamp "frozen", and one back to live."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hint = self.tr(
            "Wheel zooms, dragging or ←→ scrolls, Space freezes, L goes live. A click or PgUp/PgDn "
            "selects a turn; pointing or ↑↓ explains a block."
        )
        self.words = QLabel(self.hint)
        self.words.setWordWrap(True)
        self.words.setFont(theme.font(12))
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.freeze, self.live = QPushButton(), QPushButton(self.tr("Live"))
        self.freeze.setCheckable(True)
        self.live.setAccessibleName(self.tr("Follow the newest moment"))
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 14, 4)
        row.setSpacing(8)
        row.addWidget(self.words, 1)
        row.addWidget(self.freeze)
        row.addWidget(self.live)
        self.show_frozen(frozen=False)

    def show_frozen(self, *, frozen: bool) -> None:
        """Light the lamp or not."""
        self.freeze.setChecked(frozen)
        self.freeze.setText(self.tr("● frozen") if frozen else self.tr("Freeze"))
        self.freeze.setAccessibleName(
            self.tr("The view is frozen") if frozen else self.tr("Freeze the view")
        )

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        """No: it keeps its height."""
        return False

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Three lines of words, whatever is explained: the picture above must not jump.

        More only where a narrow window needs them.
        """
        lines = 3 * self.words.fontMetrics().lineSpacing()
        lines = max(lines, self.words.heightForWidth(self.words.width()))
        return QSize(super().sizeHint().width(), max(lines, self.freeze.sizeHint().height()) + 8)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Another width may take more lines, or fewer."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The same height."""
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())
