"""A microphone that goes and returns in a conversation."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from engine import commands, events
from engine.audio.capture import Capture
from engine.events import Event
from engine.faults.case import Observed, variables
from engine.faults.conversation import complete, recorded
from engine.faults.threads import ON_PURPOSE, Stage, answered, failing_once, ready
from engine.faults.virtual_microphone import VirtualMicrophone

_AWAY_S, _BACK_S = 3.0, 20.0
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
