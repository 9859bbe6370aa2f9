"""Entries of a list whose words wrap where the list is narrow."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem

_PADDING = 8  # left and right, as the style sheet has it: Qt forgets it when it breaks lines


class Entries(QStyledItemDelegate):
    """Gives entries the height that their words need within the padding."""

    def sizeHint(  # noqa: N802 - Qt's name
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """As high as the words are in a list of this width."""
        narrower = QStyleOptionViewItem(option)
        narrower.rect.setWidth(option.rect.width() - 2 * _PADDING)
        return super().sizeHint(narrower, index)


def wrapping(view: QListView) -> None:
    """Have a list's entries wrap, anew at every width."""
    view.setWordWrap(True)
    view.setResizeMode(QListView.ResizeMode.Adjust)
    view.setItemDelegate(Entries(view))
