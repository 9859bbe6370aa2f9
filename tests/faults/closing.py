"""`python -m tests.faults.closing STATE FILE`: the real window says when it is in a state."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.__main__ import start
from app.main_window import MainWindow
from engine import events, paths, settings
from engine.events import Event, TurnState
from engine.jobs import catalogue, queue

REACHED = {
    "loading": lambda event: isinstance(event, events.EngineProgress),
    "idle": lambda event: isinstance(event, events.EngineReady),
    "speaking": lambda event: (
        isinstance(event, events.StateChanged) and event.state is TurnState.SPEAKING
    ),
    "replying": lambda event: isinstance(event, events.ReplyServed),
    "job": lambda event: isinstance(event, events.EngineReady),
}


def main(state: str, file: Path) -> None:
    """Open the window, play the file, and tell once the state is reached."""
    settings.save(settings.Settings(introduced=True), paths.settings_file())
    application = QApplication(["pads"])

    def see(event: Event) -> None:
        if isinstance(event, events.EngineReady) and state in ("speaking", "replying"):
            window.controls.open_file(file)
        if REACHED[state](event):
            if state == "job":
                queue.add(catalogue.find("bandwidth"), {})
            print(json.dumps({"type": state}), flush=True)

    def attach() -> None:
        nonlocal window
        (window,) = (w for w in application.topLevelWidgets() if isinstance(w, MainWindow))
        window.bridge.listen(event=see)

    window: MainWindow
    QTimer.singleShot(0, attach)
    sys.argv[1:] = []
    start()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
