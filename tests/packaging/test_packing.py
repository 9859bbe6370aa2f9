"""Archive and Debian package of a small folder: complete, valid, the same whoever packs."""

import hashlib
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.packaging.clone import PACKAGING

sys.path.insert(0, str(PACKAGING))
import packing

LINUX = PACKAGING / "linux"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a bundle looks like, without what makes it large."""
    place = tmp_path / "PADS Live"
    (place / "_internal").mkdir(parents=True)
    (place / "share").mkdir()
    (place / "pads").write_text("#!/bin/sh\n", "utf-8")
    (place / "pads").chmod(0o700)
    (place / "_internal" / "libx.so.1").write_bytes(b"library")
    (place / "_internal" / "libx.so").symlink_to("libx.so.1")
    shutil.copy(PACKAGING.parent / "assets" / "icons" / "pads-live.svg", place / "share")
    return place


def test_the_same_folder_gives_the_same_bytes_under_another_clock_and_umask(
    folder: Path, tmp_path: Path
) -> None:
    made = packing.pack(folder, "1.0", "live")
    first = [path.read_bytes() for path in made]
    other = tmp_path / "elsewhere" / "PADS Live"
    shutil.copytree(folder, other, symlinks=True, copy_function=shutil.copyfile)
    (other / "pads").chmod(0o755)
    (other / "_internal").chmod(0o700)
    assert [path.read_bytes() for path in packing.pack(other, "1.0", "live")] == first
    sums = made[-1].read_text("utf-8").split()
    assert sums[::2] == [hashlib.sha256(content).hexdigest() for content in first[:-1]]


def test_what_is_packed_can_be_unpacked_and_belongs_to_nobody(folder: Path, tmp_path: Path) -> None:
    archive, package, _ = packing.pack(folder, "1.0", "live")
    with tarfile.open(archive) as tar:
        assert {(entry.uid, entry.uname, entry.mtime) for entry in tar} == {(0, "", packing.EPOCH)}
    (tmp_path / "out").mkdir()
    subprocess.run(["tar", "--extract", "--file", archive, "-C", tmp_path / "out"], check=True)
    assert (tmp_path / "out" / "PADS Live" / "pads").stat().st_mode & 0o111 == 0o111
    listed = subprocess.run(
        ["dpkg-deb", "--contents", package], capture_output=True, text=True, check=True
    ).stdout
    assert all(line.split()[1] == "root/root" for line in listed.splitlines())
    for name in (
        "usr/bin/pads -> ../lib/pads-live/pads",
        "usr/share/applications/io.github.pads_live.PadsLive.desktop",
        "usr/share/icons/hicolor/scalable/apps/pads-live.svg",
        "usr/share/metainfo/io.github.pads_live.PadsLive.metainfo.xml",
        "usr/share/doc/pads-live/copyright",
    ):
        assert f"./{name}\n" in listed
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path / "root"], check=True)
    sums = subprocess.run(["dpkg-deb", "--ctrl-tarfile", package], capture_output=True, check=True)
    assert b"md5sums" in sums.stdout
    assert (tmp_path / "root" / "usr" / "bin" / "pads").resolve().read_text() == "#!/bin/sh\n"


def test_the_full_flavour_is_a_package_of_its_own(folder: Path) -> None:
    _, package, _ = packing.pack(folder, "1.0", "full")
    fields = subprocess.run(
        ["dpkg-deb", "--field", package], capture_output=True, text=True, check=True
    ).stdout
    assert "Package: pads-live-full\n" in fields
    assert "Conflicts: pads-live\n" in fields


@pytest.mark.parametrize(
    "command",
    [
        ["desktop-file-validate", str(LINUX / "io.github.pads_live.PadsLive.desktop")],
        ["appstreamcli", "validate", "--no-net", str(next(LINUX.glob("*.metainfo.xml")))],
    ],
)
def test_what_a_desktop_reads_is_valid(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
