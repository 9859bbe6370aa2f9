"""A voice whose program dies: espeak-ng, which is started anew for each sentence, and Piper.

Piper need not be installed: a program that is asked as Piper is, and speaks by espeak-ng, stands
in for it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from engine import commands, events, paths
from engine.events import Event
from engine.faults.case import NotAsExpected, Observed, until, variables
from engine.faults.conversation import complete, recorded
from engine.faults.threads import Stage, answered, ready
from engine.faults.virtual_microphone import VirtualMicrophone
from engine.settings import Settings, VoiceSettings
from engine.store import library

_SPEAKS_S = 30.0

_PIPER = """#!/bin/sh
# $4 is the folder for its sound. What stands still does so until it is killed.
while IFS= read -r text; do
    if [ -e "$0.kill" ]; then echo $$ > "$0.reading"; kill -STOP $$; fi
    number=$((number + 1))
    {espeak} -v en-us -w "$4/$number.wav" -- "$text" && echo "$4/$number.wav"
done
"""


def espeak_killed(folder: Path) -> Observed:
    """A check: espeak-ng is killed at a reply; the next reply is spoken."""
    programs = folder / "programs"
    programs.mkdir()
    dying = programs / "espeak-ng"
    dying.write_text(
        f'#!/bin/sh\n[ -e "$0.died" ] || {{ : > "$0.died"; kill -9 $$; }}\nexec {_espeak()} "$@"\n'
    )
    dying.chmod(0o700)
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    with variables({"PATH": path}):
        return _spoken_again(folder, VoiceSettings(enabled=True, engine="espeak"), "espeak-ng")


def piper_killed(folder: Path) -> Observed:
    """A check: Piper is killed while it has a sentence; started again, it speaks the next reply."""
    with like_piper(folder / "voice") as program:
        killed = threading.Thread(target=kill_reading, args=(program,), daemon=True)
        Path(f"{program}.kill").touch()
        killed.start()
        settings = VoiceSettings(enabled=True, engine="piper", piper=str(program))
        return _spoken_again(folder, settings, "Piper")


def kill_reading(program: Path, patience_s: float = 90.0) -> None:
    """SIGKILL to the stand-in once it has a sentence; its `kill` file goes, so that it is once."""
    reading = Path(f"{program}.reading")
    until(lambda: reading.exists() and reading.read_text().endswith("\n"), "unasked", patience_s)
    Path(f"{program}.kill").unlink()
    os.kill(int(reading.read_text()), signal.SIGKILL)
    reading.unlink()


@contextmanager
def like_piper(folder: Path) -> Iterator[Path]:
    """A program that is asked as Piper is. While it is here, Piper's voice is, too: its files
    have their sizes, and nobody reads them."""
    voices = folder / "models"
    voices.mkdir(parents=True)
    for there in paths.fetched_models().iterdir():
        (voices / there.name).symlink_to(there.resolve())
    for name in (VoiceSettings().model, f"{VoiceSettings().model}-config"):
        file = voices / library.find(name).file
        if not file.is_file():
            file.parent.mkdir(exist_ok=True)
            file.touch()
            os.truncate(file, library.find(name).size)
    program = folder / "piper"
    program.write_text(_PIPER.format(espeak=_espeak()))
    program.chmod(0o700)
    with variables({"PADS_MODELS": str(voices)}):
        yield program


def _espeak() -> str:
    real = shutil.which("espeak-ng")
    if real is None:
        raise NotAsExpected("espeak-ng is not installed, so nothing was done")
    return shlex.quote(real)


def _spoken_again(folder: Path, voice: VoiceSettings, name: str) -> Observed:
    """Two replies to one recording: `name`'s death is told in the first, the second is spoken."""
    air, stage = VirtualMicrophone(folder / "sound"), Stage(folder / "sessions", _with(voice))
    with ExitStack() as stack:
        stack.callback(air.stop)
        air.start()
        stack.enter_context(variables(air.environment))
        stack.callback(stage.session.stop, 10)
        stage.session.start()
        stage.until(ready, "it never became ready")
        file = commands.OpenFile(path=str(recorded(folder)))
        stage.session.send(file)
        told = stage.until(_telling_of(name), "nobody told that the voice died")
        stage.session.send(file)
        answered(stage)
        ended = stage.until(_fell_silent, "it never spoke", _SPEAKS_S)
    spoken, reason = getattr(ended, "spoken", ""), getattr(ended, "reason", "")
    if reason != "finished" or not spoken:
        raise NotAsExpected(f"of the next reply it spoke {spoken!r} ({reason})")
    engines = [event.engine for event in stage.seen if isinstance(event, events.VoiceStarted)]
    if engines[-1:] != [name]:
        raise NotAsExpected(f"the next reply was spoken by {engines}")
    complete(folder / "sessions", stage.seen)
    return Observed(
        words=f"said “{getattr(told, 'message', '')}”, and spoke the next reply",
        lost="the first reply's sound; its text is there",
    )


def _with(voice: VoiceSettings) -> Settings:
    return replace(Settings(), voice=voice)


def _telling_of(name: str) -> Callable[[Event], bool]:
    return lambda event: isinstance(event, events.Problem) and name in event.message


def _fell_silent(event: Event) -> bool:
    return isinstance(event, events.VoiceStopped)
