"""Make the bundle: one folder that runs on any x86-64 Linux laptop, with no Python, no network.

    python3 packaging/build.py [--flavour live|full] [--output FOLDER] [--archive] [--native]

Needs a folder that is set up (`python3 packaging/bootstrap.py run`). "live" is the
demonstrator; "full" can train too and brings torch. With --archive a .tar.xz, a .deb and
SHA256SUMS are written beside the folder. With --native the live bundle is made in a minute or two
from what set-up for the tests installed, llama.cpp included: it runs on processors like this one
alone.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path

import inventory
import llama
import model_files
import packing
import slimming
from bootstrap import PADS, ROOT, VENV, _cache, _environment
from progress import Stopped, say, watch

HERE = Path(__file__).resolve().parent
NAME = "PADS Live"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
_TRAINING = [r for r in PROJECT["optional-dependencies"]["train"] if r.startswith("torch")]


def main() -> int:
    """Make what is asked for; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--flavour", choices=("live", "full"), default="live")
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--archive", action="store_true", help="pack it as .tar.xz and .deb too")
    parser.add_argument("--native", action="store_true", help="for processors like this one alone")
    given = parser.parse_args()
    if given.native and given.flavour == "full":
        parser.error("--native is made of what set-up installed, which cannot train")
    try:
        folder = build(given.flavour, given.output.absolute(), portable=not given.native)
        if given.archive:
            packing.pack(folder, PROJECT["version"], given.flavour)
    except Stopped as exc:
        print(exc, file=sys.stderr)
        return 1
    return 0


def build(flavour: str, output: Path, *, portable: bool = True) -> Path:
    """The bundle's folder, made anew; builds of one user take turns. Raises `Stopped`."""
    if not VENV.exists():
        raise Stopped("Set this folder up first: `python3 packaging/bootstrap.py run`")
    cache = _cache() / "bundle"
    logs = _cache() / "logs"
    for folder in (cache, logs, output):
        folder.mkdir(parents=True, exist_ok=True)
    place = output / NAME
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        python = _builder(flavour, cache, logs) if portable else _set_up_for_tests()
        work = cache / f"work-{flavour}{'' if portable else '-native'}"
        folder = _collect(python, flavour, _models(cache, logs), work, logs)
        shutil.rmtree(place, ignore_errors=True)
        shutil.move(folder, place)
    say(f"{place}: {packing.size(place) / 1e6:.0f} MB, {flavour}")
    return place


def _collect(python: Path, flavour: str, models: Path, work: Path, logs: Path) -> Path:
    """The bundle, made by PyInstaller in `work` and slimmed, with its papers."""
    made = work / "made"
    shutil.rmtree(made, ignore_errors=True)
    work.mkdir(exist_ok=True)
    command = [str(python), "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(made), "--workpath", str(work), str(HERE / "pads.spec")]
    env = {**_environment(), "PADS_FLAVOUR": flavour, "PADS_BUNDLED_MODELS": str(models)}
    env |= {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(packing.EPOCH)}
    env |= {"PYINSTALLER_CONFIG_DIR": str(work / "pyinstaller")}
    with tempfile.TemporaryDirectory(dir=work) as temporary:
        env["TMPDIR"] = temporary  # torch, looked into, leaves a folder
        watch("collecting the bundle, 1-3 minutes", command, log=logs / "bundle.log", env=env)
    folder = made / NAME
    slimming.slim(folder)
    packages = next((python.parent.parent / "lib").glob("python*/site-packages"))
    parts = inventory.components(work, packages, models / "manifest.toml")
    inventory.refuse_forbidden(parts)
    (folder / "THIRD-PARTY.txt").write_text(inventory.notices(parts), "utf-8")
    (folder / "sbom.cdx.json").write_text(inventory.sbom(parts, PROJECT["version"]), "utf-8")
    shutil.copy(ROOT / "LICENSE", folder)
    shutil.copytree(HERE / "linux", folder / "share", ignore=shutil.ignore_patterns("*.in"))
    shutil.copy(ROOT / "assets" / "icons" / "pads-live.svg", folder / "share")
    return folder


def _set_up_for_tests() -> Path:
    """This folder's own interpreter, if PyInstaller is installed beside it."""
    if not list(VENV.glob("lib/python*/site-packages/PyInstaller")):
        raise Stopped("PyInstaller comes with the tests: `python3 packaging/bootstrap.py test`")
    return VENV / "bin" / "python"


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
    extra = _TRAINING if flavour == "full" else []
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
    """A folder of the default models alone, each of the right hash, and the manifest of them."""
    env = _environment()
    watch("checking the models", [*PADS, "models", "verify"], log=logs / "models.log", env=env)
    named = os.environ.get("PADS_MODELS")
    source, target = Path(named) if named else _cache() / "models", cache / "models"
    python = str(VENV / "bin" / "python")
    model_files.gather(source, target, python, log=logs / "eight-bits.log", env=env)
    return target


if __name__ == "__main__":
    sys.exit(main())
