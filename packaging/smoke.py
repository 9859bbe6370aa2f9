"""Try a finished bundle as a stranger's laptop would: `python3 packaging/smoke.py FOLDER [SOUND]`.

The folder is copied to a place whose name has spaces and letters beyond ASCII and made
read-only; home is empty, there is no network, and no Python on PATH. Then the window opens on a
virtual screen, a demo is answered (or SOUND, a shorter recording, in its place), a job runs (the
full flavour also trains two steps, where PADS_DATA names the corpora), and nothing may be left
behind. Anything on standard error fails a step. Needs Linux; what the machine cannot show, for
want of Xvfb or of the right to a network of one's own, is named with the reason, and the rest is
tried.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

SCREEN = "1280x800x24"
AUTOTUNE = "--prompts 2 --tokens 9 --exits 15 --drafts 1 --json"
TRAINING = "--steps 2 --exits 4 --prompts 2 --replies 2 --batch 1 --tokens 112 --json"


class Failed(Exception):
    """A step did not do what it should; the text says which."""


def main() -> int:
    """Run every step; 1 if one failed."""
    if len(sys.argv) not in (2, 3):
        print(__doc__)
        return 2
    bundle, *sound = (Path(name).absolute() for name in sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="pads-smoke-") as work:
        copy = Path(work) / "Stück für Stück ✓" / bundle.name
        shutil.copytree(bundle, copy, symlinks=True)
        offline, reason = without_network()
        print(f"no network: {f'NOT TRIED: {reason}' if reason else 'fine'}", flush=True)
        try:
            with _read_only(copy), ExitStack() as ending:
                display = ending.enter_context(screen()) if shutil.which("Xvfb") else None
                _steps(Path(work), [*offline, str(copy / "pads")], display, *sound)
        except Failed as exc:
            print(f"FAILED: {exc}", file=sys.stderr)
            return 1
    print("fine" if display and not reason else "fine, but for what was not tried")
    return 0


def _steps(work: Path, command: list[str], display: str | None, sound: Path | None = None) -> None:
    pads, home = Path(command[-1]), work / "home"
    home.mkdir()
    # As a desktop session gives it, but for PATH: only what starts a process.
    env = {"HOME": str(home), "LANG": "C.UTF-8", "PATH": str(work / "none")}
    env |= {"XDG_RUNTIME_DIR": str(work / "run"), "DISPLAY": display or ""}
    (work / "run").mkdir(mode=0o700)
    before = _files(work)

    def step(words: str, *arguments: str) -> Done:
        done = first_line([*command, *arguments], env=env, cwd=work)
        if done.status or done.error.strip():
            raise Failed(
                f"{words}: exit {done.status}\n{done.output[-2000:]}\n{done.error[-4000:]}"
            )
        print(f"{words}: fine, {done.lasted_s:.1f} s", flush=True)
        return done

    step("its models are whole", "models", "verify")
    step("it tells what it is and what is here", "doctor", "--json")
    if display is None:
        print("the window opens: NOT TRIED: Xvfb is not installed", flush=True)
    for words in ("the window opens", "the window opens again") if display else ():
        opened = step(words, "--smoke")
        if opened.output != "drawn\n":
            raise Failed(f"{words}: it says {opened.output!r} instead of being drawn")
        print(f"from its start to the drawn window: {opened.first_s:.2f} s")
    demos = sorted((pads.parent / "_internal" / "assets" / "demos").glob("*.flac"))
    summary = step("a demo is answered", "replay", str(sound or demos[0]), "--json").records()[-1]
    if not summary.get("replies"):
        raise Failed(f"a demo is answered: no reply in {summary}")
    step("a job runs", "job", "run", "autotune", *AUTOTUNE.split())
    (record,) = home.rglob("runs/*/manifest.json")
    made_by = json.loads(record.read_text("utf-8"))["environment"]["libraries"]
    if "llama-cpp-python" not in made_by:
        raise Failed(f"a job runs: its record names no version of llama.cpp, only {made_by}")
    corpora = os.environ.get("PADS_DATA")
    if (pads.parent / "_internal" / "torch").is_dir() and corpora:
        step(
            "a job trains", "job", "run", "train-exit-adapter", *TRAINING.split(), "--data", corpora
        )
    left = [pid for pid in _processes() if _belongs(pid, pads)]
    if left:
        raise Failed(f"processes are left behind: {left}")
    strange = [path for path in _files(work) - before if not path.is_relative_to(home)]
    if strange:
        raise Failed(f"files are left outside home: {strange[:5]}")
    print("nothing is left behind: fine")


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a program said and how long it took, its first line and all of it."""

    status: int
    output: str
    error: str
    first_s: float
    lasted_s: float

    def records(self) -> list[dict[str, object]]:
        """The JSON objects among its lines."""
        return [json.loads(line) for line in self.output.splitlines() if line.startswith("{")]


def first_line(command: list[str], *, env: dict[str, str], cwd: Path) -> Done:
    """Run a program to its end, for ten minutes at most, and look when its first line comes."""
    started = time.monotonic()
    with (
        tempfile.TemporaryFile("w+") as error,
        subprocess.Popen(
            command, env=env, cwd=cwd, stdout=subprocess.PIPE, stderr=error, text=True
        ) as process,
    ):
        limit = threading.Timer(600, process.kill)
        limit.start()
        assert process.stdout is not None
        output = process.stdout.readline()
        first_s = time.monotonic() - started
        output += process.stdout.read()
        status = process.wait()
        limit.cancel()
        error.seek(0)
        return Done(
            status=status,
            output=output,
            error=error.read(),
            first_s=first_s,
            lasted_s=time.monotonic() - started,
        )


def without_network() -> tuple[list[str], str]:
    """What runs a command without any network, or why that cannot be done here."""
    found = shutil.which("unshare")
    if found is None:
        return [], "unshare is not installed"
    for rights in ([], ["--map-root-user"]):  # root's own, and those of whoever may be it inside
        command = [found, "--net", *rights]
        tried = subprocess.run([*command, "true"], capture_output=True, text=True, check=False)
        if tried.returncode == 0:
            return command, ""
    return [], tried.stderr.strip()


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
def screen() -> Iterator[str]:
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
