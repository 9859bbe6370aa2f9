from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from engine.faults.case import running
from engine.faults.threads import failing_once
from engine.settings import DecoderSettings
from engine.speculation import client, messages, split
from engine.speculation.client import (
    Cancelled,
    DecoderProcess,
    Died,
    Done,
    Failed,
    Ready,
    Restarted,
    Starting,
    Token,
    Worked,
)
from tests.engine.speculation.conftest import EXIT_LAYER, SAID, say
from tests.virtual_microphone import until

if sys.platform != "win32":
    import resource

SETTINGS = DecoderSettings(exit_layer=EXIT_LAYER, threads=1, context_tokens=1024)


class Line:
    """A decoder process and everything it has reported."""

    def __init__(self, process: DecoderProcess) -> None:
        self.process = process
        self.seen: list[client.Report] = []
        self._new: deque[client.Report] = deque()

    def until(self, wanted: type, job: int | None = None, timeout_s: float = 120.0) -> Any:
        """Poll until a report of this type (and job) comes; returns it."""
        deadline_s = time.monotonic() + timeout_s
        while time.monotonic() < deadline_s:
            self._new += self.process.poll()
            while self._new:
                report = self._new.popleft()
                self.seen.append(report)
                if isinstance(report, wanted) and job in (None, getattr(report, "job", None)):
                    return report
            threading.Event().wait(0.002)
        raise AssertionError(f"no {wanted.__name__} within {timeout_s} s after {self.seen[-5:]}")

    @property
    def pid(self) -> int:
        assert self.process._child is not None
        return self.process._child.pid


@pytest.fixture(scope="module")
def steady(model_file: Path, cut: split.Halves, halves: Path) -> Iterator[Line]:
    """A decoder for all tests that do it no harm."""
    line = Line(DecoderProcess(SETTINGS, model_file, halves))
    line.process.start()
    line.until(Ready)
    yield line
    line.process.close()


@pytest.fixture
def start(model_file: Path, cut: split.Halves, halves: Path) -> Iterator[Callable[..., Line]]:
    lines: list[Line] = []

    def make(settings: DecoderSettings = SETTINGS, model: Path = model_file, **more: Any) -> Line:
        line = Line(DecoderProcess(settings, model, halves, **more))
        lines.append(line)
        line.process.start()
        return line

    yield make
    for line in lines:
        line.process.close()


@pytest.fixture
def line(start: Callable[..., Line]) -> Line:
    ready = start()
    ready.until(Ready)
    return ready


def _expected(new_decoder: Any, chat: Any, count: int) -> list[int]:
    decoder = new_decoder()
    steps = decoder.decode(chat.prompt(say(SAID[0])).tokens, count)
    return [item.token for step in steps for item in step.served]


def test_a_conversation(line: Line, new_decoder: Any, chat: Any) -> None:
    assert [type(r) for r in line.seen[:-1]] == [Starting] * (len(line.seen) - 1)
    line.process.prefill(1, say("What should I"))
    assert line.until(Done, 1).reason == "prefilled"
    line.process.decode(2, say(SAID[0]), 12)
    done = line.until(Done, 2)
    tokens = [r for r in line.seen if isinstance(r, Token)]
    assert [t.token for t in tokens] == list(done.tokens) == _expected(new_decoder, chat, 12)
    assert [t.index for t in tokens] == list(range(12))
    assert "".join(t.text for t in tokens) == done.text
    assert done.reason == "length"
    assert done.drafted >= done.accepted
    worked = [r for r in line.seen if isinstance(r, Worked)]
    assert {r.kind for r in worked} == {"shallow", "deep"}
    assert all(r.end_s >= r.start_s and r.tokens > 0 for r in worked)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_after_a_suspend_a_working_decoder_is_not_taken_for_hung(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    line.process.decode(1, say(SAID[0]), 12)
    line.until(Token, 1)
    os.kill(line.pid, signal.SIGSTOP)
    with monkeypatch.context() as patch:
        patch.setattr(client, "_STOOD_STILL_S", 0.3)
        patch.setattr(line.process, "_hang_s", 0.6)
        threading.Event().wait(1.0)  # nobody polls: all of the machine stands still
        line.process.poll()
    os.kill(line.pid, signal.SIGCONT)
    line.until(Done, 1)
    assert not [report for report in line.seen if isinstance(report, Died)]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_unexpected_error_in_the_keeper_is_told_and_begun_anew(
    start: Callable[..., Line],
) -> None:
    line = start()
    line.until(Ready)
    first = line.pid
    with failing_once(messages, "decode") as armed:
        armed.set()
        line.process.decode(1, say(SAID[0]), 4)
        assert "an error on purpose" in line.until(Died).reason
    assert line.until(Failed, 1)
    line.until(Ready)
    assert not psutil.pid_exists(first)
    line.process.decode(2, say(SAID[0]), 4)
    line.until(Done, 2)


def test_cancel_stops_and_leaves_replies_as_they_were(
    steady: Line, new_decoder: Any, chat: Any
) -> None:
    steady.process.decode(11, say("Tell me a long story about the sea."), 400)
    steady.until(Token, 11)
    steady.process.cancel(11)
    steady.until(Cancelled, 11)
    steady.process.decode(12, say(SAID[0]), 12)
    assert list(steady.until(Done, 12).tokens) == _expected(new_decoder, chat, 12)
    assert not any(isinstance(r, Done) and r.job == 11 for r in steady.seen)


def test_cancel_of_waiting_and_finished_jobs(steady: Line) -> None:
    steady.process.decode(21, say("Tell me a long story about the sea."), 400)
    steady.process.decode(22, say("Never mind."), 400)
    steady.process.cancel(22)
    steady.until(Cancelled, 22)
    steady.process.cancel(21)
    steady.until(Cancelled, 21)
    steady.process.decode(23, say("Hello"), 2)
    steady.until(Done, 23)
    steady.process.cancel(23)
    steady.until(Cancelled, 23)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals of POSIX")
def test_a_decoder_killed_in_any_way_answers_again(line: Line, new_decoder: Any, chat: Any) -> None:
    expected = _expected(new_decoder, chat, 12)
    for number, name in enumerate(("SIGKILL", "SIGSEGV", "SIGABRT")):
        broken, next_one = 10 * number + 1, 10 * number + 2
        line.process.decode(broken, say("Tell me a long story about the sea."), 400)
        line.until(Token, broken)
        os.kill(line.pid, signal.Signals[name])
        assert name in line.until(Died).reason
        assert name in line.until(Failed, broken).message
        line.until(Restarted)
        line.process.decode(next_one, say(SAID[0]), 12)
        line.until(Ready)
        assert list(line.until(Done, next_one).tokens) == expected


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_a_decoder_out_of_memory_answers_again(line: Line, new_decoder: Any, chat: Any) -> None:
    """No byte more for a process at work: what it asks the system for next is refused."""
    line.process.decode(1, say("Tell me a long story about the sea."), 400)
    line.until(Token, 1)
    resource.prlimit(line.pid, resource.RLIMIT_AS, (1, 1))
    line.process.decode(2, say("word " * 10_000_000), 400)
    assert "MemoryError" in line.until(Died).reason
    line.until(Restarted)
    line.process.decode(3, say(SAID[0]), 12)
    assert list(line.until(Done, 3).tokens) == _expected(new_decoder, chat, 12)


def test_a_model_larger_than_memory_is_refused_unread(
    start: Callable[..., Line], tmp_path: Path
) -> None:
    huge = tmp_path / "huge.gguf"
    huge.touch()
    os.truncate(huge, 2**42)  # four terabytes of nothing
    line = start(model=huge)
    reason = line.until(Died).reason
    assert "huge.gguf needs" in reason
    assert "MB are free" in reason


def test_hung_decoder_is_killed(start: Callable[..., Line]) -> None:
    line = start(hang_s=0.5)
    line.until(Ready)
    os.kill(line.pid, signal.SIGSTOP)
    line.process.decode(1, say("Hello"), 5)
    assert "hung" in line.until(Died).reason
    line.until(Failed, 1)
    line.until(Ready)


def test_refused_model_is_reported_once(start: Callable[..., Line], tmp_path: Path) -> None:
    other = tmp_path / "notes.gguf"
    other.write_text("not a model")
    line = start(model=other)
    assert "notes.gguf cannot be read" in line.until(Died).reason
    line.process.decode(1, say("Hello"), 5)
    assert "notes.gguf" in line.until(Failed, 1).message


def test_refused_exit_layer(start: Callable[..., Line]) -> None:
    line = start(replace(SETTINGS, exit_layer=30))
    assert "exit layer 30" in line.until(Died).reason


def test_a_request_that_cannot_be_done_fails_alone(steady: Line) -> None:
    steady.process.decode(31, say("word " * 2000), 5)
    assert "longer than the model's context" in steady.until(Failed, 31).message
    steady.process.decode(32, say("Hello"), 5)
    steady.until(Done, 32)


def test_close_leaves_nothing(start: Callable[..., Line]) -> None:
    own = psutil.Process()
    files = own.num_fds() if hasattr(own, "num_fds") else 0
    threads = threading.active_count()
    line = start()
    line.process.decode(1, say("Tell me a long story about the sea."), 400)
    line.until(Token, 1)
    child = psutil.Process(line.pid)
    line.process.close()
    line.process.close()
    assert not child.is_running()
    assert threading.active_count() == threads
    assert not hasattr(own, "num_fds") or own.num_fds() == files


def test_close_before_start_and_while_starting(
    start: Callable[..., Line], model_file: Path
) -> None:
    DecoderProcess(SETTINGS, model_file, Path("unused")).close()
    start().process.close()


_PARENT = """
import sys, threading
from pathlib import Path
from engine.settings import DecoderSettings
from engine.speculation.client import DecoderProcess, Message, Ready, Token
process = DecoderProcess(
    DecoderSettings(threads=1, context_tokens=1024), Path(sys.argv[1]), Path(sys.argv[2])
)
process.start()
process.decode(1, [Message("user", "Tell me a long story.")], 900)
while not any(isinstance(r, Token) for r in process.poll()):
    threading.Event().wait(0.002)
unwanted = [m for m in sys.modules if m.split(".")[0] in ("llama_cpp", "PySide6")]
print(process._child.pid, unwanted, flush=True)
threading.Event().wait()
"""


def test_the_decoder_does_not_outlive_a_killed_parent(
    model_file: Path, cut: split.Halves, halves: Path
) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT, str(model_file), str(halves)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )
    assert parent.stdout is not None
    with parent.stdout:
        pid, _, unwanted = parent.stdout.readline().decode().partition(" ")
    child = psutil.Process(int(pid))
    parent.kill()
    parent.wait()
    until(lambda: not running(child), "the decoder outlives its parent")
    assert unwanted.strip() == "[]"


def test_messages_survive_the_pipe() -> None:
    for message in (
        messages.Decode(3, (client.Message("assistant", "Hé", (1, 2)),), 48),
        messages.Done(3, "deep", (1, 2), "Hé", "eos", 6, 2),
        messages.Open("m", "c", {"threads": 2}),
    ):
        assert messages.decode(messages.encode(message)) == message
    for line in (b"{}\n", b"[]\n", b'{"is":"Cancel"}\n', b"half"):
        with pytest.raises(ValueError):  # noqa: PT011  # what is wrong varies
            messages.decode(line)
