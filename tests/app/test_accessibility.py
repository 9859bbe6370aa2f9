"""Names for screen readers and reach by keyboard, in the window and in every dialog there is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.panels.ladder import Rungs
from tests.app.every_dialog import every

Role = QAccessible.Role
CONTROLS = {
    Role.Button,
    Role.ButtonMenu,
    Role.CheckBox,
    Role.RadioButton,
    Role.ComboBox,
    Role.EditableText,
    Role.SpinBox,
    Role.Slider,
    Role.Dial,
    Role.ProgressBar,
    Role.List,
    Role.Table,
    Role.Tree,
    Role.MenuBar,
    Role.MenuItem,
    Role.PageTab,
    Role.PageTabList,
    Role.Dialog,
    Role.Grouping,
}
# Parts of Qt's own controls, reached through them, never by themselves.
PARTS = ("qt_spinbox_lineedit", "qt_scrollarea_", "qt_menubar_ext_button", "ScrollLeftButton")


@pytest.fixture
def window(themed: None, window: MainWindow) -> MainWindow:
    """Dressed, so that what has the focus is seen."""
    return window


def tree(root: QWidget) -> Iterator[QAccessibleInterface]:
    """Everything a screen reader finds from a widget down."""
    found = QAccessible.queryAccessibleInterface(root)
    waiting = [found]
    while waiting:
        interface = waiting.pop()
        yield interface
        if isinstance(interface.object(), QComboBox):
            continue  # its list is reached through it
        children = [interface.child(i) for i in range(interface.childCount())]
        waiting += [child for child in children if child is not None and child.isValid()]


def painted_here(widget: QWidget) -> bool:
    """Does this program draw the widget itself?"""
    kinds = [kind for kind in type(widget).__mro__ if kind.__module__.startswith("app.")]
    return any("paintEvent" in vars(kind) for kind in kinds)


def nameless(root: QWidget) -> list[str]:
    """What a screen reader could not name: controls, and what this program paints itself."""
    bad = []
    for interface in tree(root):
        thing = interface.object()
        name = interface.text(QAccessible.Text.Name).strip()
        if thing is not None and thing.objectName().startswith(PARTS):
            continue
        if isinstance(thing, QDialogButtonBox) or (
            thing is not None and isinstance(thing.parent(), QLineEdit)
        ):
            continue  # groups buttons that have names; a field's own buttons need no keyboard
        controlled = interface.role() in CONTROLS or isinstance(thing, QComboBox)
        focusable = isinstance(thing, QWidget) and thing.focusPolicy() & Qt.FocusPolicy.TabFocus
        painted = isinstance(thing, QWidget) and painted_here(thing)
        if (controlled or focusable or painted) and not name:
            owner = thing.parent() if thing is not None else None
            bad.append(f"{type(thing).__name__} in {type(owner).__name__}: {interface.role()}")
    return bad


def test_everything_in_the_window_has_a_name(window: MainWindow) -> None:
    assert nameless(window) == []


def test_everything_in_every_dialog_has_a_name(qtbot: QtBot, window: MainWindow) -> None:
    bad = {}
    for dialog in every(window):
        dialog.show()
        qtbot.waitExposed(dialog)
        if found := nameless(dialog):
            bad[type(dialog).__name__] = found
        dialog.close()
    assert bad == {}


def test_escape_closes_every_dialog(qtbot: QtBot, window: MainWindow) -> None:
    for dialog in every(window):
        dialog.show()
        qtbot.waitExposed(dialog)
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible(), type(dialog).__name__


def test_a_control_without_a_name_is_found(qtbot: QtBot) -> None:
    box = QWidget()
    qtbot.addWidget(box)
    layout = QVBoxLayout(box)
    for widget in (QPushButton(), QLineEdit(), QComboBox(), Rungs(), QLabel()):
        layout.addWidget(widget)
    box.findChild(Rungs).setAccessibleName("")  # type: ignore[union-attr]
    kinds = {line.split()[0] for line in nameless(box)}
    assert kinds == {"QPushButton", "QLineEdit", "QComboBox", "Rungs"}


def by_tab(start: QWidget, within: QWidget) -> list[QWidget]:
    """The widgets that the tab key goes through, once around."""
    seen: list[QWidget] = []
    widget = start.nextInFocusChain()
    while widget is not start:
        reachable = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if reachable and widget.isVisibleTo(within) and within.isAncestorOf(widget):
            seen.append(widget)
        widget = widget.nextInFocusChain()
    return seen


def test_the_tab_key_goes_through_the_window_from_top_to_bottom(window: MainWindow) -> None:
    controls = window.controls
    order = by_tab(window, window)
    wanted = [
        controls.source,
        controls.sound,
        controls.pads,
        controls.compare,
        window.profiler,
        window.profiler.inspector.freeze,
        window.profiler.inspector.live,
    ]
    assert [widget for widget in order if widget in wanted] == wanted


def focused_look(widget: QWidget) -> bool:
    """Does it look otherwise with the keyboard's focus?"""
    widget.clearFocus()
    QApplication.processEvents()
    before = widget.grab().toImage()
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    QApplication.processEvents()
    return bool(widget.grab().toImage() != before)


def test_focus_is_visible_wherever_the_tab_key_leads(qtbot: QtBot, window: MainWindow) -> None:
    window.settings.show()
    qtbot.waitExposed(window.settings)
    for top in (window, window.settings):
        top.activateWindow()
        qtbot.waitUntil(top.isActiveWindow, timeout=30_000)
        for widget in by_tab(top, top):
            if widget.isEnabled() and not isinstance(widget, QScrollArea):
                assert focused_look(widget), (type(widget).__name__, widget.accessibleName())
