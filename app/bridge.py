"""The only link between the engine's threads and the window: a timer that drains the outbox."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer

from engine.events import Event
from engine.outbox import Outbox

INTERVAL_MS = 33


class Bridge(QObject):
    """Delivers events and gauges to the window's listeners, then asks for one redraw."""

    def __init__(self, outbox: Outbox, parent: QObject) -> None:
        super().__init__(parent)
        self._outbox = outbox
        self._on_event: list[Callable[[Event], None]] = []
        self._on_gauge: list[Callable[[Any], None]] = []
        self._on_frame: list[Callable[[], None]] = []
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.deliver)

    def listen(
        self,
        *,
        event: Callable[[Event], None] | None = None,
        gauge: Callable[[Any], None] | None = None,
        frame: Callable[[], None] | None = None,
    ) -> None:
        """Register a listener; `frame` is called once after each delivery."""
        if event is not None:
            self._on_event.append(event)
        if gauge is not None:
            self._on_gauge.append(gauge)
        if frame is not None:
            self._on_frame.append(frame)

    @property
    def running(self) -> bool:
        """Does it deliver by itself?"""
        return self._timer.isActive()

    def start(self) -> None:
        """Begin to deliver."""
        self._timer.start()

    def stop(self) -> None:
        """Deliver no more."""
        self._timer.stop()

    def deliver(self) -> None:
        """Take what the engine has posted and hand it on."""
        posted, gauges = self._outbox.drain()
        for event in posted:
            for take in self._on_event:
                take(event)
        for gauge in gauges:
            for show in self._on_gauge:
                show(gauge)
        for draw in self._on_frame:
            draw()
