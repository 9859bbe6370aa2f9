"""The display stays awake while something is presented, on a bus of the test's own."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtDBus import (
    QDBusConnection,
    QDBusMessage,
    QDBusServiceWatcher,
    QDBusVirtualObject,
)
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.wakefulness import Wakefulness

SERVICE, OBJECT = "org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"
pytestmark = pytest.mark.usefixtures("themed")


class ScreenSaver(QDBusVirtualObject):
    """Notes who wants the display awake, as a desktop does, and forgets who leaves the bus."""

    def __init__(self, bus: QDBusConnection) -> None:
        super().__init__()
        self.wishes: dict[str, list[object]] = {}
        self._watcher = QDBusServiceWatcher()
        self._watcher.setConnection(bus)
        self._watcher.setWatchMode(QDBusServiceWatcher.WatchModeFlag.WatchForUnregistration)
        self._watcher.serviceUnregistered.connect(self.wishes.pop)
        assert bus.registerVirtualObject(OBJECT, self)
        assert bus.registerService(SERVICE)

    def introspect(self, path: str) -> str:
        return ""

    def handleMessage(self, message: QDBusMessage, connection: QDBusConnection) -> bool:  # noqa: N802 - Qt's name
        assert (message.interface(), message.member()) == (SERVICE, "Inhibit")
        self._watcher.addWatchedService(message.service())
        self.wishes[message.service()] = list(message.arguments())
        return True


@pytest.fixture
def screen_saver(qapp: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScreenSaver]:
    command = ["dbus-daemon", "--session", "--nofork", "--print-address=1"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as daemon:
        assert daemon.stdout is not None
        try:
            address = daemon.stdout.readline().strip()
            monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
            yield ScreenSaver(QDBusConnection.connectToBus(address, "desktop"))
        finally:
            QDBusConnection.disconnectFromBus("desktop")
            daemon.terminate()


def test_the_screen_saver_waits_while_something_is_presented(
    qtbot: QtBot, screen_saver: ScreenSaver, window: MainWindow
) -> None:
    for _ in range(2):  # leaving and coming back
        window.present()
        qtbot.waitUntil(lambda: bool(screen_saver.wishes), timeout=30_000)
        assert list(screen_saver.wishes.values()) == [["PADS Live", "Presenter mode"]]
        window.presenter.leave()
        qtbot.waitUntil(lambda: not screen_saver.wishes, timeout=30_000)


def test_without_a_bus_nothing_is_said(
    qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    for address in (None, f"unix:path={tmp_path}/none"):
        if address is None:
            monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
        else:
            monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        awake = Wakefulness()
        awake.keep("PADS Live", "Presenter mode")
        awake.release()
        awake.release()
    assert caplog.records == []
