"""Entries and cells whose words wrap where there is no room for them in one line."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSize
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem, QTableView

# Left and right, as the style sheet has it: Qt forgets it when it breaks lines.
_IN_LISTS, _IN_TABLES = 8, 5


class _Padded(QStyledItemDelegate):
    """As high as the words are within the padding."""

    def __init__(self, parent: QObject, padding: int) -> None:
        super().__init__(parent)
        self._padding = padding

    def sizeHint(  # noqa: N802 - Qt's name
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Asked for in the width of the list or the column; without one, words are not broken."""
        narrower = QStyleOptionViewItem(option)
        if option.rect.width() > 2 * self._padding:
            narrower.rect.setWidth(option.rect.width() - 2 * self._padding)
        return super().sizeHint(narrower, index)


def wrapping(view: QListView | QTableView) -> None:
    """Have the words of a list or a table wrap, anew at every width."""
    view.setWordWrap(True)
    if isinstance(view, QListView):
        view.setResizeMode(QListView.ResizeMode.Adjust)
    padding = _IN_LISTS if isinstance(view, QListView) else _IN_TABLES
    view.setItemDelegate(_Padded(view, padding))
