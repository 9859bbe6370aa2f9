"""Models from a https address: whole, resumed, broken, wrong, and never over http."""

import socket
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import ModelUnavailable
from engine.store import fetching
from engine.store.manifest import ModelFile
from tests.engine.store.conftest import Site, entry

CONTENT = bytes(range(251)) * 20_000


@pytest.fixture
def model(site: Site, store: Path) -> ModelFile:
    site.content = CONTENT
    return entry(CONTENT, source=site.address, member=None)


def fetch(model: ModelFile) -> list[float]:
    fractions: list[float] = []
    fetching.fetch([model], report=lambda _, fraction: fractions.append(fraction))
    return fractions


def test_a_file_arrives_whole_with_progress(model: ModelFile, store: Path) -> None:
    fractions = fetch(model)
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert len(fractions) > 4
    assert (store / "tiny.bin").read_bytes() == CONTENT
    assert [path.name for path in store.iterdir()] == ["tiny.bin"]


def test_a_broken_download_continues_where_it_broke_off(
    model: ModelFile, site: Site, store: Path
) -> None:
    store.mkdir(exist_ok=True)
    (store / "tiny.bin").write_bytes(b"old")
    site.breaks_at = 3_000_001
    with pytest.raises(ModelUnavailable, match=r"broke off at 3000001 of 5020000 bytes.*again"):
        fetch(model)
    assert (store / "tiny.bin").read_bytes() == b"old"
    site.breaks_at = None
    fetch(model)
    assert site.asked == [None, "bytes=3000001-"]
    assert (store / "tiny.bin").read_bytes() == CONTENT


def test_a_server_without_ranges_sends_it_all_again(
    model: ModelFile, site: Site, store: Path
) -> None:
    site.breaks_at, site.ranges = 1_000, False
    with pytest.raises(ModelUnavailable):
        fetch(model)
    site.breaks_at = None
    fetch(model)
    assert (store / "tiny.bin").read_bytes() == CONTENT


def test_another_file_of_the_same_size_is_refused(
    model: ModelFile, site: Site, store: Path
) -> None:
    site.content = CONTENT[::-1]
    with pytest.raises(ModelUnavailable, match="sha256 is another"):
        fetch(model)
    assert list(store.iterdir()) == []


def test_a_shorter_and_a_longer_file_are_refused(model: ModelFile, site: Site, store: Path) -> None:
    site.content = CONTENT[:1000]
    with pytest.raises(ModelUnavailable, match="1000 of 5020000 bytes"):
        fetch(model)
    with pytest.raises(ModelUnavailable, match="Range"):
        fetch(model)  # the server has nothing beyond what is here: start again
    site.content = CONTENT + b"more"
    with pytest.raises(ModelUnavailable, match="of 5020000 bytes"):
        fetch(model)
    assert list(store.iterdir()) == []


def test_a_redirect_away_from_https_is_refused(model: ModelFile, site: Site) -> None:
    site.redirect = site.address.replace("https://", "http://")
    with pytest.raises(ModelUnavailable, match="away from https"):
        fetch(model)
    assert len(site.asked) == 1


def test_an_untrusted_certificate_is_refused(
    model: ModelFile, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(ModelUnavailable, match=r"(?i)certificate"):
        fetch(model)
    assert site.asked == []


def test_nobody_listening_is_one_sentence(model: ModelFile, store: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"https://127.0.0.1:{closed.getsockname()[1]}/tiny.bin"
        with pytest.raises(ModelUnavailable, match=r"could not be downloaded.*check the network"):
            fetch(replace(model, source=address))
