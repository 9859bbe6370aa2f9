from __future__ import annotations

import ctypes
import signal
import sys
import threading
from collections.abc import Iterator

import pytest

from engine.jobs import child


@pytest.fixture
def handlers() -> Iterator[None]:
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


def test_a_cancellation_that_native_code_swallows_comes_again(
    handlers: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "unraisablehook", child._cancel_again)
    ctypes.CFUNCTYPE(None)(child._cancel)()  # returns as if nothing had happened
    with pytest.raises(child.Cancelled):
        threading.Event().wait(10)
