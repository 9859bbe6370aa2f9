"""The `pads` command: no verb opens the window, every other verb runs without Qt."""

from __future__ import annotations

import logging
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.history.recording import Recording


def main(argv: list[str] | None = None) -> int:
    """Run `pads`; returns its exit status."""
    words = sys.argv[1:] if argv is None else argv
    if words == ["--decoder-host"]:
        from engine.speculation import host

        return host.main()
    if words[:1] == ["--inspect-model"]:
        from engine.speculation import examination

        return examination.main(words[1:])
    if words[:1] == ["--decode-sound"]:
        from engine.audio import decoding

        return decoding.main(words[1:])
    if words[:1] == ["--try-projection"]:
        from engine.turntaking import trial

        return trial.main(words[1:])
    if not words or words == ["--smoke"]:
        from app import application

        return application.run(smoke=bool(words))
    from engine import cli

    return cli.main(words, _picture, _add_verbs)


def _add_verbs(verbs: Any, benches: Any) -> None:
    """The verbs that need a window; Qt is loaded where they run."""
    from app.bench import gui, soak
    from app.screenshots import command

    command.add_parser(verbs)
    gui.add_parser(benches)
    soak.add_parser(benches)


def _picture(recording: Recording, out: Path) -> None:
    """Draw a session as the window does, without a display."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtWidgets import QApplication

    from app import picture, theme

    application = QApplication([])
    theme.apply(application)
    picture.write(recording, out)


def start() -> None:
    """Run `pads` as a process of its own, and end it.

    An engine thread that is still inside a library would be torn down with the interpreter, and
    the library's own threads would abort the process.
    """
    os.umask(0o077)  # what is heard, said and kept is its owner's alone
    status = main()
    if any(thread.name == "engine" for thread in threading.enumerate()):
        logging.shutdown()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # it is where a program has been given none
                with suppress(OSError):
                    stream.flush()
        os._exit(status)
    sys.exit(status)


if __name__ == "__main__":
    start()
