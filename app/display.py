"""Is there a display to open a window on? Qt ends the process when there is none."""

from __future__ import annotations

import os
import re
import socket
import sys
from pathlib import Path

_PATIENCE_S = 2.0


def reachable() -> bool:
    """True if the display that Qt would use answers; always True off Linux."""
    if sys.platform != "linux" or os.environ.get("QT_QPA_PLATFORM") in ("offscreen", "minimal"):
        return True
    return _wayland() or _x11(os.environ.get("DISPLAY", ""))


def _wayland() -> bool:
    name = os.environ.get("WAYLAND_DISPLAY")
    return bool(name) and (Path(os.environ.get("XDG_RUNTIME_DIR", "/")) / str(name)).is_socket()


def _x11(display: str) -> bool:
    """Displays are named "host:number.screen"; without a host they are sockets of this machine."""
    named = re.fullmatch(r"(?P<host>.*):(?P<number>\d+)(\.\d+)?", display)
    if named is None:
        return False
    host, number = named["host"], int(named["number"])
    if host not in ("", "unix"):
        return _answers(socket.AF_INET, (host, 6000 + number))
    path = f"/tmp/.X11-unix/X{number}"  # noqa: S108 - where X servers listen
    return any(_answers(socket.AF_UNIX, name) for name in (path, f"\0{path}"))


def _answers(family: socket.AddressFamily, address: tuple[str, int] | str) -> bool:
    with socket.socket(family) as connection:
        connection.settimeout(_PATIENCE_S)
        try:
            connection.connect(address)
        except OSError:
            return False
    return True
