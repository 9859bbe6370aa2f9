"""A bundle as files to hand on: .tar.xz, .deb, and their checksums; nothing here needs root.

The same folder gives the same bytes, whoever packs it and when.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from progress import Stopped, say

HERE = Path(__file__).resolve().parent
EPOCH = 1_767_225_600
"""Time stamp of all that is packed, in seconds since 1970."""
_ID = "io.github.pads_live.PadsLive"
# Two threads whatever the machine has: their number decides what xz writes.
_XZ = ["xz", "--compress", "--stdout", "-1", "--threads=2"]
_CONTROL = """\
Package: pads-live{variant}
Version: {version}
Architecture: amd64
Maintainer: The PADS Live authors <authors@pads-live.invalid>
Installed-Size: {kilobytes}
Depends: libc6 (>= {glibc}), libegl1, libgl1, libxcb1, xkb-data, fonts-dejavu-core
Recommends: fontconfig-config, libasound2-plugins
Conflicts: pads-live{other}
Section: science
Priority: optional
Description: demonstrator of language-model decoding inside conversational pauses
 PADS Live listens to a speaker, predicts when the turn ends, and lets the deep
 layers of a language model work inside the pause, on a laptop's processor. It
 shows live what was hidden in the pause, what had to be waited for, and what
 was wasted. Its models come with it and it needs no network.
"""
_COPYRIGHT = """\
PADS Live is copyright 2026 The PADS Live authors, under the Apache License 2.0,
which is in /usr/share/common-licenses/Apache-2.0. What it is made of besides
its own code, and its licences, is in /usr/lib/pads-live/THIRD-PARTY.txt.
"""
# A bundle brings its own Python and libraries on purpose, as they come in their wheels.
_OVERRIDES = ("embedded-library", "unstripped-binary-or-object", "custom-library-search-path")
_OVERRIDES += ("hardening-no-pie", "shared-library-lacks-prerequisites", "no-manual-page")
_OVERRIDES += (
    "sharedobject-in-library-directory-missing-soname",
    "library-not-linked-against-libc",
)


def pack(folder: Path, version: str, flavour: str) -> list[Path]:
    """Archive, package and SHA256SUMS, written beside `folder`. Raises `Stopped`."""
    made = [_archive(folder, version, flavour), _debian(folder, version, flavour)]
    return [*made, checksums(made)]


def checksums(made: list[Path]) -> Path:
    """Write SHA256SUMS beside what is given away."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made]
    sums = made[0].parent / "SHA256SUMS"
    sums.write_text("".join(lines), "utf-8")
    for path in made:
        say(f"{path}: {path.stat().st_size / 1e6:.0f} MB")
    return sums


def size(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(p.lstat().st_size for p in folder.rglob("*") if p.is_file() and not p.is_symlink())


def _archive(folder: Path, version: str, flavour: str) -> Path:
    name = f"pads-live-{version}-{flavour}-linux-x86_64.tar.xz"
    archive, growing = folder.parent / name, folder.parent / f"{name}.partial"
    say(f"packing {name} ...")
    with growing.open("wb") as output:
        packer = subprocess.Popen(_XZ, stdin=subprocess.PIPE, stdout=output)
        assert packer.stdin is not None
        with packer.stdin, tarfile.open(fileobj=packer.stdin, mode="w|") as tar:
            for path in (folder, *sorted(folder.rglob("*"))):
                tar.add(path, path.relative_to(folder.parent), recursive=False, filter=_anonymous)
        if packer.wait():
            raise Stopped(f"xz could not write {growing}: is the disk full?")
    growing.replace(archive)
    return archive


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Without the builder's name, clock and umask."""
    entry.uid = entry.gid = 0
    entry.mtime = EPOCH
    entry.uname = entry.gname = ""
    entry.mode = _mode(entry.name, entry.mode, folder=entry.isdir())
    return entry


def _mode(name: str, mode: int, *, folder: bool) -> int:
    """Libraries are loaded, not run."""
    return 0o755 if folder or (mode & 0o100 and ".so" not in name) else 0o644


def _debian(folder: Path, version: str, flavour: str) -> Path:
    """The bundle as a Debian package, put together without root."""
    variant, other = ("-full", "") if flavour == "full" else ("", "-full")
    package = folder.parent / f"pads-live{variant}_{version}_amd64.deb"
    say(f"packing {package.name} ...")
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="deb-") as work:
        root = Path(work)
        _fill(root, folder, f"pads-live{variant}", version)
        control = _CONTROL.format(
            variant=variant,
            other=other,
            version=version,
            kilobytes=size(root) // 1024,
            glibc=os.confstr("CS_GNU_LIBC_VERSION").partition(" ")[2],
        )
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN" / "control").write_text(control, "utf-8")
        (root / "DEBIAN" / "md5sums").write_text(_md5sums(root), "utf-8")
        for path in (root, *root.rglob("*")):
            if not path.is_symlink():
                path.chmod(_mode(path.name, path.stat().st_mode, folder=path.is_dir()))
        command = ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z3", "--build"]
        env = {**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)}
        done = subprocess.run(
            [*command, work, str(package)], env=env, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Stopped(f"dpkg-deb failed: {done.stderr.strip()}")
    return package


def _fill(root: Path, folder: Path, package: str, version: str) -> None:
    """What belongs where, under `root`."""
    share = root / "usr" / "share"
    shutil.copytree(
        folder, root / "usr" / "lib" / "pads-live", symlinks=True, copy_function=os.link
    )
    (root / "usr" / "bin").mkdir()
    (root / "usr" / "bin" / "pads").symlink_to("../lib/pads-live/pads")
    for source, place in (
        (HERE / "linux" / f"{_ID}.desktop", share / "applications"),
        (HERE / "linux" / f"{_ID}.metainfo.xml", share / "metainfo"),
        (folder / "share" / "pads-live.svg", share / "icons" / "hicolor" / "scalable" / "apps"),
    ):
        place.mkdir(parents=True)
        shutil.copy(source, place)
    about = share / "doc" / package
    about.mkdir(parents=True)
    (about / "copyright").write_text(_COPYRIGHT, "utf-8")
    news = f"{package} ({version}) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n"
    news += " -- The PADS Live authors <authors@pads-live.invalid>  "
    news += "Thu, 01 Jan 2026 00:00:00 +0000\n"
    (about / "changelog.gz").write_bytes(gzip.compress(news.encode(), mtime=0))
    overrides = share / "lintian" / "overrides"
    overrides.mkdir(parents=True)
    lines = "".join(f"{package}: {tag}\n" for tag in _OVERRIDES)
    (overrides / package).write_text(lines, "utf-8")


def _md5sums(root: Path) -> str:
    lines = []
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.parent.name != "DEBIAN":
            digest = hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()
            lines.append(f"{digest}  {path.relative_to(root)}\n")
    return "".join(lines)
