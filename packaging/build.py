"""Make the bundle: one folder that runs on any x86-64 Linux laptop, with no Python, no network.

    python3 packaging/build.py [--flavour live|full] [--output FOLDER] [--archive]

Needs a folder that is set up (`python3 packaging/bootstrap.py run`). "live" is the
demonstrator; "full" can train too and brings torch. With --archive a .tar.xz and SHA256SUMS are
written beside the folder.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

import inventory
import llama
from bootstrap import PADS, ROOT, VENV, _cache, _environment
from progress import Stopped, say, watch

HERE = Path(__file__).resolve().parent
NAME = "PADS Live"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def main() -> int:
    """Make what is asked for; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--flavour", choices=("live", "full"), default="live")
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--archive", action="store_true", help="pack it as .tar.xz too")
    given = parser.parse_args()
    try:
        folder = build(given.flavour, given.output)
        if given.archive:
            pack(folder, given.flavour)
    except Stopped as exc:
        print(exc, file=sys.stderr)
        return 1
    return 0


def build(flavour: str, output: Path) -> Path:
    """The bundle's folder, made anew; raises `Stopped`."""
    if not VENV.exists():
        raise Stopped("Set this folder up first: `python3 packaging/bootstrap.py run`")
    cache = _cache() / "bundle"
    logs = _cache() / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    python = _builder(flavour, cache, logs)
    models = _models(cache, logs)
    work = cache / f"work-{flavour}"
    made = cache / f"made-{flavour}"
    shutil.rmtree(made, ignore_errors=True)
    command = [str(python), "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(made), "--workpath", str(work), str(HERE / "pads.spec")]
    env = {**_environment(), "PADS_FLAVOUR": flavour, "PADS_BUNDLED_MODELS": str(models)}
    watch("collecting the bundle, 1-3 minutes", command, log=logs / "bundle.log", env=env)
    folder = made / NAME
    _strip(folder)
    packages = next((python.parent.parent / "lib").glob("python*/site-packages"))
    parts = inventory.components(work, packages, ROOT / "models" / "manifest.toml")
    inventory.refuse_forbidden(parts)
    (folder / "THIRD-PARTY.txt").write_text(inventory.notices(parts), "utf-8")
    (folder / "sbom.cdx.json").write_text(inventory.sbom(parts, PROJECT["version"]), "utf-8")
    shutil.copy(ROOT / "LICENSE", folder)
    shutil.copytree(HERE / "linux", folder / "share", ignore=shutil.ignore_patterns("*.in"))
    shutil.copy(ROOT / "assets" / "icons" / "pads-live.svg", folder / "share")
    place = output / NAME
    output.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(place, ignore_errors=True)
    shutil.move(folder, place)
    say(f"{place}: {_size(place) / 1e6:.0f} MB, {flavour}")
    return place


def pack(folder: Path, flavour: str) -> Path:
    """The folder as .tar.xz beside it, with SHA256SUMS; the same folder gives the same archive."""
    name = f"pads-live-{PROJECT['version']}-{flavour}-linux-x86_64.tar.xz"
    archive, growing = folder.parent / name, folder.parent / f"{name}.partial"
    say(f"packing {name} ...")
    with tarfile.open(growing, "w:xz", preset=6) as tar:
        for path in (folder, *sorted(folder.rglob("*"))):
            tar.add(path, path.relative_to(folder.parent), recursive=False, filter=_anonymous)
    growing.replace(archive)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    (folder.parent / "SHA256SUMS").write_text(f"{digest}  {name}\n", "utf-8")
    say(f"{archive}: {archive.stat().st_size / 1e6:.0f} MB")
    return archive


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Without the builder's name and clock."""
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


def _builder(flavour: str, cache: Path, logs: Path) -> Path:
    """The interpreter of a virtual environment that holds just what the bundle shall."""
    lists = [HERE / "constraints.txt", HERE / "constraints-bundle.txt"]
    wheel = llama.wheel(
        str(VENV / "bin" / "python"),
        _cache() / "wheels",
        log=logs / "llama-portable.log",
        env=_environment(),
        portable=True,
    )
    extra = PROJECT["optional-dependencies"]["train"] if flavour == "full" else []
    inputs = [*(path.read_text("utf-8") for path in lists), str(wheel), *extra, sys.version]
    key = hashlib.sha256("\0".join(inputs).encode()).hexdigest()[:16]
    venv = cache / f"venv-{flavour}"
    python, record = venv / "bin" / "python", venv / "made-from"
    if record.exists() and record.read_text("utf-8") == key:
        return python
    shutil.rmtree(venv, ignore_errors=True)
    env = _environment()

    def install(words: str, *what: str) -> None:
        command = [str(python), "-m", "pip", "install", "--no-input"]
        command += ["--disable-pip-version-check", *what]
        watch(words, command, log=logs / "bundle-pip.log", env=env)

    make = [str(VENV / "bin" / "python"), "-m", "venv", str(venv)]
    watch("making the builder's environment", make, log=logs / "bundle-venv.log", env=env)
    for path in lists:
        hashed = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "-r", str(path)]
        install("installing what goes into the bundle", *hashed)
    install("installing the portable llama.cpp", "--no-deps", "--no-index", str(wheel))
    if extra:
        install("installing what trains", *extra)
    record.write_text(key, "utf-8")
    return python


def _models(cache: Path, logs: Path) -> Path:
    """A folder of the default models alone, each of the right hash."""
    env = _environment()
    watch("checking the models", [*PADS, "models", "verify"], log=logs / "models.log", env=env)
    named = os.environ.get("PADS_MODELS")
    source, target = Path(named) if named else _cache() / "models", cache / "models"
    shutil.rmtree(target, ignore_errors=True)
    for model in tomllib.loads((ROOT / "models" / "manifest.toml").read_text("utf-8"))["model"]:
        if model["use"] == "default":
            (target / model["file"]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / model["file"], target / model["file"])
    return target


def _strip(folder: Path) -> None:
    """Take out what only a debugger reads."""
    for path in _libraries(folder):
        subprocess.run(["strip", "--strip-debug", str(path)], check=False, capture_output=True)


def _libraries(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*.so*")):
        # A library that was rewritten to be movable does not bear to be rewritten again.
        movable = path.parent.name.endswith(".libs")
        if not (path.is_symlink() or movable) and path.read_bytes()[:4] == b"\x7fELF":
            yield path


def _size(folder: Path) -> int:
    return sum(p.lstat().st_size for p in folder.rglob("*") if p.is_file() and not p.is_symlink())


if __name__ == "__main__":
    sys.exit(main())
