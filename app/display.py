"""Is there a display to open a window on? Qt ends the process when there is none."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def reachable() -> Iterator[bool]:
    """True if the display that Qt would use answers; always True off Linux.

    Inside the block the connection stays open: a server without clients may start afresh, and
    would refuse Qt meanwhile. Connect Qt inside.
    """
    offscreen = os.environ.get("QT_QPA_PLATFORM") in ("offscreen", "minimal")
    if sys.platform != "linux" or offscreen or _wayland():
        yield True
    else:
        with _x11(os.environ.get("DISPLAY", "")) as answers:
            yield answers


def _wayland() -> bool:
    name = os.environ.get("WAYLAND_DISPLAY")
    return bool(name) and (Path(os.environ.get("XDG_RUNTIME_DIR", "/")) / str(name)).is_socket()


@contextmanager
def _x11(display: str) -> Iterator[bool]:
    """Asks through the library Qt uses, so that names and permissions are judged alike."""
    if not display:
        yield False
        return
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        yield True  # Qt names the missing library itself
        return
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = (ctypes.c_char_p, ctypes.c_void_p)
    for function in (xcb.xcb_connection_has_error, xcb.xcb_disconnect):
        function.argtypes = (ctypes.c_void_p,)
    connection = xcb.xcb_connect(os.fsencode(display), None)
    try:
        yield not xcb.xcb_connection_has_error(connection)
    finally:
        xcb.xcb_disconnect(connection)
