"""A microphone that is pulled, or whose server hangs, in a conversation, and that returns."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from engine import commands, events
from engine.evaluation.conversation import converse
from engine.events import Event
from engine.faults.case import NotAsExpected, Observed, variables
from engine.faults.conversation import complete, recorded
from engine.faults.virtual_microphone import VirtualMicrophone
from engine.settings import Settings

_AWAY_S, _LONGEST_S = 3.0, 45.0


def returning(*properties: str, hangs: bool = False) -> Callable[[Path], Observed]:
    """A check: the microphone goes and returns, perhaps with other `properties`, and hears.

    It goes with its server, which is killed, or `hangs`.
    """

    def check(folder: Path) -> Observed:
        air = VirtualMicrophone(folder / "sound")
        file = recorded(folder)
        seen: list[Event] = []
        moments: dict[str, float] = {}

        def see(event: Event) -> None:
            seen.append(event)
            match event:
                case events.SourceOpened() if "opened" not in moments:
                    moments["opened"] = time.monotonic()
                    threading.Thread(target=go, name="room", daemon=True).start()
                case events.Problem() if "told" not in moments:
                    moments["told"] = time.monotonic()
                case events.SourceRecovered():
                    moments.setdefault("again", time.monotonic())

        def go() -> None:
            time.sleep(2.0)
            if hangs:
                air.stand_still(True)
                time.sleep(2 * _AWAY_S)
                air.stand_still(False)
            else:
                air.stop()
                time.sleep(_AWAY_S)
                air.start(*properties)
            moments["returned"] = time.monotonic()
            while "again" not in moments and time.monotonic() < moments["returned"] + 20:
                time.sleep(0.05)
            time.sleep(2.5)  # a stream may take two seconds to begin
            air.play(file).wait(30)

        try:
            air.start()
            with variables(air.environment):
                source = commands.OpenMicrophone()
                summary = converse(
                    Settings(), source, seconds=_LONGEST_S, see=see, log_folder=folder / "sessions"
                )
        finally:
            air.stop()
        if "told" not in moments or "again" not in moments:
            raise NotAsExpected(f"of its going and coming only {sorted(moments)} was noticed")
        if "cactus" not in " ".join(summary.transcripts).lower():
            raise NotAsExpected(f"after its return it understood {summary.transcripts}")
        complete(folder / "sessions", seen)
        return Observed(
            words=f"told, and after its return understood “{summary.transcripts[-1]}”",
            recovery_s=moments["again"] - moments["returned"],
            lost="what was said while it was away",
        )

    return check
