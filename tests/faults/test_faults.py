"""Every fault of `pads faults`, and the proof for each kind of check that it can fail."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from engine.errors import PadsError
from engine.events import Event
from engine.faults import command, command_line, conversation, files
from engine.faults.case import NOTHING, Case, NotAsExpected, Observed, run
from engine.faults.catalogue import CASES

pytestmark = [
    pytest.mark.usefixtures("models"),
    pytest.mark.skipif(sys.platform != "linux", reason="the faults are done with Linux's means"),
]


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.name, marks=[pytest.mark.heavy] if case.heavy else [])
        for case in CASES
    ],
)
def test_it_is_withstood(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    # `pads faults` measures; here other tests may hold the processor.
    monkeypatch.setattr(command_line, "ENDS_S", 10.0)
    outcome = run(case)
    assert outcome.withstood, outcome.observed


def test_names_are_different_and_groups_can_be_chosen() -> None:
    names = [case.name for case in CASES]
    assert len(names) == len(set(names))
    assert not set(names) & {case.group for case in CASES}
    chosen = list(command.done(["files-no-files"], short=False))
    assert [outcome.name for outcome in chosen] == ["files-no-files"]


def wrong(check: object) -> str:
    """What a check says that must not be content; the test fails if it is."""
    assert callable(check)
    case = Case(name="red", group="red", done="", expected="", check=check)
    outcome = run(case)
    assert not outcome.withstood, outcome.observed
    return outcome.observed


def test_a_reader_that_lets_an_error_through_is_found() -> None:
    raw = files.Reader("a.json", lambda: b"{}", lambda path: json.loads(path.read_bytes()))
    assert "JSONDecodeError" in wrong(files.refuses(raw, 1))


def test_a_refusal_without_a_remedy_is_found() -> None:
    def refuse(_: Path) -> None:
        raise PadsError("no", remedy="")

    assert "no remedy" in wrong(files.refuses(files.Reader("a", lambda: b"a", refuse), 1))


def test_a_reader_that_refuses_everything_is_found() -> None:
    def refuse(_: Path) -> None:
        raise PadsError("no", remedy="try again")

    assert "whole file" in wrong(files.refuses(files.Reader("a", lambda: b"a", refuse), 1))


def test_a_death_that_does_not_happen_is_found() -> None:
    def never(_: Event) -> bool:
        return False

    assert "never reached" in wrong(conversation.death(signal.SIGKILL, "replying", never))


def test_a_decoder_that_does_not_die_of_it_is_found() -> None:
    check = conversation.death(signal.SIGCONT, "speaking", conversation.STATES["speaking"])
    assert "nobody noticed" in wrong(check)


def test_a_turn_that_is_not_spoken_is_not_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    samples, rate = conversation.spoken()
    monkeypatch.setattr(conversation, "spoken", lambda: (0 * samples, rate))
    assert "not understood" in wrong(conversation.after(samples[:0]))


def started(folder: Path, code: str) -> Observed:
    with command_line.started([sys.executable, "-c", code], folder) as program:
        program.until(lambda _: True, "its beginning")
        family = command_line.family(program.process.pid)
        program.process.send_signal(signal.SIGINT)
        try:
            return command_line.ended(program, family, time.monotonic())
        finally:
            for left in family:
                with suppress(psutil.NoSuchProcess):
                    left.kill()


def test_a_program_that_takes_its_time_to_end_is_found() -> None:
    code = (
        "import signal, time, sys\n"
        "signal.signal(signal.SIGINT, lambda *_: (time.sleep(2.5), sys.exit(0)))\n"
        "print('{}', flush=True)\ntime.sleep(60)"
    )
    assert "to end" in wrong(lambda folder: started(folder, code))


def test_a_process_left_behind_is_found() -> None:
    code = (
        "import subprocess, sys, time\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print('{}', flush=True)\ntime.sleep(60)"
    )
    assert "left running" in wrong(lambda folder: started(folder, code))


def test_a_socket_is_found() -> None:
    code = (
        "import sys, socket; from engine.faults import no_sockets; "
        "sys.addaudithook(no_sockets.refuse); socket.socket().bind(('127.0.0.1', 0))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "socket.bind" in done.stderr


def test_the_table_names_every_fault_and_what_was_not_withstood() -> None:
    good = Case(
        name="a", group="x", done="do | this", expected="b", check=lambda _: Observed(words="c")
    )

    def bad(_: Path) -> Observed:
        raise NotAsExpected("d")

    outcomes = [run(good), run(Case(name="e", group="x", done="f", expected="g", check=bad))]
    text = command.table(outcomes)
    assert f"| do \\| this | b | c | – | {NOTHING} |" in text
    assert "| f | g | **not withstood**: d | – | unknown |" in text
    assert "2 faults, 1 not withstood" in text
