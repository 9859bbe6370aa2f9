"""The window with its engine, as `pads` puts them together, for a bench to drive."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from engine import events
from engine.errors import JobFailed
from engine.events import Event
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import Settings
from engine.telemetry.vitals import Sampler

if TYPE_CHECKING:
    from app.main_window import MainWindow

_WAIT_S = 0.1


@contextmanager
def opened(
    chosen: Settings, log_folder: Path | None = None
) -> Iterator[tuple[MainWindow, Session, Outbox]]:
    """The window, hidden, and its engine, ready; both end with the block.

    Raises `JobFailed` when the engine cannot start.
    """
    from PySide6.QtWidgets import QApplication

    from app import theme
    from app.main_window import MainWindow
    from app.preferences import Preferences

    application = QApplication.instance() or QApplication(["pads"])
    assert isinstance(application, QApplication)
    theme.apply(application, chosen.appearance)
    with ExitStack() as stack:
        outbox = Outbox()
        window = MainWindow(outbox, Preferences(chosen))
        window.asks = False
        stack.callback(window.close)
        session = Session(chosen, outbox, log_folder=log_folder)
        stack.callback(session.stop)
        sampler = Sampler(outbox)
        stack.callback(sampler.stop)
        session.start()
        sampler.start()
        _await_ready(outbox, window)
        yield window, session, outbox


def insist(event: Event) -> None:
    """Raise `JobFailed` when the event says that nothing more will come."""
    match event:
        case events.EngineFailed(message=message):
            raise JobFailed(message.rstrip("."), remedy="see `pads doctor`")
        case events.WorkerDied(name=name, reason=reason):
            raise JobFailed(f"The {name} stopped ({reason})", remedy="see the log")


def _await_ready(outbox: Outbox, window: MainWindow) -> None:
    """Until the engine is ready; the window hears what was said till then."""
    ready = False
    while not ready:
        outbox.wait(_WAIT_S)
        for event in outbox.drain()[0]:
            insist(event)
            ready = ready or isinstance(event, events.EngineReady)
            for panel in (window.controls, window.ladder, window.vitals):
                panel.take(event)
