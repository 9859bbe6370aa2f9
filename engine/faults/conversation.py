"""One spoken turn through the real engine, with a fault at a chosen moment."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import psutil
import soundfile
from numpy.typing import NDArray

from engine import commands, events, paths
from engine.evaluation.conversations.conversation import Summary, converse
from engine.events import Event, TurnState
from engine.faults.case import NotAsExpected, Observed
from engine.records import session_log
from engine.settings import Settings

_FROM_S, _TURN_S = 0.5, 5.0
"""The first turn of the demo, with half a second or so of silence around it."""

_OFTEN = 3
"""Deaths in one turn after which it need not be answered."""

STATES: dict[str, Callable[[Event], bool]] = {
    "listening": lambda event: isinstance(event, events.SourceOpened),
    "speaking": lambda event: (
        isinstance(event, events.StateChanged) and event.state is TurnState.SPEAKING
    ),
    "pausing": lambda event: isinstance(event, events.BranchStarted),
    "replying": lambda event: isinstance(event, events.ReplyServed),
}
"""States of a turn, each with the event by which it is known to be reached."""


def spoken() -> tuple[NDArray[np.float32], int]:
    """A demo's first turn, mono, and its rate in Hz."""
    file = paths.demos() / "balcony-garden.flac"
    rate = soundfile.info(file).samplerate
    begin, end = round(_FROM_S * rate), round((_FROM_S + _TURN_S) * rate)
    samples, _ = soundfile.read(file, start=begin, stop=end, dtype="float32", always_2d=True)
    return samples.mean(axis=1, dtype=np.float32), rate


def recorded(folder: Path, name: str = "turn.wav") -> Path:
    """The turn as a file."""
    samples, rate = spoken()
    file = folder / name
    soundfile.write(file, samples, rate)
    return file


def hear(file: Path, see: Callable[[Event], None], folder: Path) -> tuple[Summary, list[Event]]:
    """Converse over a file, recorded in `folder`; the summary and all events in order."""
    seen: list[Event] = []

    def take(event: Event) -> None:
        seen.append(event)
        see(event)

    settings = Settings()
    settings = replace(settings, decoder=replace(settings.decoder, reply_tokens=24))
    return converse(settings, commands.OpenFile(path=str(file)), see=take, log_folder=folder), seen


@cache
def undisturbed(reference: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Transcripts and replies of a recording nothing happens to, by its bytes."""
    from engine.faults.case import own_home

    with own_home() as folder:
        file = folder / "reference.wav"
        file.write_bytes(reference)
        summary, _ = hear(file, lambda _: None, folder / "sessions")
    return tuple(summary.transcripts), tuple(summary.replies)


def decoder() -> psutil.Process:
    """The process that holds the language model of this process's engine."""
    for child in psutil.Process().children():
        with suppress(psutil.Error):  # another one that has just ended
            if "engine.speculation.host" in child.cmdline():
                return child
    raise NotAsExpected("there is no decoder process")


def death(number: int, state: str, reach: Callable[[Event], bool]) -> Callable[[Path], Observed]:
    """A check: send the decoder a signal when a state is reached; the turn is answered alike."""

    def check(folder: Path) -> Observed:
        file = recorded(folder)
        wanted = undisturbed(file.read_bytes())
        struck_s: list[float] = []
        again_s: list[float] = []

        def see(event: Event) -> None:
            if not struck_s and reach(event):
                os.kill(decoder().pid, number)
                struck_s.append(time.monotonic())
            # "restarted" tells of the attempt, "ready" of a model that answers.
            if struck_s and not again_s and _answers(event):
                again_s.append(time.monotonic())

        summary, seen = hear(file, see, folder / "sessions")
        if not struck_s:
            raise NotAsExpected(f"the state {state} was never reached, so nothing was done")
        died = [event for event in seen if _status(event) == "died"]
        if not died:
            raise NotAsExpected("nobody noticed that the decoder died")
        _same(wanted, summary)
        complete(folder / "sessions", seen)
        recovery_s = again_s[0] - struck_s[0] if again_s else None
        return Observed(
            words=f"said “{getattr(died[0], 'note', '')}”, restarted, and gave the same reply",
            recovery_s=recovery_s,
        )

    return check


def always_dying(folder: Path) -> Observed:
    """A check: the decoder dies whenever it lives; the turn is given up in a sentence, once."""

    ready, over = threading.Event(), threading.Event()

    def kill() -> None:
        ready.wait()
        while not over.wait(0.05):
            with suppress(NotAsExpected, psutil.Error):
                decoder().kill()

    def see(event: Event) -> None:
        if isinstance(event, events.EngineReady):
            ready.set()

    killer = threading.Thread(target=kill, name="killer")
    killer.start()
    try:
        summary, seen = hear(recorded(folder), see, folder / "sessions")
    finally:
        over.set()
        ready.set()
        killer.join()
    deaths = sum(_status(event) == "died" for event in seen)
    if deaths < _OFTEN:
        raise NotAsExpected(f"it died {deaths} times only, so too little was done")
    told = [event.message for event in seen if isinstance(event, events.Problem)]
    given_up = [message for message in told if "could not be answered" in message]
    if len(given_up) != 1 or (summary.turns, len(summary.replies)) != (1, 1):
        raise NotAsExpected(
            f"{summary.turns} turns got {len(summary.replies)} replies; said {told}"
        )
    complete(folder / "sessions", seen)
    return Observed(words=f"said “{given_up[0]}”", lost="the reply")


def _status(event: Event) -> str:
    return event.state if isinstance(event, events.DecoderStatus) else ""


def _answers(event: Event) -> bool:
    return _status(event) == "ready"


def _same(wanted: tuple[tuple[str, ...], tuple[str, ...]], summary: Summary) -> None:
    had = (tuple(summary.transcripts), tuple(summary.replies))
    if had != wanted:
        raise NotAsExpected(f"heard and answered {had} instead of {wanted}")


def complete(sessions: Path, seen: list[Event]) -> None:
    """Check that all that was shown is on disk."""
    (folder,) = sessions.iterdir()
    kept = sum(1 for _ in session_log.read(folder))
    if kept < len(seen):
        raise NotAsExpected(f"{len(seen) - kept} of {len(seen)} events are not in the record")


def after(
    before: NDArray[np.float32], expected_rate: int | None = None
) -> Callable[[Path], Observed]:
    """A check: something is heard before a spoken turn, which is understood all the same.

    `before` is mono at 16 kHz, with NaN and all; `expected_rate` is the file's rate instead.
    """

    def check(folder: Path) -> Observed:
        samples, rate = spoken()
        if expected_rate is not None:
            import soxr

            samples = np.asarray(soxr.resample(samples, rate, expected_rate), np.float32)
            rate = expected_rate
        file = folder / "strange.wav"
        soundfile.write(file, np.concatenate([before, samples]), rate, subtype="FLOAT")
        summary, seen = hear(file, lambda _: None, folder / "sessions")
        answered = [event for event in seen if isinstance(event, events.ReplyFinished)]
        if "cactus" not in " ".join(summary.transcripts).lower():
            raise NotAsExpected(f"the turn was not understood: {summary.transcripts}")
        if (summary.turns, len(answered)) != (1, 1):
            raise NotAsExpected(f"{summary.turns} turns got {len(answered)} replies, not one")
        complete(folder / "sessions", seen)
        return Observed(words=f"understood “{summary.transcripts[-1]}” and answered once")

    return check
