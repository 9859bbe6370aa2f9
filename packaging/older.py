"""Decode a demo turn as older processors would.

    python3 packaging/older.py [--tokens N] [PROCESSOR...]

The portable llama.cpp runs under qemu's user emulation of a processor with AVX2 and no AVX-512
(as in a Latitude 5490) and of one with SSE4.2 and no AVX. On each, drafted and plain decoding
must give the same tokens, and ggml must have chosen the part made for it. Emulated in one
process: what that process starts would run on the real processor. The model is cut before, on
the real one. Needs qemu-user, and a bundle made before. Speed means nothing here.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bootstrap import ROOT, _cache

HERE = Path(__file__).resolve().parent
PROCESSORS = {"Haswell-noTSX": "haswell", "Nehalem": "sse42"}
"""qemu's name of a processor, and the part of ggml that fits it."""
MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"


def main() -> int:
    """Try every processor; 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("processors", nargs="*", default=list(PROCESSORS), metavar="PROCESSOR")
    parser.add_argument("--tokens", type=int, default=16)
    given = parser.parse_args()
    packages = next((_cache() / "bundle" / "venv-live" / "lib").glob("python*/site-packages"))
    python = packages.parents[2] / "bin" / "python"
    with tempfile.TemporaryDirectory() as work:
        copy = Path(work, "llama_cpp")
        shutil.copytree(packages / "llama_cpp", copy)
        for part in (packages / "bin").glob("*ggml-cpu-*"):
            shutil.copy(part, copy / "lib")
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([work, str(ROOT)])}
        models = Path(os.environ.get("PADS_MODELS", _cache() / "models"))
        command = [str(python), str(HERE / "older_turn.py"), str(models / MODEL)]
        command += [str(Path(work, "halves")), str(given.tokens)]
        # The real processor first: it cuts the model, and says what the older ones may differ in.
        passed = [
            _same(name, emulator, part, command, env)
            for name, emulator, part in (
                ("this processor", [], ""),
                *((p, ["qemu-x86_64", "-cpu", p], PROCESSORS[p]) for p in given.processors),
            )
        ]
    return 0 if all(passed) else 1


def _same(
    name: str, emulator: list[str], part: str, command: list[str], env: dict[str, str]
) -> bool:
    """Whether the fitting part was chosen and both ways of decoding gave the same tokens."""
    said: dict[str, object] = {}
    with (
        tempfile.TemporaryFile("w+") as error,
        subprocess.Popen(
            [*emulator, *command],
            env=env,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=error,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            print(f"{name}: {line.strip()}", flush=True)
            said |= json.loads(line)
        if process.wait():
            error.seek(0)
            print(f"{name}: ended with {process.returncode}: {error.read()[-2000:]}")
    chosen, drafted, plain = (said.get(key) for key in ("part", "drafted", "plain"))
    fine = bool(drafted) and drafted == plain and str(chosen).startswith(part)
    tokens = len(drafted) if isinstance(drafted, list) else 0
    print(f"{name}: {chosen}; {tokens} tokens: {'the same' if fine else 'NOT THE SAME'}")
    return fine


if __name__ == "__main__":
    sys.exit(main())
