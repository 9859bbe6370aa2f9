"""The settings the window runs with: read from the file once, changed one by one, told to all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal

from engine import settings
from engine.errors import SettingsRejected
from engine.settings import Settings


class Preferences(QObject):
    """Holds `settings`; `changed` carries new ones, `rejected` why they could not be kept.

    Without a file they last as long as the window.
    """

    changed = Signal(object)
    rejected = Signal(str)

    def __init__(self, chosen: Settings, file: Path | None = None) -> None:
        super().__init__()
        self.settings, self._file = chosen, file

    def change(self, how: Callable[[Settings], Settings]) -> None:
        """Use changed settings from now on, and write them over what the file says now."""
        try:
            if self._file is None:
                new = how(self.settings)
            else:
                new = how(settings.load(self._file))
                settings.save(new, self._file)
        except SettingsRejected as exc:
            new = how(self.settings)
            self.rejected.emit(str(exc))
        if new != self.settings:
            self.settings = new
            self.changed.emit(new)


def read(file: Path) -> tuple[Settings, str | None]:
    """Settings from a file; from a broken one, which is set aside, the defaults and a sentence."""
    try:
        return settings.load(file), None
    except SettingsRejected as exc:
        try:
            kept = settings.set_aside(file)
        except SettingsRejected as stuck:
            return Settings(), str(stuck)
        sentence = QCoreApplication.translate(
            "Preferences",
            "{what}. The file was set aside as {name}, and the defaults are used.",
        )
        return Settings(), sentence.format(what=exc.thing, name=kept.name)
