"""Set up PADS Live in this folder, then run it or test it. Needs Python 3.11 and nothing else.

    python3 packaging/bootstrap.py run [ARGUMENTS OF pads]
    python3 packaging/bootstrap.py test [ARGUMENTS OF pytest]

Whatever is already done is not done again, and the network not asked: every step is recorded
with the hash of what it was made from. After an installation that was interrupted, .venv is
made anew; what was downloaded and compiled before is used again.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import debian
import llama
from progress import Stopped, clock, say, watch

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
PADS = [str(PYTHON), str(VENV / "bin" / "pads")]
RECORD = VENV / "set-up.json"
OLDEST, NEWEST = (3, 11), (3, 14)


class Record:
    """The steps completed in the virtual environment, each with the hash of its inputs."""

    def __init__(self) -> None:
        try:
            self._done: dict[str, str] = json.loads(RECORD.read_text("utf-8"))
        except (OSError, ValueError):
            self._done = {}

    @property
    def broken(self) -> bool:
        """Whether a step began and did not end: what it installed may be half there."""
        return "begun" in self._done

    def has(self, step: str, key: str) -> bool:
        return self._done.get(step) == key

    def do(self, step: str, key: str, work: Callable[[], None]) -> None:
        """Do the step unless it is done."""
        if self.has(step, key):
            return
        self._done.pop(step, None)
        self._done["begun"] = step
        self.write()
        work()
        self._done[step] = key
        del self._done["begun"]
        self.write()

    def write(self) -> None:
        partial = RECORD.with_suffix(".partial")
        partial.write_text(json.dumps(self._done, indent=1), "utf-8")
        partial.replace(RECORD)


def main(arguments: list[str]) -> int:
    """Run one of the two commands; the exit status."""
    if arguments[:1] not in (["run"], ["test"]):
        print(__doc__)
        return 0 if arguments[:1] in ([], ["-h"], ["--help"]) else 2
    mode, rest = arguments[0], arguments[1:]
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        _require_python()
        _set_up(mode)
        if mode == "run":
            os.execve(PYTHON, [*PADS, *rest], _environment())  # noqa: S606 - no shell is wanted
        return _check(rest)
    except Stopped as exc:
        print(exc, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on where this one ended.", file=sys.stderr)
        return 130


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _require_python() -> None:
    """Start again under a Python that will do, if this one will not."""
    if OLDEST <= sys.version_info[:2] <= NEWEST:
        return
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        other = shutil.which(f"python3.{minor}")
        # A version manager's stand-in may be there and yet start nothing.
        if other and subprocess.run([other, "-c", ""], check=False).returncode == 0:
            os.execv(other, [other, *sys.argv])  # noqa: S606
    raise Stopped(
        f"PADS Live needs Python 3.{OLDEST[1]} to 3.{NEWEST[1]}, and this is "
        f"{platform.python_version()}: install one of them (`sudo apt-get install python3.11`)"
    )


def _set_up(mode: str) -> None:
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise Stopped("Set-up knows Linux on x86-64 only; pyproject.toml names what is needed.")
    with Path(__file__).open("r+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another set-up works in this folder; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        _steps(mode)


def _steps(mode: str) -> None:
    env, logs = _environment(), _cache() / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    record = Record()
    _system_packages(mode, record, log=logs / "apt.log")

    def install(words: str, *what: str) -> Callable[[], None]:
        command = [str(PYTHON), "-m", "pip", "install", "--no-deps", "--no-input"]
        command += ["--disable-pip-version-check", *what]
        return lambda: watch(words, command, log=logs / "pip.log", env=env)

    if record.broken or not record.has("venv", _venv_key()) or not PYTHON.exists():
        record = _empty_venv()
        command = [_base_python(), "-m", "venv", str(VENV)]
        log = logs / "venv.log"
        record.do("venv", _venv_key(), lambda: watch("making .venv", command, log=log, env=env))
    hashed = ["--require-hashes", "--only-binary", ":all:", "-r"]
    run, test, bundle = (HERE / f"constraints{end}.txt" for end in ("", "-test", "-bundle"))
    packages = install("installing packages, 1-3 minutes", *hashed, str(run))
    record.do("packages", _hash(run), packages)
    if mode == "test":
        record.do("test", _hash(test), install("installing test packages", *hashed, str(test)))
        bundler = install("installing what makes a bundle", *hashed, str(bundle))
        record.do("bundler", _hash(bundle), bundler)
    if not record.has("llama.cpp", llama.key()):
        wheel = llama.wheel(str(PYTHON), _cache() / "wheels", log=logs / "llama.log", env=env)
        compiled = install("installing llama.cpp", "--no-index", "--force-reinstall", str(wheel))
        record.do("llama.cpp", llama.key(), compiled)
    project = install("installing PADS Live", "--no-index", "--no-build-isolation", "-e", str(ROOT))
    record.do("project", _hash(ROOT / "pyproject.toml"), project)
    if not _models_are_here():
        watch("fetching models", [*PADS, "models", "fetch"], log=logs / "models.log", env=env)


def _system_packages(mode: str, record: Record, *, log: Path) -> None:
    packages = debian.wanted("run") + (debian.wanted("test") if mode == "test" else [])
    if importlib.util.find_spec("ensurepip") is None:
        packages.append(f"python3.{sys.version_info.minor}-venv")
    if mode == "test" and Path(_base_python()).parent == Path("/usr/bin"):
        packages.append(f"libpython3.{sys.version_info.minor}")  # goes into a bundle
    compilers = shutil.which("cc") and shutil.which("c++")
    if not compilers and not record.has("llama.cpp", llama.key()):
        packages.append("g++")
    debian.provide(packages, log=log, env=_environment())


def _empty_venv() -> Record:
    """Begin .venv anew; one that was not made here is moved out of the way, not deleted."""
    removing = ROOT / ".venv-removing"
    if VENV.exists():
        if RECORD.exists() or not any(VENV.iterdir()):
            shutil.rmtree(removing, ignore_errors=True)
            VENV.rename(removing)  # first, so that a half-deleted one is not taken for another's
        else:
            aside = ROOT / f".venv-{time.strftime('%Y%m%d-%H%M%S')}"
            VENV.rename(aside)
            say(f"moved a .venv that was not made by this script to {aside.name}")
    shutil.rmtree(removing, ignore_errors=True)
    VENV.mkdir()
    record = Record()
    record.write()
    return record


def _models_are_here() -> bool:
    """Whether every default model has its size; `pads models verify` compares more."""
    import tomllib

    named = os.environ.get("PADS_MODELS")
    folder = Path(named) if named else _cache() / "models"
    models = tomllib.loads((ROOT / "models" / "manifest.toml").read_text("utf-8")).get("model", [])
    sizes = {folder / model["file"]: model["size"] for model in models if model["use"] == "default"}
    return all(path.is_file() and path.stat().st_size == size for path, size in sizes.items())


def _check(pytest_arguments: list[str]) -> int:
    """Run every check, the tests last; 1 if any failed."""
    python = str(PYTHON)
    checks = {
        "ruff check": [python, "-m", "ruff", "check"],
        "ruff format": [python, "-m", "ruff", "format", "--check"],
        "mypy": [python, "-m", "mypy"],
        "import contracts": [python, str(VENV / "bin" / "lint-imports")],
        "advisories and licences": [python, str(HERE / "audit.py")],
        "tests": [python, "-m", "pytest", *pytest_arguments],
    }
    failed = []
    for name, command in checks.items():
        started = time.monotonic()
        status = _run_check(command)
        taken = clock(time.monotonic() - started)
        say(f"{name}: {'FAILED' if status else 'fine'} after {taken}")
        if status:
            failed.append(name)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _run_check(command: list[str]) -> int:
    with subprocess.Popen(command, cwd=ROOT, env=_environment()) as process:
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)  # pytest then ends what its fixtures started
            raise


def _environment() -> dict[str, str]:
    """The environment without what would make Python or pip look or install elsewhere."""
    elsewhere = {"PYTHONHOME", "PYTHONPATH", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT"}
    kept = {name: value for name, value in os.environ.items() if name not in elsewhere}
    return {**kept, "PIP_USER": "0"}


def _base_python() -> str:
    """The interpreter itself, also when this runs from a virtual environment."""
    return str(getattr(sys, "_base_executable", None) or sys.executable)


def _venv_key() -> str:
    """A virtual environment belongs to one folder and one Python."""
    return "\0".join([str(ROOT), os.path.realpath(_base_python()), platform.python_version()])


def _cache() -> Path:
    """Where engine.paths has the cache, too."""
    home = os.environ.get("PADS_HOME")
    if home:
        return Path(home) / "cache"
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "pads-live"


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
