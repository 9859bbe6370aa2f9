"""A pytest plugin: a test that leaves something running or lying about has failed.

Looked at after each test, against what stood before it: Python threads, processes (children,
and orphans of children, which are known by a mark in their environment), active `QTimer`s when
Qt is loaded, and entries of the temporary folder, which is private to the test session so that
other programs cannot be blamed on a test. What fixtures of a wider scope start stands before the
test and is not counted; at the end of the session the same is looked at once more.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import shutil
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import psutil
import pytest

from engine.faults.case import running

_MARK = "PADS_TEST_SESSION"
GRACE_S = 15.0
"""What is already on its way out may take this long, on a crowded machine too."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands at one moment; the names say of what kind."""

    threads: frozenset[threading.Thread]
    processes: frozenset[psutil.Process]
    unreaped: frozenset[psutil.Process]
    timers: frozenset[int]
    """Addresses of active timers."""
    entries: frozenset[Path]

    @classmethod
    def now(cls) -> Standing:
        return cls(
            threads=frozenset(_threads()),
            processes=frozenset(_processes()),
            unreaped=frozenset(_unreaped()),
            timers=frozenset(_timers()),
            entries=frozenset(_entries()),
        )


@pytest.fixture(scope="session", autouse=True)
def temporary_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The session's own temporary folder, also that of every process the tests start."""
    tmp_path_factory.getbasetemp()  # stays outside: pytest keeps what failed tests left there
    folder = Path(tempfile.mkdtemp(prefix="pads-tests-"))
    runtime = folder / "runtime"
    runtime.mkdir(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        patch.setattr(tempfile, "tempdir", str(folder))
        patch.setenv(_MARK, uuid.uuid4().hex)
        if "XDG_RUNTIME_DIR" not in os.environ:
            # Qt and PulseAudio would each make a folder of their own in its place.
            patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session", autouse=True)
def nothing_left_by_the_session(temporary_folder: Path) -> Iterator[None]:
    """Fail the session's last test when a fixture of a wide scope left something behind."""
    before = Standing.now()
    yield
    _check(before)


@pytest.fixture(autouse=True)
def nothing_left_behind(temporary_folder: Path) -> Iterator[None]:
    """Fail a test that leaves a thread, a process, a timer or a temporary file or folder."""
    before = Standing.now()
    yield
    _check(before)


def _check(before: Standing) -> None:
    _delete_what_qt_is_about_to_delete()
    deadline = time.monotonic() + GRACE_S
    left = [
        *_lasting(_threads, before.threads, deadline, lambda t: t.join(_until(deadline))),
        *_lasting(_processes, before.processes, deadline, lambda p: _wait(p, deadline)),
        *_lasting(_unreaped, before.unreaped, deadline, lambda p: time.sleep(0.01)),
        *_timers_left(before.timers),
        *(f"temporary {path}" for path in sorted(_entries() - before.entries)),
    ]
    for process in _processes() - before.processes:
        # The next test starts clean whatever this one did.
        with suppress(psutil.Error):
            process.kill()
            process.wait(GRACE_S)
    if left:
        pytest.fail("left behind: " + "; ".join(left), pytrace=False)


def _lasting(
    find: Callable[[], set[Any]],
    before: frozenset[Any],
    deadline: float,
    wait: Callable[[Any], None],
) -> list[str]:
    """Those not in `before` that do not end by the deadline, described."""
    left = find() - before
    while left and time.monotonic() < deadline:
        wait(next(iter(left)))
        left = find() - before
    return sorted(_describe(one) for one in left)


def _describe(one: threading.Thread | psutil.Process) -> str:
    if isinstance(one, threading.Thread):
        return f"thread {one.name}"
    try:
        name = one.name() if _is_zombie(one) else " ".join(one.cmdline()) or one.name()
        return f"process {one.pid} ({name}, {one.status()})"
    except psutil.Error:
        return f"process {one.pid}"


def _until(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())


def _wait(process: psutil.Process, deadline: float) -> None:
    # Not Process.wait, which would take the exit status from a Popen that may still ask for it.
    while time.monotonic() < deadline and running(process):
        time.sleep(0.01)


def _threads() -> set[threading.Thread]:
    """Threads that Python started; a native thread that once called Python cannot be joined."""
    return {
        thread
        for thread in threading.enumerate()
        if not isinstance(thread, threading._DummyThread)  # type: ignore[attr-defined]
    }


def _processes() -> set[psutil.Process]:
    multiprocessing.active_children()  # reaps those that have ended
    tracker = getattr(resource_tracker._resource_tracker, "_pid", None)
    own = psutil.Process()
    found = {*own.children(recursive=True), *_orphans(own.pid)}
    return {process for process in found if process.pid != tracker and running(process)}


def _unreaped() -> set[psutil.Process]:
    """Children that have ended and whose exit status nobody took."""
    return {child for child in psutil.Process().children() if _is_zombie(child)}


def _is_zombie(process: psutil.Process) -> bool:
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _orphans(own: int) -> Iterator[psutil.Process]:
    mark = os.environ.get(_MARK)
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if mark and process.pid != own and process.environ().get(_MARK) == mark:
                tracked = "multiprocessing.resource_tracker" in " ".join(process.cmdline())
                if not tracked:
                    yield process


def _entries() -> set[Path]:
    folder = Path(tempfile.gettempdir())
    # multiprocessing keeps one folder for its sockets until the process ends.
    own = multiprocessing.current_process()._config.get("tempdir")  # type: ignore[attr-defined]
    return {path for path in folder.iterdir() if str(path) != own}


def _timers() -> set[int]:
    return set(_active_timers())


def _active_timers() -> dict[int, str]:
    if "PySide6.QtCore" not in sys.modules:
        return {}
    import shiboken6
    from PySide6.QtCore import QTimer

    active = {}
    for wrapper in shiboken6.getAllValidWrappers():
        if isinstance(wrapper, QTimer) and wrapper.isActive():
            owner = type(wrapper.parent()).__name__ if wrapper.parent() else "nothing"
            address = shiboken6.getCppPointer(wrapper)[0]
            active[address] = f"QTimer of {owner}, every {wrapper.interval()} ms"
    return active


def _timers_left(before: frozenset[int]) -> list[str]:
    if not _timers() - before:
        return []
    gc.collect()  # one that waits in a reference cycle is nobody's
    return [words for address, words in _active_timers().items() if address not in before]


def _delete_what_qt_is_about_to_delete() -> None:
    if "PySide6.QtCore" not in sys.modules:
        return
    from PySide6.QtCore import QCoreApplication, QEvent

    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        QCoreApplication.processEvents()
