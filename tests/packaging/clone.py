"""A small product that the real set-up installs for real, without a network.

The modules of `packaging/` are the repository's own. What they work on is small: an application
of one module, one package it needs, one model of five bytes, and in place of llama.cpp a source
distribution that "compiles" in an instant, or as long as a file called `hold` exists.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.wheels import pin, write_sdist, write_wheel

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"

# A build backend in the source tree itself: nothing has to be fetched to build.
BACKEND = """
import os, pathlib, time
from wheels import write_wheel

def build_wheel(folder, config_settings=None, metadata_directory=None):
    hold = pathlib.Path(os.environ["PADS_TEST_HOLD"])
    hold.with_name("building").touch()
    while hold.exists():
        time.sleep(0.02)
    hold.with_name("building").unlink()
    return write_wheel(pathlib.Path(folder), "llama_cpp_python", "0.1", {"llama_cpp.py": b""}).name

def build_editable(folder, config_settings=None, metadata_directory=None):
    here = str(pathlib.Path.cwd()).encode()
    files = {"tiny.pth": here, "pads_live-0.1.dist-info/entry_points.txt": ENTRY}
    return write_wheel(pathlib.Path(folder), "pads_live", "0.1", files).name

ENTRY = b"[console_scripts]\\npads = app:main\\n"
"""
PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "{name}"
version = "0.1"
"""
APPLICATION = """
import json, os, pathlib, sys
import llama_cpp, tiny_dependency

def main():
    if sys.argv[1:] == ["models", "fetch"]:
        folder = pathlib.Path(os.environ["PADS_MODELS"])
        folder.mkdir(exist_ok=True)
        (folder / "tiny.bin").write_bytes(b"model")
        return
    print(json.dumps({"arguments": sys.argv[1:], "dependency": tiny_dependency.VERSION}))
"""
MANIFEST = """
[[model]]
name = "tiny"
file = "tiny.bin"
size = 5
use = "default"
"""


@dataclass
class Clone:
    """One clone of the small product and the machine it is on."""

    root: Path
    machine: Path
    """Holds what clones on one machine share: cache, models, what pip finds."""

    @property
    def hold(self) -> Path:
        return self.machine / "hold"

    def environment(self, **changes: str) -> dict[str, str]:
        return {
            **os.environ,
            "PADS_HOME": str(self.machine / "home"),
            "PADS_MODELS": str(self.machine / "models"),
            "PADS_TEST_HOLD": str(self.hold),
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.machine / "offered"),
            **changes,
        }

    def command(self, *words: str) -> list[str]:
        return [sys.executable, str(self.root / "packaging" / "bootstrap.py"), *words]

    def do(self, *words: str, **changes: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*words),
            capture_output=True,
            text=True,
            env=self.environment(**changes),
            check=False,
            timeout=240,
        )

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        return subprocess.Popen(
            self.command(*words), stdout=quiet, stderr=quiet, env=self.environment()
        )

    def without_network(self) -> dict[str, str]:
        return {"PIP_FIND_LINKS": str(self.machine / "nowhere")}


def said(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    """What the application printed in the end."""
    assert done.returncode == 0, done.stdout + done.stderr
    answer: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return answer


def make(root: Path, machine: Path) -> Clone:
    """A clone at `root`; packages are written to the machine the first time."""
    offered = machine / "offered"
    wheels = (Path(__file__).resolve().parents[1] / "wheels.py").read_bytes()
    sources = {"backend.py": BACKEND.encode(), "wheels.py": wheels}
    if not offered.exists():
        _offer(offered, sources)
    dependency, llama = next(offered.glob("*.whl")), next(offered.glob("*.tar.gz"))
    shutil.copytree(PACKAGING, root / "packaging", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "packaging" / "debian-packages.txt").write_text("[run]\n[test]\n")
    pins = dict.fromkeys(("", "-test", "-bundle", "-build"), dependency) | {"-llama": llama}
    for suffix, package in pins.items():
        (root / "packaging" / f"constraints{suffix}.txt").write_text(pin(package))
    files = {**sources, "pyproject.toml": PROJECT.format(name="pads-live").encode()}
    files |= {"app.py": APPLICATION.encode(), "models/manifest.toml": MANIFEST.encode()}
    for name, content in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_bytes(content)
    return Clone(root, machine)


def _offer(folder: Path, sources: dict[str, bytes]) -> None:
    folder.mkdir(parents=True)
    write_wheel(folder, "tiny_dependency", "1.0", {"tiny_dependency.py": b"VERSION = '1.0'\n"})
    project = PROJECT.format(name="llama_cpp_python").encode()
    write_sdist(folder, "llama_cpp_python", "0.1", {**sources, "pyproject.toml": project})
