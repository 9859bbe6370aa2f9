"""The menu bar: File, View, Jobs and Help, to which the window and its parts add their actions."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar


class Menus:
    """The four menus of a window's menu bar."""

    def __init__(self, bar: QMenuBar) -> None:
        bar.setAccessibleName(QCoreApplication.translate("Menus", "Menu bar"))
        self.file = _menu(bar, QCoreApplication.translate("Menus", "&File"))
        self.view = _menu(bar, QCoreApplication.translate("Menus", "&View"))
        self.jobs = _menu(bar, QCoreApplication.translate("Menus", "&Jobs"))
        self.help = _menu(bar, QCoreApplication.translate("Menus", "&Help"))


def add(
    menu: QMenu,
    text: str,
    do: Callable[[], object],
    *,
    shortcut: QKeySequence | QKeySequence.StandardKey | str | None = None,
    role: QAction.MenuRole = QAction.MenuRole.NoRole,
) -> QAction:
    """Append an action to a menu, before Quit; `text` is translated already.

    The shortcut works in the whole window.
    """
    action = QAction(text, menu)
    if shortcut is not None:
        action.setShortcut(QKeySequence(shortcut))
    # macOS moves entries about by their words unless they say what they are.
    action.setMenuRole(role)
    action.triggered.connect(lambda _checked: do())
    last = [entry for entry in menu.actions() if entry.menuRole() is QAction.MenuRole.QuitRole]
    if last:
        menu.insertAction(last[0], action)
    else:
        menu.addAction(action)
    return action


def _menu(bar: QMenuBar, title: str) -> QMenu:
    menu = QMenu(title, bar)
    menu.setToolTipsVisible(True)
    bar.addMenu(menu)
    return menu
