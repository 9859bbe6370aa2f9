"""All faults, in the order of their table."""

from __future__ import annotations

import signal

import numpy as np

from engine.clock import SAMPLE_RATE_HZ
from engine.faults import command_line, hostile, jobs, outside, sound, voices
from engine.faults.case import Case
from engine.faults.conversation import STATES, after, always_dying, death
from engine.faults.surroundings import (
    in_threads,
    of_clocks,
    of_places,
    of_windows,
    under_pressure,
)

_SAME = "the death is told, the decoder starts again, and the reply is the same, served once"
_ENDS = "it ends within 2 s, leaves no process, and all that was shown is in the record"
_FATAL = ("SIGKILL", "SIGSEGV", "SIGABRT", "SIGSTOP")
_SHORT_ENDS = {("SIGINT", 1, "loading"), ("SIGTERM", 1, "speaking")}
_NOISE = np.random.default_rng(7).uniform(-1, 1, 2 * SAMPLE_RATE_HZ).astype(np.float32)
_QUIET = np.zeros(SAMPLE_RATE_HZ, np.float32)


def _deaths() -> list[Case]:
    return [
        Case(
            name=f"decoder-{name.lower()}-{state}",
            group="decoder",
            done=f"{name} to the decoder while {state}",
            expected=_SAME if name != "SIGSTOP" else _SAME.replace("death", "hanging"),
            check=death(int(getattr(signal, name, signal.SIGTERM)), state, reach),
            heavy=(name, state) != ("SIGKILL", "replying"),
            linux=True,
        )
        for name in _FATAL
        for state, reach in STATES.items()
    ]


def _always() -> list[Case]:
    return [
        Case(
            name="decoder-always-dies",
            group="decoder",
            done="SIGKILL to the decoder whenever it lives",
            expected="the turn is given up in one sentence, once, and the conversation goes on",
            check=always_dying,
            heavy=True,
            linux=True,
        )
    ]


def _endings() -> list[Case]:
    kinds = (("SIGINT", 1), ("SIGTERM", 1), ("SIGHUP", 1), ("SIGINT", 2))
    return [
        Case(
            name=f"{name.lower()}{'-twice' if times == 2 else ''}-{moment}",
            group="ending",
            done=f"{name}{' twice' if times == 2 else ''} to `pads replay` while {moment}",
            expected=_ENDS,
            check=command_line.ending(command_line.interrupt(name), moment, times=times),
            heavy=(name, times, moment) not in _SHORT_ENDS,
            linux=True,
        )
        for name, times in kinds
        for moment in command_line.MOMENTS
    ]


def _sounds() -> list[Case]:
    understood = "the turn after it is understood and answered once"
    bad = {
        "nan": ("two seconds of NaN and infinity", np.full_like(_NOISE, np.nan)),
        "zeros": ("two seconds of zeros", np.zeros_like(_NOISE)),
        "noise": ("two seconds of full-scale noise", _NOISE),
    }
    cases = [
        Case(
            name=f"sound-{name}",
            group="sound",
            done=f"{words} before a spoken turn",
            expected=understood,
            check=after(np.concatenate([samples, _QUIET])),
            heavy=name != "nan",
        )
        for name, (words, samples) in bad.items()
    ]
    return cases + [
        Case(
            name=f"sound-{rate}-hz",
            group="sound",
            done=f"a recording at {rate} Hz",
            expected=understood,
            check=after(np.zeros(0, np.float32), rate),
            heavy=True,
        )
        for rate in (8_000, 44_100)
    ]


def _microphones() -> list[Case]:
    told = "its loss and its return are told, and it is heard again"
    return [
        Case(
            name=name,
            group="microphone",
            done=done,
            expected=told,
            check=check,
            heavy=True,
            linux=True,
        )
        for name, done, check in (
            (
                "microphone-returns",
                "the microphone is pulled while it is listened to, and returns",
                sound.pulled(),
            ),
            (
                "microphone-returns-changed",
                "the microphone is pulled while it is listened to, and returns with another rate",
                sound.pulled("rate=22050"),
            ),
            (
                "microphone-hangs",
                "the sound server hangs for some seconds while the microphone is listened to",
                sound.hanging(),
            ),
            (
                "microphone-thread-fails",
                "an unexpected error in the microphone's thread while it is listened to",
                sound.failing("take"),
            ),
            (
                "microphone-callback-fails",
                "an unexpected error in the microphone's callback while it is listened to",
                sound.failing("_on_block"),
            ),
        )
    ]


def _voices() -> list[Case]:
    told = "it is told in a sentence, the reply stays written, and the next is spoken"
    return [
        Case(
            name=name,
            group="voice",
            done=done,
            expected=expected,
            check=check,
            heavy=True,
            linux=True,
        )
        for name, done, expected, check in (
            (
                "voice-killed",
                "SIGKILL to espeak-ng while it speaks a reply",
                told,
                voices.espeak_killed,
            ),
            (
                "voice-kept-killed",
                "SIGKILL to a program like Piper, which keeps its voice, while it has a sentence",
                f"{told} by the same program, started again",
                voices.piper_killed,
            ),
        )
    ]


def _single() -> list[Case]:
    line = command_line
    return [
        Case(
            name="job-killed",
            group="jobs",
            done="SIGKILL to a job at work",
            expected="its run is interrupted, says by what, and has no result",
            check=jobs.killed,
            linux=True,
        ),
        Case(
            name="job-supervisor-killed",
            group="jobs",
            done="SIGKILL to the process that supervises a job",
            expected="the job ends with it; its run is interrupted and has no result",
            check=jobs.supervisor_killed,
            linux=True,
        ),
        Case(
            name="job-folder-deleted",
            group="jobs",
            done="the folder of a job's run is deleted while it works",
            expected="its end is told in a sentence, and no process is left",
            check=jobs.folder_deleted,
            heavy=True,
            linux=True,
        ),
        Case(
            name="two-at-once",
            group="system",
            done="two conversations at once in one home",
            expected="both answer, each in a record of its own",
            check=line.doubled,
            heavy=True,
        ),
        Case(
            name="two-save-settings",
            group="system",
            done="two processes save the settings 200 times each while a third reads them",
            expected="whoever reads finds whole settings",
            check=line.saving_at_once,
        ),
        Case(
            name="disk-full",
            group="disk",
            done="a data folder with 32 kB of room",
            expected="it says that nothing more is recorded, and answers all the same",
            check=line.without_room(False),
            linux=True,
        ),
        Case(
            name="disk-read-only",
            group="disk",
            done="a data folder that cannot be written",
            expected="it says that nothing is recorded, and answers all the same",
            check=line.without_room(True),
            heavy=True,
            linux=True,
        ),
        Case(
            name="disk-full-replacing",
            group="disk",
            done="settings, a record, an export and weights are replaced on a full disk",
            expected="it is said, the old file stays whole, and nothing is left beside it",
            check=hostile.full,
            linux=True,
        ),
        Case(
            name="output-unread",
            group="system",
            done="whoever reads what `pads replay` prints goes away while speaking",
            expected=_ENDS,
            check=line.unread,
            heavy=True,
            linux=True,
        ),
        Case(
            name="no-network",
            group="network",
            done="no network interface at all, and a socket of its own is an error",
            expected="it answers all the same",
            check=line.without_network,
            linux=True,
        ),
    ]


_GROUPS = (
    *(
        _deaths,
        _always,
        in_threads,
        _sounds,
        _microphones,
        _voices,
        of_clocks,
        under_pressure,
        _endings,
        of_windows,
    ),
    *(_single, of_places, outside.of_files, outside.of_damage, outside.of_models),
)

CASES: tuple[Case, ...] = tuple(case for group in _GROUPS for case in group())
