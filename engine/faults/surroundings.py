"""Cases about what surrounds a turn: threads, clocks, memory, processor, places, the display."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engine.faults import clocks, places, pressure, threads, window
from engine.faults.case import Case, Observed


def in_threads() -> list[Case]:
    return [
        Case(
            name=f"thread-{thread.replace(' ', '-').replace(chr(39), '')}-{state}",
            group="threads",
            done=f"an unexpected error in the {thread} thread while {state}",
            expected="it is told in a sentence, and the turn after it is answered once",
            check=threads.failing(thread, state),
            heavy=(thread, state) != ("engine", "listening"),
        )
        for thread, state in (
            ("engine", "listening"),
            ("engine", "pausing"),
            ("replay", "speaking"),
            ("decoder's keeper", "listening"),
            ("turn end's helper", "speaking"),
        )
    ]


def of_clocks() -> list[Case]:
    stands = "everything stands still for"
    goes_on = "it goes on where it was; the turn is answered once"
    return [
        Case(name=name, group="clocks", done=done, expected=expected, check=check, **marks)
        for name, done, expected, check, marks in (
            (
                "suspended",
                f"{stands} 2 s while someone speaks, as in a suspend",
                goes_on,
                clocks.suspended("speaking", 2.0),
                {"linux": True},
            ),
            (
                "suspended-long",
                f"{stands} 13 s while a reply is decoded",
                f"{goes_on}, by the same decoder",
                clocks.suspended("pausing", 13.0),
                {"linux": True, "heavy": True},
            ),
            (
                "suspended-listening",
                f"{stands} 5 s while a microphone is heard that talks on",
                "the sample clock goes on without going back; what is said later is answered once",
                clocks.suspended_listening,
                {"linux": True, "heavy": True},
            ),
            (
                "clock-forward",
                "the clock is set a day ahead while someone speaks",
                "the turn is answered once, and no session is taken for dead",
                clocks.jumping(24),
                {"linux": True, "heavy": True},
            ),
            (
                "clock-back",
                "the clock is set an hour back while someone speaks",
                "the turn is answered once, and no session is taken for dead",
                clocks.jumping(-1),
                {"linux": True, "heavy": True},
            ),
        )
    ]


def under_pressure() -> list[Case]:
    told = "it answers, or says in one sentence what is missing, and leaves no process"
    return _on_linux(
        "pressure",
        (
            "cpu-busy",
            "two busy programs for each core beside it",
            "the turn is answered once, and no block of sound is lost",
            pressure.busy,
            True,
        ),
        (
            "memory-little",
            "700 MB of address space to start with",
            told,
            pressure.short(at_once=True),
            False,
        ),
        (
            "files-few",
            "no more than 14 files open at once",
            told,
            pressure.few_files,
            False,
        ),
        (
            "memory-none",
            "no more memory for the engine while someone speaks",
            told,
            pressure.short(at_once=False),
            True,
        ),
        (
            "memory-none-decoder",
            "no more memory for the decoder once it decodes ahead",
            "the reply is the same, served once",
            pressure.full,
            True,
        ),
    )


def of_places() -> list[Case]:
    return _on_linux(
        "disk",
        (
            "data-deleted",
            "the data folder is deleted while someone speaks",
            "it says that nothing more is recorded, and answers all the same",
            places.data_deleted,
            False,
        ),
        (
            "cache-read-only",
            "a cache folder that cannot be written, in which the model's halves are not",
            "refused in one sentence that names the folder; no process is left",
            places.cache_read_only,
            False,
        ),
        (
            "halves-shortened",
            "the model's halves are cut off while the decoder works from them",
            "the decoder starts again with halves made anew; the turn is answered once",
            places.halves_shortened,
            True,
        ),
        (
            "output-full",
            "what `pads replay` prints goes to a full disk",
            "it ends with one sentence, and no process is left",
            places.output_full,
            False,
        ),
    )


def _on_linux(
    group: str, *rows: tuple[str, str, str, Callable[[Path], Observed], bool]
) -> list[Case]:
    """Cases of a group: name, what is done, what is expected, how it is checked, whether heavy."""
    return [
        Case(
            name=name,
            group=group,
            done=done,
            expected=expected,
            check=check,
            heavy=heavy,
            linux=True,
        )
        for name, done, expected, check, heavy in rows
    ]


def of_windows() -> list[Case]:
    return [
        Case(
            name=name,
            group="window",
            done=done,
            expected="it ends within 2 s, leaves no process, and all that was shown is recorded",
            check=window.losing(what),
            heavy=name != "display-lost",
            linux=True,
        )
        for name, done, what in (
            ("display-lost", "the X server is killed under the window", window.lose_display),
            ("logout", "SIGHUP to the window, as at a logout", window.told("SIGHUP")),
            ("logout-term", "SIGTERM to the window, as at a logout", window.told("SIGTERM")),
        )
    ] + [
        Case(
            name="two-windows",
            group="window",
            done="two windows at once in one home; one is ended",
            expected="both are ready, each with a record of its own, and the other goes on",
            check=window.doubled,
            heavy=True,
            linux=True,
        )
    ]
