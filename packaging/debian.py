"""Missing Debian and Ubuntu packages: found, and installed when that is allowed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from progress import Stopped, say, watch

LIST = Path(__file__).resolve().parent / "debian-packages.txt"


def wanted(group: str) -> list[str]:
    """Packages under `[group]` of the list."""
    found: list[str] = []
    inside = ""
    for line in LIST.read_text("utf-8").splitlines():
        words = line.partition("#")[0].strip()
        if words.startswith("["):
            inside = words.strip("[]")
        elif words and inside == group:
            found.append(words)
    return found


def missing(packages: list[str]) -> list[str]:
    """Those that no installed package is or provides; Ubuntu 24.04 renamed many libraries."""
    shown = "${db:Status-Status} ${Package}, ${Provides}\n"
    known = subprocess.run(
        ["dpkg-query", "--show", f"--showformat={shown}"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    installed: set[str] = set()
    for line in known:
        status, _, names = line.partition(" ")
        if status == "installed":
            installed.update(name.partition("(")[0].strip() for name in names.split(","))
    return [package for package in packages if package not in installed]


def provide(packages: list[str], *, log: Path, env: dict[str, str]) -> None:
    """Install what is missing. Raises `Stopped` with the command to type when it may not."""
    if shutil.which("dpkg-query") is None:
        say("This is not Debian or Ubuntu: see packaging/debian-packages.txt for what is needed.")
        return
    absent = missing(packages)
    if not absent:
        return
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *absent]
    before = _as_root()
    if before is None:
        typed = " ".join(["sudo apt-get update && sudo", *command])
        raise Stopped(f"System packages are missing. Type this, then start again:\n\n{typed}\n")
    env = {**env, "DEBIAN_FRONTEND": "noninteractive"}
    patient = ["-o", "DPkg::Lock::Timeout=300"]
    watch("reading the list of system packages", [*before, "apt-get", "update"], log=log, env=env)
    say(f"system packages that are missing: {', '.join(absent)}")
    watch("installing system packages", [*before, *command, *patient], log=log, env=env)


def _as_root() -> list[str] | None:
    """What to put before a command so that root runs it; None when that takes a password."""
    if os.geteuid() == 0:
        return []
    sudo = ["sudo", "--non-interactive"]
    try:
        allowed = subprocess.run([*sudo, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        return None  # there is no sudo, or not for this user
    return [*sudo, "DEBIAN_FRONTEND=noninteractive"] if allowed else None
