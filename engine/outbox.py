"""The one way out of the engine: a bounded, ordered event lane and a newest-only gauge lane.

Workers post, the window (or the command line) drains. Nobody blocks: a full event lane drops
its oldest event and counts the loss.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

from engine.events import Event


class Outbox:
    """Thread-safe mailbox from the engine's threads to one reader."""

    def __init__(self, capacity: int = 8192) -> None:
        self._capacity = capacity
        self._events: deque[Event] = deque()
        self._gauges: dict[type, Any] = {}
        self._lock = threading.Lock()
        self._arrived = threading.Event()
        self.lost = 0
        """Events dropped because the reader was too slow."""

    def post(self, event: Event) -> None:
        """Append an event; the oldest is dropped and counted when the lane is full."""
        with self._lock:
            if len(self._events) == self._capacity:
                self._events.popleft()
                self.lost += 1
            self._events.append(event)
        self._arrived.set()

    def show(self, gauge: Any) -> None:
        """Replace the newest value of this gauge's type."""
        with self._lock:
            self._gauges[type(gauge)] = gauge

    def drain(self) -> tuple[list[Event], list[Any]]:
        """All events since the last call, in order, and the gauges that changed."""
        with self._lock:
            events, gauges = list(self._events), list(self._gauges.values())
            self._events.clear()
            self._gauges.clear()
            self._arrived.clear()
        return events, gauges

    def wait(self, timeout_s: float) -> bool:
        """Block until an event is there or `timeout_s` has passed; for headless readers."""
        return self._arrived.wait(timeout_s)
