"""Starting and stopping the desktop application."""

from __future__ import annotations

import logging
import os
import signal
import sys
from contextlib import ExitStack
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from app import display, error_report, languages, preferences, theme
from app.main_window import MainWindow
from engine import commands, logs, paths
from engine.errors import JobFailed
from engine.events import Problem
from engine.outbox import Outbox
from engine.settings import Settings

_SMOKE_MS = 1500  # long enough for the window to be drawn several times


def run(*, smoke: bool = False) -> int:
    """Open the window and return the exit status; `smoke` draws it, then quits."""
    with display.reachable() as answers:
        if not answers:
            print(
                "pads: There is no display to open a window on: start it in a desktop session, "
                "or use `pads replay FILE`",
                file=sys.stderr,
            )
            return 1
        application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("PADS Live")
    application.setWindowIcon(QIcon(str(paths.shipped() / "assets" / "icons" / "pads-live.svg")))
    outbox = Outbox()
    chosen, problem = preferences.read(paths.settings_file())
    theme.apply(application, chosen.appearance)
    languages.speak(application, chosen.appearance.language)
    if problem is not None:
        outbox.post(Problem(heard_s=0.0, message=problem))
    kept = preferences.Preferences(chosen, paths.settings_file())
    _dress(application, kept)
    window = MainWindow(outbox, kept)
    window.microphone_chosen.connect(
        lambda name: kept.change(lambda old: replace(old, microphone=name))
    )
    window.voice_chosen.connect(
        lambda on, way: kept.change(
            lambda old: replace(old, voice=replace(old.voice, enabled=on, listening=way))
        )
    )
    window.show()
    if not (smoke or chosen.introduced):
        window.first_run.restart()
    with ExitStack() as stack:
        window.reports.tail = stack.enter_context(logs.recording())
        _offer_crash(window)
        _quit_on_signals(application, window, stack)
        # The engine's libraries take most of a second to import: the window comes first.
        window.profiler.appeared.connect(
            lambda: _start_engine(window, outbox, kept, stack),
            Qt.ConnectionType.QueuedConnection,
        )
        if smoke:
            window.asks = False
            window.profiler.appeared.connect(lambda: print("drawn", flush=True))
            QTimer.singleShot(_SMOKE_MS, window.close)
        status = application.exec()
    if smoke and not window.profiler.frames:
        print("pads: The window was not drawn: check the display's driver", file=sys.stderr)
        return 1
    return status


def _offer_crash(window: MainWindow) -> None:
    """Offer what is known of an earlier crash, once; nothing is sent."""
    found = logs.crashes()
    if not found:
        return
    sentence = QCoreApplication.translate(
        "Application",
        "PADS Live ended abruptly an earlier time: the details can be copied into a report.",
    )

    def put_by() -> None:
        for report in found:
            logs.offered(report)

    window.banner.offer(sentence, error_report.crash_details(found[-1]), put_by)


def _dress(application: QApplication, kept: preferences.Preferences) -> None:
    """Keep the look as the settings and the desktop want it."""

    def wear() -> None:
        theme.apply(application, kept.settings.appearance)

    worn = [kept.settings.appearance]

    def change(chosen: Settings) -> None:
        if chosen.appearance != worn[0]:
            worn[0] = chosen.appearance
            wear()

    kept.changed.connect(change)
    hints = application.styleHints()
    hints.colorSchemeChanged.connect(wear)
    if hasattr(hints, "accessibility"):  # since Qt 6.10
        hints.accessibility().contrastPreferenceChanged.connect(wear)


def _start_engine(
    window: MainWindow, outbox: Outbox, kept: preferences.Preferences, stack: ExitStack
) -> None:
    from engine.session import Session
    from engine.telemetry.vitals import Sampler

    session = Session(kept.settings, outbox, log_folder=paths.sessions())
    stack.callback(session.stop)
    session.start()
    sampler = Sampler(outbox)
    stack.callback(sampler.stop)
    sampler.start()
    window.command.connect(session.send)
    kept.changed.connect(lambda chosen: session.send(commands.ApplySettings(settings=chosen)))
    window.bridge.start()
    _go_on_with_jobs(outbox)


def _go_on_with_jobs(outbox: Outbox) -> None:
    """Work off what still waits in the queue, as after a restart of the machine."""
    from engine.jobs import queue

    if queue.waiting():
        try:
            queue.start_worker()
        except JobFailed as exc:
            outbox.post(Problem(heard_s=0.0, message=str(exc)))


def _quit_on_signals(application: QApplication, window: MainWindow, stack: ExitStack) -> None:
    """End in order on Ctrl+C and on a logout, at once on the second.

    Python sees signals only between Qt's calls.
    """
    asked = False

    def leave(number: int, _: object) -> None:
        nonlocal asked
        if asked:
            logging.shutdown()
            os._exit(128 + number)
        asked = True
        window.asks = False  # nobody is there to answer
        application.quit()

    hangup = getattr(signal, "SIGHUP", signal.SIGTERM)  # a logout, or a terminal that is closed
    for number in {signal.SIGINT, signal.SIGTERM, hangup}:
        if number == hangup and signal.getsignal(number) == signal.SIG_IGN:
            continue  # started to outlive that (`nohup`)
        before = signal.signal(number, leave)
        stack.callback(signal.signal, number, before)
    ticking = QTimer(application)
    ticking.start(200)
    ticking.timeout.connect(lambda: None)
    stack.callback(ticking.stop)
