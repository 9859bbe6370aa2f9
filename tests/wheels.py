"""Writing small real packages, for tests that let pip do its work without a network."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import tarfile
import zipfile
from pathlib import Path


def write_wheel(folder: Path, name: str, version: str, files: dict[str, bytes]) -> Path:
    """A wheel of `files` that any Python installs."""
    info = f"{name}-{version}.dist-info"
    about = f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n"
    kind = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    members = {**files, f"{info}/METADATA": about.encode(), f"{info}/WHEEL": kind.encode()}
    record = io.StringIO()
    for member, content in members.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
        csv.writer(record).writerow([member, f"sha256={digest.decode()}", len(content)])
    csv.writer(record).writerow([f"{info}/RECORD", "", ""])
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in {**members, f"{info}/RECORD": record.getvalue().encode()}.items():
            archive.writestr(member, content)
    return path


def write_sdist(folder: Path, name: str, version: str, files: dict[str, bytes]) -> Path:
    """A source distribution of `files`."""
    about = f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n"
    path = folder / f"{name}-{version}.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for member, content in {**files, "PKG-INFO": about.encode()}.items():
            entry = tarfile.TarInfo(f"{name}-{version}/{member}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return path


def pin(path: Path) -> str:
    """The line that pins a package file by name, version and hash."""
    name, version = path.name.removesuffix(".tar.gz").split("-")[:2]
    return f"{name.replace('_', '-')}=={version} --hash=sha256:{digest(path)}\n"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
