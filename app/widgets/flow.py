"""A layout whose widgets stand in a row while there is room, and wrap where there is none."""

from __future__ import annotations

import math

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget


class Flow(QLayout):
    """Rows from the left; what a row leaves over goes to its widgets that want to grow.

    `even` gives all widgets of a row the same width instead.
    """

    def __init__(self, *, spacing: int, even: bool = False, row_spacing: int | None = None) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._gap, self._even = spacing, even
        self._row_gap = spacing if row_spacing is None else row_spacing

    def add(self, *widgets: QWidget) -> None:
        """Append widgets."""
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802 - Qt's name
        """Append an item."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 - Qt's name
        """The item at an index, None past the end."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 - Qt's name
        """Take an item out."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802 - Qt's name
        """It takes what width there is."""
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        """Less width, more rows."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        """The height of all rows at a width."""
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """All in one row."""
        margins, seen = self.contentsMargins(), self._seen()
        width = sum(_wanted(item) for item in seen) + self._gap * max(len(seen) - 1, 0)
        width += margins.left() + margins.right()
        return QSize(width, self.heightForWidth(width))

    def minimumSize(self) -> QSize:  # noqa: N802 - Qt's name
        """The widest item alone."""
        margins = self.contentsMargins()
        width = max((item.minimumSize().width() for item in self._seen()), default=0)
        height = max((item.minimumSize().height() for item in self._seen()), default=0)
        return QSize(
            width + margins.left() + margins.right(), height + margins.top() + margins.bottom()
        )

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802 - Qt's name
        """Place everything."""
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def _seen(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _rows(self, width: int) -> list[list[QLayoutItem]]:
        rows: list[list[QLayoutItem]] = [[]]
        taken = 0
        for item in self._seen():
            wanted = _wanted(item)
            if rows[-1] and taken + wanted > width:
                rows.append([])
                taken = 0
            rows[-1].append(item)
            taken += wanted + self._gap
        if self._even and len(rows) > 1:  # no widget stands alone where rows can share
            items = [item for row in rows for item in row]
            columns = math.ceil(len(items) / len(rows))
            return [items[i : i + columns] for i in range(0, len(items), columns)]
        return rows

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        area = rect.marginsRemoved(self.contentsMargins())
        rows, top = self._rows(area.width()), area.top()
        columns = max(len(row) for row in rows)
        for row in rows:
            widths = self._widths(row, area.width(), columns)
            height = max((_height(i, w) for i, w in zip(row, widths, strict=True)), default=0)
            left = area.left()
            for item, width in zip(row, widths, strict=True):
                if move:
                    tall = height if self._even else min(_height(item, width), height)
                    at = QPoint(left, top + (height - tall) // 2)
                    item.setGeometry(QRect(at, QSize(width, tall)))
                left += width + self._gap
            top += height + self._row_gap
        margins = self.contentsMargins()
        return top - self._row_gap - rect.top() + margins.bottom()

    def _widths(self, row: list[QLayoutItem], width: int, columns: int) -> list[int]:
        if self._even:
            free = width - self._gap * (columns - 1)
            return [max(free // columns, 0)] * len(row)
        wanted = [min(_wanted(item), width) for item in row]
        growing = [_grows(item) for item in row]
        spare = width - sum(wanted) - self._gap * (len(row) - 1)
        if not any(growing) or spare <= 0:
            return wanted
        share = spare // sum(growing)
        return [own + share * grows for own, grows in zip(wanted, growing, strict=True)]


def _wanted(item: QLayoutItem) -> int:
    return max(item.sizeHint().width(), item.minimumSize().width())


def _height(item: QLayoutItem, width: int) -> int:
    if item.hasHeightForWidth():
        return item.heightForWidth(width)
    return max(item.sizeHint().height(), item.minimumSize().height())


def _grows(item: QLayoutItem) -> bool:
    widget = item.widget()
    policy = widget.sizePolicy().horizontalPolicy() if widget is not None else None
    return policy is QSizePolicy.Policy.Expanding
