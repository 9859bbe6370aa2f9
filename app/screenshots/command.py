"""`pads screenshots OUT`: every window as a picture, from a conversation that is really held."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine import commands, events, paths
from engine.errors import JobFailed
from engine.evaluation.conversations import recordings
from engine.evaluation.conversations.conversation import converse
from engine.events import Event, VitalsRead
from engine.history import sessions
from engine.jobs import catalogue
from engine.jobs.runner import JobProcess
from engine.records import runs
from engine.records.output import print_record
from engine.records.progress import Phase
from engine.records.runs import RunDirectory, RunStatus
from engine.settings import AppearanceSettings, Settings
from engine.telemetry.vitals import VitalsReader

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from app.screenshots.material import Material
    from app.screenshots.scenes import Scene

LOOKS: dict[str, AppearanceSettings] = {
    "dark": AppearanceSettings(colours="dark", language="en"),
    "light": AppearanceSettings(colours="light", language="en"),
    "high-contrast": AppearanceSettings(colours="high-contrast", language="en"),
    "200-percent": AppearanceSettings(colours="dark", language="en", text_percent=200),
    "german": AppearanceSettings(colours="dark", language="de"),
}
"""By the last part of the pictures' names. The translation comes last: it is not taken off."""

_SCREEN = {"x": 0, "y": 0, "width": 1920, "height": 1080, "logicalDpi": 96, "logicalBaseDpi": 96}
_VITALS_S = 0.5
_READINGS = 8
_FRACTION = 0.35  # of the running job: its bar is seen, its first results are there
_WAIT_S = 0.2


def add_parser(verbs: Any) -> None:
    """Add `screenshots` to the verbs."""
    parser = verbs.add_parser("screenshots", help="pictures of every window, from a replayed demo")
    parser.add_argument("out", type=Path, metavar="OUT", help="folder for the pictures")
    parser.add_argument("--recording", type=Path, help="what is heard (default: the first demo)")
    parser.add_argument("--session", help="a recorded session instead: its name, or `latest`")
    parser.add_argument("--comparison", help="a finished run of the job compare instead")
    parser.add_argument("--look", choices=LOOKS, help="this one only (default: all of them)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Hold the conversation, run the comparison, and draw; 0 when all pictures are written."""
    recording = (arguments.recording or recordings.first_demo()).resolve()
    session = sessions.find(arguments.session).resolve() if arguments.session else None
    finished = runs.find(paths.runs(), arguments.comparison) if arguments.comparison else None
    arguments.out.mkdir(parents=True, exist_ok=True)

    def say(file: Path) -> None:
        if arguments.json:
            print_record({"type": "screenshot", "file": str(file)})
        else:
            print(file, flush=True)

    with _own_home():
        if session is None:
            vitals = _hold(recording)
            session = sessions.folders()[0]
        else:
            session = Path(shutil.copytree(session, paths.sessions() / session.name))
            vitals = list(_vitals())
        if finished is not None:
            copy = shutil.copytree(finished.folder, paths.runs() / finished.name)
            finished = RunDirectory(Path(copy))
        with _offscreen():
            looks = [arguments.look] if arguments.look else list(LOOKS)
            _draw(arguments.out, recording, session, vitals, finished, looks, say)
    return 0


@contextmanager
def _own_home() -> Iterator[None]:
    """User files of its own: nobody's history is shown. Models and what is cut stay in place."""
    cache, models = paths.cache().resolve(), paths.fetched_models().resolve()
    cache.mkdir(parents=True, exist_ok=True)
    before = {name: os.environ.get(name) for name in ("PADS_HOME", "PADS_MODELS")}
    with tempfile.TemporaryDirectory(prefix="pads-live-") as home:
        (Path(home) / "cache").symlink_to(cache)
        os.environ |= {"PADS_HOME": home, "PADS_MODELS": str(models)}
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


@contextmanager
def _offscreen() -> Iterator[None]:
    """A screen of a projector's size, whatever display there is, if any."""
    with tempfile.TemporaryDirectory(prefix="pads-live-") as folder:
        file = Path(folder) / "screens.json"
        file.write_text(json.dumps({"screens": [{"name": "projector", "dpr": 1, **_SCREEN}]}))
        os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={file}"
        yield


def _vitals() -> Iterator[VitalsRead]:
    """The vital signs of some seconds: loads need two looks at the clock."""
    reader = VitalsReader()
    for _ in range(_READINGS):
        time.sleep(_VITALS_S)
        yield reader.read()


def _hold(recording: Path) -> list[VitalsRead]:
    """Record a session of the real engine; returns the vital signs while it ran."""
    reader = VitalsReader()
    found: list[VitalsRead] = []
    next_s = 0.0

    def see(event: Event) -> None:
        nonlocal next_s
        if isinstance(event, events.AudioHeard) and event.heard_s >= next_s:
            next_s = event.heard_s + _VITALS_S
            found.append(reader.read())

    print(f"pads: {recording.name} is heard …", file=sys.stderr)
    converse(
        Settings(),
        commands.OpenFile(path=str(recording)),
        see=see,
        log_folder=paths.sessions(),
    )
    return found


def _draw(
    out: Path,
    recording: Path,
    session: Path,
    vitals: list[VitalsRead],
    finished: RunDirectory | None,
    looks: Sequence[str],
    say: Callable[[Path], None],
) -> None:
    from PySide6.QtCore import qInstallMessageHandler
    from PySide6.QtWidgets import QApplication

    from app.screenshots import scenes
    from app.screenshots.material import Material

    # That this screen has no window manager is no news.
    qInstallMessageHandler(
        lambda _kind, _where, said: (
            None
            if said.startswith("This plugin does not support")
            else print(said, file=sys.stderr)
        )
    )
    application = QApplication([])
    with _running(recording) as job:
        material = Material(
            session=session,
            vitals=vitals,
            comparison=finished or job.run,
            running=job.run,
            appearance=LOOKS["dark"],
        )
        for name, look in _looks(application, looks):
            _take(out, name, replace(material, appearance=look), scenes.RUNNING, say)
        if finished is None:
            print("pads: with and without PADS are compared …", file=sys.stderr)
            _finish(job)
    presented = scenes.PRESENTED
    for name, look in _looks(application, looks):
        _take(out, name, replace(material, appearance=look), scenes.SCENES, say)
        if name in ("dark", "german"):  # otherwise the same: it has its own colours and size
            _take(out, name, replace(material, appearance=look), presented, say)


def _looks(
    application: QApplication, names: Sequence[str]
) -> Iterator[tuple[str, AppearanceSettings]]:
    """Wear every look in turn, with no translation left from the one before."""
    from PySide6.QtCore import QTranslator

    from app import languages, theme

    for name in names:
        look = LOOKS[name]
        theme.apply(application, look)
        languages.speak(application, look.language)
        yield name, look
    for translator in application.findChildren(QTranslator):
        application.removeTranslator(translator)
        translator.deleteLater()


def _take(
    out: Path,
    look: str,
    material: Material,
    wanted: Mapping[str, Scene],
    say: Callable[[Path], None],
) -> None:
    from app import picture
    from app.screenshots import scenes

    for name, widget in scenes.shown(material, wanted):
        file = out / f"{name}-{look}.png"
        picture.save(widget, file)
        say(file)


@contextmanager
def _running(recording: Path) -> Iterator[JobProcess]:
    """The job compare while it runs, seen from where some of it is done."""
    job = JobProcess(catalogue.find("compare"), {"recording": recording})
    try:
        while job.running:
            phases = [report for report in job.poll() if isinstance(report, Phase)]
            if any((phase.fraction or 0.0) >= _FRACTION for phase in phases):
                break
            job.wait(_WAIT_S)
        yield job
    finally:
        job.close()


def _finish(job: JobProcess) -> None:
    while job.running:
        job.poll()
        job.wait(_WAIT_S)
    job.poll()
    manifest = job.run.manifest()
    if manifest["status"] != RunStatus.FINISHED:
        raise JobFailed(
            f"The job compare did not finish ({manifest.get('reason', '')})",
            remedy="see `pads job run compare`",
        )
