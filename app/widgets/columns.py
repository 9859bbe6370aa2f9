"""Three columns where there is room; where there is none, the middle one above the others."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from app import theme

_MIDDLE_PX = 460  # what the middle column needs at text size 100 %


class Side(QFrame):
    """A column of widgets, `width` pixels wide at text size 100 %."""

    def __init__(self, widgets: list[QWidget], width: int) -> None:
        super().__init__()
        self.setObjectName("side")
        self._width = width
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 12, 10)
        layout.setSpacing(10)
        for widget in widgets:
            layout.addWidget(widget)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Its own width, whatever is in it."""
        return QSize(theme.px(self._width), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The same width: words in it wrap."""
        return QSize(theme.px(self._width), super().minimumSizeHint().height())


class Columns(QWidget):
    """Lays out `left`, `middle` and `right` by its width."""

    def __init__(self, left: Side, middle: QWidget, right: Side) -> None:
        super().__init__()
        self._left, self._middle, self._right = left, middle, right
        self._rules = rule(vertical=True), rule(vertical=True)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        self._narrow: bool | None = None
        self._arrange(narrow=False)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As narrow as it can be arranged, as high as it is arranged now."""
        sides = self._left.minimumSizeHint().width() + self._right.minimumSizeHint().width()
        width = max(self._middle.minimumSizeHint().width(), sides + 1)
        return QSize(width, self._grid.minimumSize().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Rearrange when the width has become too small or large enough."""
        super().resizeEvent(event)
        sides = self._left.sizeHint().width() + self._right.sizeHint().width()
        self._arrange(narrow=self.width() < sides + theme.px(_MIDDLE_PX))

    def _arrange(self, *, narrow: bool) -> None:
        if narrow == self._narrow:
            return
        self._narrow = narrow
        first, second = self._rules
        for widget in (self._left, first, self._middle, second, self._right):
            self._grid.removeWidget(widget)
        second.setVisible(not narrow)
        if narrow:
            self._grid.addWidget(self._middle, 0, 0, 1, 5)
            self._grid.addWidget(self._left, 1, 0, 1, 3)
            self._grid.addWidget(first, 1, 3)
            self._grid.addWidget(self._right, 1, 4)
        else:
            for column, widget in enumerate((self._left, first, self._middle, second, self._right)):
                self._grid.addWidget(widget, 0, column)
        self._grid.setColumnStretch(2, 1)
        self._grid.setRowStretch(0, 1)
        self.updateGeometry()


def rule(*, vertical: bool) -> QFrame:
    """A thin line between panels."""
    line = QFrame()
    line.setObjectName("rule")
    if vertical:
        line.setFixedWidth(1)
    else:
        line.setFixedHeight(1)
    return line
