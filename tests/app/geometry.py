"""Words that cannot be read: cut off, shortened to an ellipsis, out of view, or over each other.

What can be scrolled to by a scroll bar counts as in view.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListView,
    QMenuBar,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QTableView,
    QToolButton,
    QWidget,
)

ELLIPSIS = "…"
_IN_LISTS, _IN_CELLS = 11, 5  # left and right of words, as the style sheet has it
MAY_BE_SHORTENED = {"Words"}
"""Classes whose words may end in an ellipsis: one line of a talk, whole for screen readers."""


def unreadable(root: QWidget) -> list[str]:
    """One line for everything that is wrong below a visible window."""
    shown = [w for w in (root, *root.findChildren(QWidget)) if w.isVisibleTo(root)]
    found = [f"{_name(widget)}: {fault}" for widget in shown for fault in _faults(widget, root)]
    return found + _overlaps([w for w in shown if _words(w)], root)


def _faults(widget: QWidget, root: QWidget) -> Iterator[str]:
    match widget:
        case QLabel():
            yield from _label(widget)
        case QToolButton() if widget.objectName() == "qt_menubar_ext_button":
            yield "the menu bar has no room for all its menus"
        case QAbstractButton() if widget.text():
            yield from _smaller(widget.size(), widget.minimumSizeHint())
        case QComboBox():
            yield from _combo_box(widget)
        case QAbstractSpinBox():
            yield from _smaller(widget.size(), widget.minimumSizeHint())
        case QLineEdit():
            yield from _line(widget)
        case QHeaderView():
            yield from _header(widget)
        case QAbstractItemView():
            yield from _items(widget)
        case QTabBar():
            yield from _tabs(widget)
        case QGroupBox():
            if widget.fontMetrics().horizontalAdvance(widget.title()) > widget.width():
                yield "its title is cut off"
    if _words(widget):
        yield from _out_of_view(widget, root)


def _smaller(has: QSize, needs: QSize) -> Iterator[str]:
    if has.width() < needs.width() or has.height() < needs.height():
        yield f"{has.width()} x {has.height()} where {needs.width()} x {needs.height()} are needed"


def _label(label: QLabel) -> Iterator[str]:
    if not label.text() or label.pixmap().width():
        return
    needs = label.minimumSizeHint()
    if label.wordWrap():
        needs.setHeight(max(needs.height(), label.heightForWidth(label.width())))
    if type(label.parentWidget()).__name__ in MAY_BE_SHORTENED:
        needs.setWidth(0)
    elif label.accessibleName().startswith(label.text().rstrip(ELLIPSIS)) and (
        len(label.accessibleName()) > len(label.text())
    ):
        yield "it is shortened to an ellipsis"
    yield from _smaller(label.size(), needs)


def _combo_box(box: QComboBox) -> Iterator[str]:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    field = box.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox,
        option,
        QStyle.SubControl.SC_ComboBoxEditField,
        box,
    )
    if box.fontMetrics().horizontalAdvance(box.currentText()) > field.width():
        yield f"{box.currentText()!r} does not fit into {field.width()} pixels"
    if box.fontMetrics().height() > field.height():
        yield f"a line does not fit into {field.height()} pixels"


def _line(line: QLineEdit) -> Iterator[str]:
    metrics, room = line.fontMetrics(), line.contentsRect()
    hint = "" if line.text() else line.placeholderText()
    if metrics.horizontalAdvance(hint) > room.width():
        yield f"its hint {hint!r} is cut off"
    if metrics.height() > room.height():
        yield f"a line does not fit into {room.height()} pixels"


def _header(header: QHeaderView) -> Iterator[str]:
    model = header.model()
    if model is None or header.orientation() is not Qt.Orientation.Horizontal:
        return
    for section in range(header.count()):
        if header.isSectionHidden(section):
            continue
        text = str(model.headerData(section, header.orientation()) or "")
        needs = max(
            header.fontMetrics().horizontalAdvance(line) for line in text.split("\n") or [""]
        )
        if needs > header.sectionSize(section):
            yield f"the column {text!r} has {header.sectionSize(section)} of {needs} pixels"
    if header.fontMetrics().height() > header.height():
        yield "its words are higher than it is"


def _items(view: QAbstractItemView) -> Iterator[str]:
    """Cells and entries in view whose words do not fit into their place."""
    model = view.model()
    if model is None:
        return
    wraps = isinstance(view, QTableView | QListView) and view.wordWrap()
    columns = 1 if isinstance(view, QListView) else model.columnCount()
    flags = Qt.TextFlag.TextWordWrap if wraps else Qt.TextFlag.TextSingleLine
    for row in range(model.rowCount()):
        for column in range(columns):
            index = model.index(row, column)
            place, text = view.visualRect(index), str(index.data() or "")
            if not view.viewport().rect().intersects(place):
                continue
            if (inside := view.indexWidget(index)) is not None and inside.isVisible():
                continue  # told by itself
            padding = _IN_LISTS if isinstance(view, QListView) else _IN_CELLS
            room = place.adjusted(padding, 0, -padding, 0)
            if index.data(Qt.ItemDataRole.DecorationRole) is not None:
                room.setLeft(room.left() + view.iconSize().width())
            needs = view.fontMetrics().boundingRect(room, int(flags), text)
            if needs.width() > room.width() or needs.height() > place.height():
                yield f"{text!r} does not fit into {place.width()} x {place.height()} pixels"


def _tabs(bar: QTabBar) -> Iterator[str]:
    for number in range(bar.count()):
        text, place = bar.tabText(number), bar.tabRect(number)
        if bar.fontMetrics().horizontalAdvance(text.replace("&", "")) > place.width():
            yield f"the tab {text!r} is cut off"
        if place.right() > bar.width():
            yield f"the tab {text!r} is out of view"


def _out_of_view(widget: QWidget, root: QWidget) -> Iterator[str]:
    """Does it reach over the edge of something that cannot be scrolled there?"""
    inside, parent = widget, widget.parentWidget()
    while inside is not root and parent is not None:
        area = parent.parentWidget()
        scrolls = isinstance(area, QAbstractScrollArea) and area.viewport() is parent
        place = QRect(inside.mapTo(parent, QPoint()), inside.size())
        if scrolls:
            assert isinstance(area, QAbstractScrollArea)
            wide = place.width() > parent.width()
            if wide and isinstance(area, QScrollArea):
                yield f"{_name(area)} scrolls sideways"
                return
        elif not parent.rect().contains(
            QRect(widget.mapTo(parent, QPoint()), widget.size())
            if not _scrolled_between(widget, parent)
            else place
        ):
            yield f"it reaches out of {_name(parent)}"
            return
        inside, parent = parent, parent.parentWidget()


def _scrolled_between(widget: QWidget, ancestor: QWidget) -> bool:
    while widget is not ancestor:
        parent = widget.parentWidget()
        if parent is None:
            return False
        area = parent.parentWidget()
        if isinstance(area, QAbstractScrollArea) and area.viewport() is parent:
            return True
        widget = parent
    return False


def _words(widget: QWidget) -> str:
    """The words a widget shows by itself; empty for what only holds others."""
    match widget:
        case QLabel() if not widget.pixmap().width():
            return widget.text()
        case QAbstractButton():
            return widget.text()
        case QComboBox():
            return widget.currentText()
        case QLineEdit() if not isinstance(widget.parentWidget(), QAbstractSpinBox | QComboBox):
            return widget.text() or widget.placeholderText()
        case QAbstractSpinBox():
            return widget.text()
        case QMenuBar():
            return " ".join(action.text() for action in widget.actions())
    return ""


def _overlaps(shown: list[QWidget], root: QWidget) -> list[str]:
    """Words over other words, where both can be seen."""
    seen = [(widget, _seen(widget, root)) for widget in shown]
    return [
        f"{_name(one)} lies over {_name(other)}"
        for (one, here), (other, there) in combinations(seen, 2)
        if here.intersects(there) and not (one.isAncestorOf(other) or other.isAncestorOf(one))
    ]


def _seen(widget: QWidget, root: QWidget) -> QRect:
    """The part of it that is not scrolled out of view, in the window's pixels."""
    place = QRect(widget.mapTo(root, QPoint()), widget.size())
    parent = widget.parentWidget()
    while parent is not None and widget is not root and parent is not root:
        place &= QRect(parent.mapTo(root, QPoint()), parent.size())
        parent = parent.parentWidget()
    return place


def _name(widget: QWidget) -> str:
    words = _words(widget) or widget.accessibleName() or widget.objectName()
    owner = widget.parentWidget()
    where = f" in {type(owner).__name__}" if owner is not None else ""
    return f"{type(widget).__name__} {words[:60]!r}{where}"
