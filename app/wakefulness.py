"""Keeps the display awake while something is presented: no screen saver, no sleep.

Where that is impossible, nothing is said: whoever presents cannot do anything about it then.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from PySide6.QtDBus import QDBusConnection, QDBusMessage

_SERVICE, _PATH = "org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"
_CONNECTION = "pads-presenter"
# SetThreadExecutionState's flags.
_CONTINUOUS, _SYSTEM_REQUIRED, _DISPLAY_REQUIRED = 0x80000000, 0x1, 0x2
_END_S = 1.0


class Wakefulness:
    """The display stays awake between `keep` and `release`."""

    def __init__(self) -> None:
        self._kept = ExitStack()

    def keep(self, application: str, reason: str) -> None:
        """Keep the display awake; the desktop may show who does and why."""
        self.release()
        if sys.platform == "win32":
            import ctypes

            set_state = ctypes.windll.kernel32.SetThreadExecutionState
            set_state(_CONTINUOUS | _SYSTEM_REQUIRED | _DISPLAY_REQUIRED)
            self._kept.callback(set_state, _CONTINUOUS)
        elif sys.platform == "darwin":
            _macos(self._kept)
        else:
            _freedesktop(self._kept, application, reason)

    def release(self) -> None:
        """Let the display sleep again; harmless when nothing is kept."""
        self._kept.close()


def _freedesktop(kept: ExitStack, application: str, reason: str) -> None:
    """The desktop forgets the wish when this connection ends, also with a process that dies."""
    socket = Path(os.environ.get("XDG_RUNTIME_DIR", "/nonexistent"), "bus")
    usual = f"unix:path={socket}" if socket.exists() else ""
    address = os.environ.get("DBUS_SESSION_BUS_ADDRESS") or usual
    if not address:
        return  # connecting would start a bus that nobody listens on
    # By its address: libdbus remembers for good where it first looked for the session's bus.
    bus = QDBusConnection.connectToBus(address, _CONNECTION)
    kept.callback(QDBusConnection.disconnectFromBus, _CONNECTION)
    if bus.isConnected():
        wish = QDBusMessage.createMethodCall(_SERVICE, _PATH, _SERVICE, "Inhibit")
        wish.setArguments([application, reason])
        bus.send(wish)


def _macos(kept: ExitStack) -> None:
    """`caffeinate` ends with this process, too."""
    program = shutil.which("caffeinate")
    if program is None:
        return
    command = [program, "-d", "-i", "-w", str(os.getpid())]
    awake = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    kept.callback(awake.wait, _END_S)
    kept.callback(awake.terminate)
