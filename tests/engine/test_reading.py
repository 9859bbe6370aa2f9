"""Files are read where they are files, and no further than they may go."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from engine import reading

needs_pipes = pytest.mark.skipif(sys.platform == "win32", reason="Windows has none as files")


def test_a_file_is_read_whole_up_to_its_largest_size(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("né".encode())
    assert reading.whole(tmp_path / "a", 3) == b"n\xc3\xa9"
    assert reading.text(tmp_path / "a", 3) == "né"
    with pytest.raises(OSError, match="more than 2 bytes"):
        reading.whole(tmp_path / "a", 2)


def test_lines_keep_their_ends_and_a_long_one_comes_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LINE", 4)
    (tmp_path / "a").write_bytes(b"ab\nabcdef\nx")
    assert list(reading.lines(tmp_path / "a")) == [b"ab\n", b"abcd", b"ef\n", b"x"]


@needs_pipes
@pytest.mark.parametrize("kind", ["nothing", "folder", "device", "pipe"])
def test_what_is_no_file_is_not_read(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "a"
    match kind:
        case "folder":
            place.mkdir()
        case "device":
            place.symlink_to("/dev/zero")
        case "pipe":
            os.mkfifo(place)
    for read in (lambda: reading.whole(place, 9), lambda: list(reading.lines(place))):
        with pytest.raises(OSError, match=r"a'?$"):
            read()
