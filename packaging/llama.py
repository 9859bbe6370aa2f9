"""The llama.cpp wheel, compiled for this very processor, or for all of them, and kept.

The portable one holds ggml's CPU part once for each generation of x86-64 processors and
chooses when it starts, so one bundle runs with AVX-512 and without AVX alike.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import shutil
import tempfile
from pathlib import Path

from progress import watch

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "constraints-llama.txt"
TOOLS = HERE / "constraints-build.txt"
PORTABLE = "-DGGML_NATIVE=OFF -DGGML_BACKEND_DL=ON -DGGML_CPU_ALL_VARIANTS=ON"


def key(*, portable: bool = False) -> str:
    """Hash of all that decides what the compiler makes: sources, tools, processor, C library."""
    parts = [SOURCE.read_text("utf-8"), TOOLS.read_text("utf-8"), platform.machine()]
    processor, options = _processor(), os.environ.get("CMAKE_ARGS", "")
    if portable:
        processor, options = "any", PORTABLE
    parts += [processor, " ".join(platform.libc_ver()), options]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def wheel(
    python: str, cache: Path, *, log: Path, env: dict[str, str], portable: bool = False
) -> Path:
    """The wheel from `cache`, compiled first if it is not there; raises `Stopped`.

    `python` is an interpreter that has pip.

    A finished wheel appears in the cache by one rename. Clones that need it at the same time
    compile it once.
    """
    folder = cache / key(portable=portable)[:32]
    words = "building llama.cpp, 3-8 minutes"
    if portable:
        words, env = "building llama.cpp for all processors", {**env, "CMAKE_ARGS": PORTABLE}
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not list(folder.glob("*.whl")):
            for abandoned in (folder, *cache.glob("building-*")):
                shutil.rmtree(abandoned, ignore_errors=True)
            with tempfile.TemporaryDirectory(dir=cache, prefix="building-") as work:
                _compile(words, python, Path(work), log=log, env=env)
                (Path(work) / "made").rename(folder)
    return next(folder.glob("*.whl"))


def _compile(words: str, python: str, work: Path, *, log: Path, env: dict[str, str]) -> None:
    tools, temporary = work / "tools", work / "temporary"
    temporary.mkdir()
    path = os.pathsep.join([str(tools / "bin"), env.get("PATH", os.defpath)])
    env = {**env, "PATH": path, "TMPDIR": str(temporary)}
    make = [python, "-m", "venv", "--without-pip", str(tools)]
    watch("preparing to build llama.cpp", make, log=log, env=env)
    pip = [python, "-m", "pip", "--python", str(tools / "bin" / "python")]
    pip += ["--disable-pip-version-check", "--no-input"]
    hashed = ["--no-deps", "--require-hashes", "-r"]
    install = [*pip, "install", "--only-binary", ":all:", *hashed, str(TOOLS)]
    watch("fetching what builds llama.cpp", install, log=log, env=env)
    # pip's own cache would hand out a wheel that another processor compiled.
    build = [*pip, "wheel", "--verbose", "--no-cache-dir", "--no-build-isolation"]
    build += ["--wheel-dir", str(work / "made"), *hashed, str(SOURCE)]
    watch(words, build, log=log, env=env)


def _processor() -> str:
    """The instructions this processor has."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        return platform.processor()
    flags = next((line for line in lines if line.startswith(("flags", "Features"))), "")
    return " ".join(sorted(flags.partition(":")[2].split()))
