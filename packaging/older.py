"""Decode a demo turn as older processors would: `python3 packaging/older.py`.

The portable llama.cpp runs under qemu's user emulation of a processor with AVX2 and no AVX-512
(as in a Latitude 5490) and of one with SSE4.2 and no AVX. On each, drafted and plain decoding
must give the same tokens, and ggml must have chosen the part made for it. Emulated in one
process: what that process starts would run on the real processor. Needs qemu-user, and a bundle
made before. Speed means nothing here.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bootstrap import ROOT, _cache

PROCESSORS = {"Haswell-noTSX": "haswell", "Nehalem": "sse42"}
"""qemu's name of a processor, and the part of ggml that fits it."""


def main() -> int:
    """Try every processor; 1 if one failed."""
    packages = next((_cache() / "bundle" / "venv-live" / "lib").glob("python*/site-packages"))
    python = packages.parents[2] / "bin" / "python"
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        copy = Path(work, "llama_cpp")
        shutil.copytree(packages / "llama_cpp", copy)
        for part in (packages / "bin").glob("*ggml-cpu-*"):
            shutil.copy(part, copy / "lib")
        for processor, part in PROCESSORS.items():
            failed += not _fine(processor, part, python, work)
    return 1 if failed else 0


def _fine(processor: str, part: str, python: Path, work: str) -> bool:
    def run(*arguments: str) -> list[dict[str, object]]:
        command = ["qemu-x86_64", "-cpu", processor, str(python), "-m", "app", *arguments]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([work, str(ROOT)])}
        env["PADS_HOME"] = str(Path(work, processor))
        env["PADS_MODELS"] = os.environ.get("PADS_MODELS", str(_cache() / "models"))
        done = subprocess.run(
            command, env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
        )
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    findings = {str(record.get("thing")): record for record in run("doctor", "--json")}
    chosen = str(findings.get("llama.cpp", {}).get("note"))
    identity = ["bench", "identity", "--prompts", "1", "--format-prompts", "1", "--formats"]
    said = run(*identity, "--tokens", "4", "--json")
    divergences = said[-1].get("divergences") if said else None
    print(f"{processor}: {chosen}; divergences of a drafted from a plain reply: {divergences}")
    return chosen.startswith(part) and divergences == 0


if __name__ == "__main__":
    sys.exit(main())
