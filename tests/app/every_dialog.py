"""All dialogs of the program, found by looking, so that none is forgotten."""

from __future__ import annotations

import importlib
import pkgutil

from PySide6.QtWidgets import QDialog

import app
from app.main_window import MainWindow


def kinds() -> set[type[QDialog]]:
    """Every kind of dialog in the program."""
    for module in pkgutil.walk_packages(app.__path__, "app."):
        if module.name != "app.__main__":
            importlib.import_module(module.name)
    waiting, found = list(QDialog.__subclasses__()), set()
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("app."):
            found.add(kind)
    return found


def every(window: MainWindow) -> list[QDialog]:
    """One of every kind: the window's own, and those it makes when they are asked for."""
    own = window.findChildren(QDialog)
    return own + [kind(window) for kind in kinds() - {type(dialog) for dialog in own}]
