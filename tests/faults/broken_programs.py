"""Programs that lost a defence: `pads` as a whole, its window, its jobs."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Iterator
from typing import Any

from tests.faults.breaking import HERE, Patches, Red

APP, JOBS, HOST = "app", "engine.jobs", "engine.speculation.host"
CLOCK, UNWIRED = "engine.faults.jumping_clock", "engine.faults.no_sockets"


def what_is_late_is_skipped(_: str) -> Patches:
    from engine.audio.replay import Replay

    def on_time(self: Any) -> Iterator[Any]:
        began_s, heard = time.monotonic(), 0
        for block in resampled(self):
            heard += len(block)
            if time.monotonic() - began_s - heard / 16_000 < 0.5:
                yield block

    resampled = Replay._resampled
    return [(Replay, "_resampled", on_time)]


def standing_still_is_taken_for_hanging(_: str) -> Patches:
    from engine.speculation import client

    return [(client, "_STOOD_STILL_S", math.inf)]


def sound_after_a_gap_begins_at_zero(_: str) -> Patches:
    from engine.trigger.turns import Turns

    hear = Turns.hear
    last_s = time.monotonic()

    def begin_anew(self: Turns, chunk: Any) -> None:
        nonlocal last_s
        if time.monotonic() - last_s > 4.0:
            self._chunks = 0
        last_s = time.monotonic()
        hear(self, chunk)

    return [(Turns, "hear", begin_anew)]


def a_birth_is_told_by_the_clock(_: str) -> Patches:
    import psutil

    from engine.records import folders, session_log

    def birth(process: int | None = None) -> str:
        return f"{psutil.Process(process).create_time():.2f}"

    return [(module, "birth", birth) for module in (folders, session_log)]


def the_ring_is_short(_: str) -> Patches:
    from engine import live
    from engine.audio.ring import Ring

    return [(live, "Ring", lambda: Ring(0.05))]


def errors_are_not_put_into_sentences(_: str) -> Patches:
    from engine import cli

    return [(cli, "PadsError", KeyError)]


def speech_takes_a_gigabyte_and_an_error_has_no_sentence(place: str) -> Patches:
    from engine.transcription.whisper import Transcriber
    from engine.trigger.judging import Judge

    words = Transcriber._words

    def greedily(self: Transcriber, audio: Any) -> str:
        bytearray(2**30)
        return words(self, audio)

    return [
        *errors_are_not_put_into_sentences(place),
        (Judge, "_try_out", lambda self: None),
        (Transcriber, "_words", greedily),
    ]


def the_end_waits(_: str) -> Patches:
    from engine.session import Session

    stop = Session.stop

    def slowly(self: Session, timeout_s: float = 1.5) -> bool:
        time.sleep(2.5)
        return stop(self, timeout_s)

    return [(Session, "stop", slowly)]


def the_end_waits_deaf(_: str) -> Patches:
    from engine.session import Session

    stop = Session.stop

    def slowly(self: Session, timeout_s: float = 1.5) -> bool:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        time.sleep(2.5)
        return stop(self, timeout_s)

    return [(Session, "stop", slowly)]


def signals_end_it_at_once(_: str) -> Patches:
    from engine import cli

    return [(cli, "_end_in_order", lambda: None)]


def a_decoder_outlives_its_parent(_: str) -> Patches:
    import os

    return [(os, "_exit", lambda status: time.sleep(60))]


def a_logout_ends_the_window_at_once(_: str) -> Patches:
    from app import application

    return [(application, "_quit_on_signals", lambda *_: None)]


def sessions_share_a_folder(_: str) -> Patches:
    from pathlib import Path

    from engine.records import session_log

    def folder(parent: Path, label: str = "") -> Path:
        (parent / "session").mkdir(parents=True, exist_ok=True)
        return parent / "session"

    return [(session_log, "new_folder", folder)]


def a_lost_record_is_not_told(_: str) -> Patches:
    from engine.records.recorder import Recorder

    return [(Recorder, "_lost", lambda self, exc: setattr(self, "_log", None))]


def a_session_calls_home(_: str) -> Patches:
    import socket

    from engine.session import Session

    start = Session.start

    def call(self: Session) -> None:
        with socket.socket() as line:
            line.connect(("127.0.0.1", 9))
        start(self)

    return [(Session, "start", call)]


def a_supervisor_says_nothing(_: str) -> Patches:
    from engine.jobs import supervisor

    return [(supervisor, "_believe", lambda run, code, watchdog: code)]


def jobs_outlive_their_supervisor(_: str) -> Patches:
    from engine.jobs import priority

    return [(priority, "end_with", lambda supervisor: None)]


def one_window_locks_the_home(_: str) -> Patches:
    from app import application
    from engine import paths

    run = application.run

    def locked(*, smoke: bool = False) -> int:
        (paths.data() / "lock").parent.mkdir(parents=True, exist_ok=True)
        try:
            (paths.data() / "lock").open("x").close()
        except FileExistsError:
            return 1
        return run(smoke=smoke)

    return [(application, "run", locked)]


_MOMENTS = ("loading", "speaking", "pausing", "replying")

RED: tuple[Red, ...] = (
    Red("suspended", what_is_late_is_skipped, "it understood", places=(APP,)),
    Red("suspended-long", standing_still_is_taken_for_hanging, "taken for hung", places=(APP,)),
    Red(
        "suspended-listening",
        sound_after_a_gap_begins_at_zero,
        "the sample clock went backwards",
        places=(APP,),
    ),
    *(
        Red(case, a_birth_is_told_by_the_clock, "is called interrupted", places=(HERE, CLOCK))
        for case in ("clock-forward", "clock-back")
    ),
    Red("cpu-busy", the_ring_is_short, "blocks of sound were lost", places=(APP,)),
    Red(
        "memory-little",
        errors_are_not_put_into_sentences,
        "it ended with status",
        places=(APP,),
        quick=True,
    ),
    Red(
        "memory-none",
        speech_takes_a_gigabyte_and_an_error_has_no_sentence,
        "it ended with status 1",
        places=(APP,),
    ),
    *(
        Red(
            f"{kind}-{moment}",
            broken,
            says,
            places=(APP,),
            quick=(kind, moment) in (("sigint", "loading"), ("sigterm", "loading")),
        )
        for kind, broken, says in (
            ("sigint", the_end_waits, " s to end"),
            ("sigterm", signals_end_it_at_once, "it died of signal 15"),
            ("sighup", signals_end_it_at_once, "it died of signal 1"),
            ("sigint-twice", the_end_waits_deaf, " s to end"),
        )
        for moment in _MOMENTS
    ),
    Red("display-lost", a_decoder_outlives_its_parent, "left running", places=(HOST,), quick=True),
    *(
        Red(case, a_logout_ends_the_window_at_once, says, places=(APP,))
        for case, says in (
            ("logout", "it died of signal 1"),
            ("logout-term", "it died of signal 15"),
        )
    ),
    Red("two-windows", one_window_locks_the_home, "the window ended", places=(APP,)),
    Red("output-unread", the_end_waits, " s to end", places=(APP,)),
    Red("two-at-once", sessions_share_a_folder, "the records hold", places=(APP,)),
    *(
        Red(
            case,
            a_lost_record_is_not_told,
            "it was not said that nothing is recorded",
            places=(APP,),
        )
        for case in ("disk-full", "disk-read-only")
    ),
    Red(
        "no-network", a_session_calls_home, "it ended with status 1", places=(UNWIRED,), quick=True
    ),
    Red(
        "job-supervisor-killed",
        jobs_outlive_their_supervisor,
        "the job works on alone",
        places=(JOBS,),
    ),
    Red("job-killed", a_supervisor_says_nothing, "the run says", places=(JOBS,), quick=True),
)
