"""Saying what set-up does and for how long, and running its long commands."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path


class Stopped(Exception):
    """Set-up cannot go on; the text says why and what to do."""


def say(words: str) -> None:
    """One line for the person who waits."""
    print(words, flush=True)


def clock(seconds: float) -> str:
    """Minutes and seconds, as 2:05."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def watch(words: str, command: list[str], *, log: Path, env: dict[str, str]) -> None:
    """Run a command with its output in `log`, telling how long it has taken so far.

    A terminal sees a line that counts the seconds, anything else a line every half minute.
    An interruption ends the command and what it started. Raises `Stopped` when it fails.
    """
    started, on_terminal = time.monotonic(), sys.stdout.isatty()
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=env,
            start_new_session=True,
        )
        try:
            if not on_terminal:
                say(f"{words} ...")
            while _running(process, 1.0 if on_terminal else 30.0):
                so_far = f"{words}, {clock(time.monotonic() - started)} so far"
                print(f"\r{so_far}" if on_terminal else so_far, end="" if on_terminal else "\n")
                sys.stdout.flush()
        finally:
            _end(process)
    taken = time.monotonic() - started
    if process.returncode:
        if on_terminal:
            print()
        last = log.read_text("utf-8", "replace").splitlines()[-25:]
        raise Stopped("\n".join([*last, f"{words}: failed. All it said is in {log}"]))
    done = f"{words}: done in {clock(taken)}"
    say(f"\r{done:<{len(words) + 22}}" if on_terminal else done)  # over all of the line before


def _running(process: subprocess.Popen[bytes], timeout_s: float) -> bool:
    try:
        process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        return True
    return False


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the command's whole group if it still runs."""
    if process.poll() is not None:
        return
    os.killpg(process.pid, signal.SIGTERM)
    if _running(process, 5.0):
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
