"""A microphone that goes and returns, and a voice whose program dies, in a conversation."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine import commands, events
from engine.audio.capture import Capture
from engine.events import Event
from engine.faults.case import NotAsExpected, Observed, variables
from engine.faults.conversation import complete, recorded
from engine.faults.threads import ON_PURPOSE, Stage, answered, failing_once, ready
from engine.faults.virtual_microphone import VirtualMicrophone
from engine.settings import Settings

_AWAY_S, _BACK_S, _SPEAKS_S = 3.0, 20.0, 30.0
_BEGINS_S = 2.5  # so long may a stream take to begin

Armed = Mapping[str, threading.Event]
Harm = Callable[[VirtualMicrophone, Armed], None]


def _nothing(_: VirtualMicrophone) -> None:
    """It mends itself."""


def _returning(
    harm: Harm, mend: Callable[[VirtualMicrophone], None] = _nothing, away_s: float = 0.0
) -> Callable[[Path], Observed]:
    """A check: something happens to the microphone, it is told, and what is said later is heard.

    It is mended `away_s` after it was told.
    """

    def check(folder: Path) -> Observed:
        air, stage = VirtualMicrophone(folder / "sound"), Stage(folder / "sessions")
        with ExitStack() as stack:
            stack.callback(air.stop)
            air.start()
            stack.enter_context(variables(air.environment))
            armed = {
                name: stack.enter_context(failing_once(Capture, name))
                for name in ("take", "_on_block")
            }
            stack.enter_context(_not_printed())
            stack.callback(stage.session.stop, 10)
            stage.session.start()
            stage.until(ready, "it never became ready")
            stage.session.send(commands.OpenMicrophone())
            stage.until(lambda event: isinstance(event, events.AudioHeard), "nothing was heard")
            harm(air, armed)
            stage.until(_lost, "nobody told that the microphone was lost")
            time.sleep(away_s)
            mend(air)
            returned_s = time.monotonic()
            stage.until(_recovered, "it was lost, and never heard again", _BACK_S)
            again_s = time.monotonic()
            time.sleep(_BEGINS_S)
            air.play(recorded(folder))
            words = answered(stage)
            stage.session.send(commands.CloseSource())
            stage.until(lambda event: isinstance(event, events.SourceEnded), "it never ended")
        complete(folder / "sessions", stage.seen)
        return Observed(
            words=f"told, and after its return understood “{words}” and answered",
            recovery_s=again_s - returned_s,
            lost="what was said while it was away",
        )

    return check


@contextmanager
def _not_printed() -> Iterator[None]:
    """An error on purpose in PortAudio's callback, which cffi reports, needs no traceback."""
    before = sys.unraisablehook

    def tell(unraisable: Any) -> None:
        if ON_PURPOSE not in str(unraisable.exc_value):
            before(unraisable)

    sys.unraisablehook = tell
    try:
        yield
    finally:
        sys.unraisablehook = before


def pulled(*properties: str) -> Callable[[Path], Observed]:
    """A check: its server is killed, and started anew, perhaps with other `properties`."""
    return _returning(lambda air, _: air.stop(), lambda air: air.start(*properties), _AWAY_S)


def hanging() -> Callable[[Path], Observed]:
    """A check: its server hangs, and goes on."""
    return _returning(
        lambda air, _: air.stand_still(True), lambda air: air.stand_still(False), _AWAY_S
    )


def failing(name: str) -> Callable[[Path], Observed]:
    """A check: an error that nobody expected in the thread that calls this method of its stream."""
    return _returning(lambda _, armed: armed[name].set())


def _lost(event: Event) -> bool:
    return isinstance(event, events.Problem) and "stopped delivering" in event.message


def _recovered(event: Event) -> bool:
    return isinstance(event, events.SourceRecovered)


def voice_killed(folder: Path) -> Observed:
    """A check: the program that speaks is killed at a reply; the next reply is spoken."""
    real, air = shutil.which("espeak-ng"), VirtualMicrophone(folder / "sound")
    if real is None:
        raise NotAsExpected("espeak-ng is not installed, so nothing was done")
    programs = folder / "programs"
    programs.mkdir()
    dying = programs / "espeak-ng"
    dying.write_text(
        f'#!/bin/sh\n[ -e "$0.died" ] || {{ : > "$0.died"; kill -9 $$; }}\nexec {real} "$@"\n'
    )
    dying.chmod(0o700)
    settings = Settings()
    settings = replace(settings, voice=replace(settings.voice, enabled=True, engine="espeak"))
    stage = Stage(folder / "sessions", settings)
    with ExitStack() as stack:
        stack.callback(air.stop)
        air.start()
        path = os.pathsep.join([str(programs), os.environ["PATH"]])
        stack.enter_context(variables({**air.environment, "PATH": path}))
        stack.callback(stage.session.stop, 10)
        stage.session.start()
        stage.until(ready, "it never became ready")
        file = commands.OpenFile(path=str(recorded(folder)))
        stage.session.send(file)
        told = stage.until(_told_of_voice, "nobody told that the voice died")
        stage.session.send(file)
        answered(stage)
        ended = stage.until(_fell_silent, "it never spoke", _SPEAKS_S)
    spoken, reason = getattr(ended, "spoken", ""), getattr(ended, "reason", "")
    if reason != "finished" or not spoken:
        raise NotAsExpected(f"of the next reply it spoke {spoken!r} ({reason})")
    complete(folder / "sessions", stage.seen)
    return Observed(
        words=f"said “{getattr(told, 'message', '')}”, and spoke the next reply",
        lost="the first reply's sound; its text is there",
    )


def _fell_silent(event: Event) -> bool:
    return isinstance(event, events.VoiceStopped)


def _told_of_voice(event: Event) -> bool:
    return isinstance(event, events.Problem) and "espeak-ng" in event.message
