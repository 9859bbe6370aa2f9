"""`python -m engine.faults.no_sockets VERB…` is `pads VERB…` in which a socket is an error."""

from __future__ import annotations

import runpy
import sys

FORBIDDEN = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto")
"""Events of Python's audit by which something would leave or enter the machine."""


def refuse(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook that raises for them."""
    if event in FORBIDDEN:
        raise RuntimeError(f"{event} {arguments[1:]!r}")


if __name__ == "__main__":
    sys.addaudithook(refuse)
    runpy.run_module("app", run_name="__main__", alter_sys=True)
