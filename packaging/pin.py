"""Pin every package with the hashes of all its builds that set-up may pick.

    python3 packaging/pin.py             after a change of dependencies: other pins stay
    python3 packaging/pin.py --upgrade   move every pin to the newest release allowed

Writes the constraints files beside this script. pip resolves for each supported Python
and age of the C library in turn, from metadata alone; nothing is installed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PROCESSOR = "x86_64"
# Debian 12, and what came after Ubuntu 24.04: pip takes the newest build that fits.
GLIBCS = (36, 41)
OLDEST_GLIBC = 17
COMPILED_HERE = "llama-cpp-python"
# What llama-cpp-python asks for at run time and what building it takes; it has no builds to read.
ITS_NEEDS = ("typing-extensions", "numpy", "diskcache", "jinja2")
BUILD_TOOLS = ("scikit-build-core[pyproject]", "cmake", "ninja")
PROJECT_BUILD = "setuptools>=77"
BUNDLER = "pyinstaller>=6.10"

Pins = dict[str, tuple[str, set[str]]]
"""By normalised name: the release and the sha256 of its builds."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--upgrade", action="store_true", help="forget the present pins")
    upgrade = parser.parse_args().upgrade
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    llama = next(r for r in project["dependencies"] if r.startswith(COMPILED_HERE))
    needs = [*(r for r in project["dependencies"] if r != llama), *ITS_NEEDS, PROJECT_BUILD]
    tests = project["optional-dependencies"]["test"]

    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        present = [] if upgrade else _present()
        (work / "present.txt").write_text("\n".join(present), "utf-8")
        pip = _newest_pip(work)
        application = _resolve(pip, work, needs)
        everything = _resolve(pip, work, [*needs, *tests])
        bundled = _resolve(pip, work, [*needs, BUNDLER])
        tools = _resolve(pip, work, BUILD_TOOLS)
        compiled = _resolve_source(pip, work, llama)

    only_tests = {name: pin for name, pin in everything.items() if name not in application}
    only_bundler = {name: pin for name, pin in bundled.items() if name not in application}
    _write("constraints.txt", "The application and what it stands on", application)
    _write("constraints-test.txt", "The checks and tests, on top of constraints.txt", only_tests)
    _write(
        "constraints-bundle.txt", "What makes the bundle, on top of constraints.txt", only_bundler
    )
    _write("constraints-build.txt", "What compiles constraints-llama.txt", tools)
    _write("constraints-llama.txt", "llama.cpp, as source: compiled for this processor", compiled)


def _present() -> list[str]:
    lines = (
        line
        for path in sorted(HERE.glob("constraints*.txt"))
        for line in path.read_text("utf-8").splitlines()
    )
    return sorted({m[1] for line in lines if (m := re.match(r"([\w.-]+==[^\s;\\]+)", line))})


def _newest_pip(work: Path) -> list[str]:
    venv.create(work / "venv", with_pip=True)
    pip = [str(work / "venv" / "bin" / "python"), "-m", "pip"]
    subprocess.run([*pip, "install", "--quiet", "--upgrade", "pip"], check=True)
    return pip


def _resolve(pip: list[str], work: Path, requirements: Iterable[str]) -> Pins:
    pins: Pins = {}
    for python, glibc in itertools.product(PYTHONS, GLIBCS):
        platforms = [f"manylinux_2_{g}_{PROCESSOR}" for g in range(glibc, OLDEST_GLIBC - 1, -1)]
        target = ["--python-version", python, "--target", str(work / "none")]
        for platform in (*platforms, f"manylinux2014_{PROCESSOR}"):
            target += ["--platform", platform]
        _add(pins, _report(pip, work, ["--only-binary", ":all:", *target, *requirements]))
    return pins


def _resolve_source(pip: list[str], work: Path, requirement: str) -> Pins:
    pins: Pins = {}
    _add(pins, _report(pip, work, ["--no-deps", "--no-binary", COMPILED_HERE, requirement]))
    return pins


def _report(pip: list[str], work: Path, arguments: list[str]) -> Pins:
    report, command = work / "report.json", [*pip, "install", "--quiet", "--dry-run"]
    command += ["--ignore-installed", "--report", str(report), "-c", str(work / "present.txt")]
    subprocess.run([*command, *arguments], check=True)
    found: Pins = {}
    for item in json.loads(report.read_text("utf-8"))["install"]:
        name = re.sub(r"[-_.]+", "-", item["metadata"]["name"]).lower()
        digest = item["download_info"]["archive_info"]["hashes"]["sha256"]
        found[name] = (item["metadata"]["version"], {digest})
    return found


def _add(pins: Pins, found: Pins) -> None:
    for name, (version, digests) in found.items():
        known, all_digests = pins.setdefault(name, (version, set()))
        if known != version:
            sys.exit(f"{name} is {known} on one supported system and {version} on another")
        all_digests.update(digests)


def _write(name: str, title: str, pins: Pins) -> None:
    lines = [
        f"# {title}, pinned with the sha256 of every build that",
        f"# Python {PYTHONS[0]} to {PYTHONS[-1]} on Linux {PROCESSOR} may pick.",
        "# Made by packaging/pin.py.",
    ]
    for package, (version, digests) in sorted(pins.items()):
        hashes = (f"    --hash=sha256:{digest}" for digest in sorted(digests))
        lines.append(" \\\n".join([f"{package}=={version}", *hashes]))
    (HERE / name).write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{name}: {len(pins)} packages")


if __name__ == "__main__":
    main()
