"""Try a finished bundle as a stranger's laptop would: `python3 packaging/smoke.py FOLDER`.

The folder is copied to a place whose name has spaces and letters beyond ASCII and made
read-only; home is empty, there is no network, and no Python on PATH. Then the window opens on a
virtual screen, a demo is answered, a job runs, and nothing may be left behind. Needs Linux,
Xvfb and unshare. Anything on standard error fails a step.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SCREEN = "1280x800x24"


class Failed(Exception):
    """A step did not do what it should; the text says which."""


def main() -> int:
    """Run every step; 1 if one failed."""
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    bundle = Path(sys.argv[1]).absolute()
    with tempfile.TemporaryDirectory(prefix="pads-smoke-") as work:
        copy = Path(work) / "Stück für Stück ✓" / bundle.name
        shutil.copytree(bundle, copy, symlinks=True)
        with _read_only(copy), _screen() as display:
            try:
                _steps(Path(work), copy / "pads", display)
            except Failed as exc:
                print(f"FAILED: {exc}", file=sys.stderr)
                return 1
    print("fine")
    return 0


def _steps(work: Path, pads: Path, display: str) -> None:
    home = work / "home"
    home.mkdir()
    # As a desktop session gives it, but for PATH: only what starts a process.
    env = {"HOME": str(home), "LANG": "C.UTF-8", "PATH": str(work / "none"), "DISPLAY": display}
    env["XDG_RUNTIME_DIR"] = str(work / "run")
    (work / "run").mkdir(mode=0o700)
    before = _files(work)

    def step(words: str, *arguments: str) -> list[dict[str, object]]:
        started = time.monotonic()
        command = [*_offline(), str(pads), *arguments]
        done = subprocess.run(
            command, env=env, cwd=work, capture_output=True, text=True, timeout=600, check=False
        )
        if done.returncode or done.stderr.strip():
            raise Failed(
                f"{words}: exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
            )
        print(f"{words}: fine, {time.monotonic() - started:.1f} s", flush=True)
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    step("its models are whole", "models", "verify")
    step("the window opens", "--smoke")
    step("the window opens again", "--smoke")
    demo = sorted((pads.parent / "_internal" / "assets" / "demos").glob("*.flac"))[0]
    heard = step("a demo is answered", "replay", str(demo), "--json")
    replies = [record for record in heard if record.get("type") == "ReplyFinished"]
    summary = heard[-1]
    if not (replies or summary.get("replies")):
        raise Failed(f"a demo is answered: no reply in {summary}")
    step(
        "a job runs",
        "job",
        "run",
        "autotune",
        "--prompts",
        "2",
        "--tokens",
        "9",
        "--exits",
        "15",
        "--drafts",
        "1",
        "--json",
    )
    left = [pid for pid in _processes() if _belongs(pid, pads)]
    if left:
        raise Failed(f"processes are left behind: {left}")
    strange = [path for path in _files(work) - before if not path.is_relative_to(home)]
    if strange:
        raise Failed(f"files are left outside home: {strange[:5]}")
    print("nothing is left behind: fine")


def _offline() -> list[str]:
    """What runs a command without any network."""
    found = shutil.which("unshare")
    if found is None:
        raise Failed("unshare is not installed: install util-linux")
    return [found, "--net"] if os.geteuid() == 0 else [found, "--net", "--map-root-user"]


@contextmanager
def _read_only(folder: Path) -> Iterator[None]:
    """Without the right to write in it, for everybody but root, who is not a laptop's user."""

    def change(add: int, drop: int) -> None:
        for path in (folder, *folder.rglob("*")):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode & ~drop | add)

    written = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
    before = _files(folder)
    change(0, written)
    try:
        yield
    finally:
        change(stat.S_IWUSR, 0)
    if _files(folder) != before:
        raise Failed(f"the bundle's own folder changed: {sorted(_files(folder) - before)[:5]}")


@contextmanager
def _screen() -> Iterator[str]:
    """A virtual screen of its own."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as number:
            display = f":{number.readline().strip()}"
        try:
            yield display
        finally:
            server.terminate()


def _files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _belongs(pid: int, program: Path) -> bool:
    try:
        return Path(f"/proc/{pid}/exe").readlink() == program.resolve()
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(main())
