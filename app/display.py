"""Is there a display to open a window on? Qt ends the process when there is none.

Where a window is only to be measured, a virtual display does.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.errors import JobFailed

_WAIT_S = 10.0


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


@contextmanager
def found_or_virtual() -> Iterator[str]:
    """What windows are drawn on: the desktop's display, else an Xvfb of 1920 x 1080 pixels.

    Raises `JobFailed` where there is neither.
    """
    with reachable() as answers:
        if answers:
            yield os.environ.get("QT_QPA_PLATFORM") or "the desktop's display"
            return
    if shutil.which("Xvfb") is None:
        raise JobFailed(
            "There is no display to open a window on, and no Xvfb to stand in for it",
            remedy="start it in a desktop session, or install xvfb",
        )
    before = os.environ.get("DISPLAY")
    with virtual() as name:
        os.environ["DISPLAY"] = name
        try:
            yield "Xvfb, a virtual display"
        finally:
            if before is None:
                del os.environ["DISPLAY"]
            else:
                os.environ["DISPLAY"] = before


@contextmanager
def virtual(pixels: str = "1920x1080") -> Iterator[str]:
    """An Xvfb of so many pixels on the first free display number: its name, for `DISPLAY`.

    Raises `JobFailed` when it does not start.
    """
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{pixels}x24"]
    server = subprocess.Popen(
        [*command, "-nolisten", "tcp", "-noreset"],
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with open(reading, encoding="ascii") as pipe:
            number = pipe.readline().strip()
        if not number:
            raise JobFailed("Xvfb did not start", remedy="start this in a desktop session")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(_WAIT_S)


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
