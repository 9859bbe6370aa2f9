"""Every fault of `pads faults`, and the proof for each kind of check that it can fail."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import psutil
import pytest

from engine import events, paths
from engine.errors import PadsError
from engine.events import Event
from engine.faults import (
    clocks,
    command,
    command_line,
    conversation,
    files,
    models,
    pressure,
    threads,
    window,
)
from engine.faults.case import NOTHING, Case, NotAsExpected, Observed, run
from engine.faults.catalogue import CASES
from engine.records import session_log

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


@pytest.fixture
def silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a second in which nothing is said, in place of the spoken turn."""
    monkeypatch.setattr(conversation, "spoken", lambda: (np.zeros(8_000, np.float32), 16_000))


@pytest.mark.usefixtures("silence")
def test_a_death_that_does_not_happen_is_found() -> None:
    def never(_: Event) -> bool:
        return False

    assert "never reached" in wrong(conversation.death(signal.SIGKILL, "replying", never))


@pytest.mark.usefixtures("silence")
def test_a_decoder_that_does_not_die_of_it_is_found() -> None:
    check = conversation.death(signal.SIGCONT, "listening", conversation.STATES["listening"])
    assert "nobody noticed" in wrong(check)


@pytest.mark.usefixtures("silence")
def test_a_turn_that_is_not_spoken_is_not_understood() -> None:
    assert "not understood" in wrong(conversation.after(np.zeros(0, np.float32)))


def test_an_error_that_nobody_tells_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_PATIENCE_S", 0.1)
    monkeypatch.setitem(threads.PLACES, "no", (threads, "failing"))  # nobody calls it
    assert "never became ready" in wrong(threads.failing("no", "listening"))


@pytest.mark.parametrize(
    ("text", "ended", "reason"),
    [
        ("hello", "finished", "length"),
        ("cactus", "closed", "length"),
        ("cactus", "finished", "failed"),
    ],
)
def test_a_turn_after_an_error_that_goes_wrong_is_found(
    tmp_path: Path, text: str, ended: str, reason: str
) -> None:
    stage = threads.Stage(tmp_path)
    turn = events.TurnCommitted(heard_s=1.0, turn=1, text=text, from_branch=False)
    reply = events.ReplyFinished(
        heard_s=1.0, turn=1, text="a", tokens=(1,), reason=reason, drafted=0, accepted=0
    )
    stage.seen = [turn, reply, events.SourceEnded(heard_s=2.0, reason=ended)]
    with pytest.raises(NotAsExpected):
        threads._to_the_end(stage)


@pytest.mark.parametrize(
    ("turns", "replies", "text"), [(1, 0, "cactus"), (2, 2, "cactus"), (1, 1, "hello")]
)
def test_a_turn_that_is_not_answered_once_is_found(turns: int, replies: int, text: str) -> None:
    with pytest.raises(NotAsExpected):
        command_line.answered({"turns": turns, "replies": replies, "transcripts": [text]})


def told(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let a replay be a program of this code."""
    monkeypatch.setattr(command_line, "replaying", lambda _: [sys.executable, "-c", code])


def test_blocks_that_are_lost_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    summary = {"type": "summary", "turns": 1, "replies": 1, "transcripts": ["cactus"]}
    summary["dropped_blocks"] = 3
    told(monkeypatch, f"print({json.dumps(summary)!r})")
    assert "3 blocks of sound were lost" in wrong(pressure.busy)


@pytest.mark.parametrize(
    "code", ["import os; os.kill(os.getpid(), 11)", "raise MemoryError", "print('{\"type\": 1}')"]
)
def test_an_end_for_want_of_memory_that_says_nothing_is_found(
    monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    told(monkeypatch, code)
    assert "ended with status" in wrong(pressure.short(at_once=True))


def test_a_session_that_is_taken_for_dead_when_the_clock_is_set_is_found(tmp_path: Path) -> None:
    log = session_log.SessionLog(tmp_path, {"process_started": psutil.Process().create_time()})
    assert session_log.mark_interrupted(tmp_path) == []
    with clocks._set_anew(1):
        assert session_log.mark_interrupted(tmp_path) != []
    log.close()


def test_a_program_that_goes_on_though_stopped_is_found() -> None:
    assert not clocks._stopped(psutil.Process())


@pytest.mark.heavy
def test_a_window_that_stays_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_line, "ENDS_S", 0.05)
    assert "did not end" in wrong(window.losing(lambda *_: None))


def test_damaged_models_that_are_taken_are_found() -> None:
    assert "was taken" in wrong(models.listening(lambda: None))


def test_another_reply_with_a_damaged_adapter_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    replies = iter(range(99))
    monkeypatch.setattr(models, "_reply", lambda _: ((next(replies),), []))
    assert "it answered (1,) instead of (0,)" in wrong(models.adapters)


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


def test_folders_of_this_machine_do_not_come_into_the_table() -> None:
    def bad(folder: Path) -> Observed:
        return Observed(words=f"{folder}/a, {paths.fetched_models()}/b and {__file__}")

    words = run(Case(name="a", group="x", done="b", expected="c", check=bad)).observed
    assert words.startswith("…/pads-faults-")
    assert "…/b and …/tests/faults/test_faults.py" in words


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
