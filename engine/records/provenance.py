"""Which code and which environment produced a run."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib import metadata
from typing import Any

from engine import paths

_DISTRIBUTIONS = (
    "numpy",
    "scipy",
    "scikit-learn",
    "llama-cpp-python",
    "onnxruntime",
    "ctranslate2",
    "torch",
    "transformers",
    "peft",
)


def code() -> dict[str, Any]:
    """Version of the program, and where it runs from a repository: commit, changed or not."""
    commit = _git("rev-parse", "HEAD")
    changes = _git("status", "--porcelain", "--untracked-files=no")
    return {
        "version": _version("pads-live"),
        "commit": commit,
        "changed": None if changes is None else bool(changes),
    }


def environment() -> dict[str, Any]:
    """Interpreter, system, versions of the libraries figures depend on, thread settings."""
    versions = {name: _version(name) for name in _DISTRIBUTIONS}
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "libraries": {name: version for name, version in versions.items() if version},
        "threads": {
            name: value for name, value in os.environ.items() if name.endswith("_NUM_THREADS")
        },
    }


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _git(*words: str) -> str | None:
    """Git's answer about the program's own folder; None outside a repository of its own."""
    folder = paths.shipped()
    if not (folder / ".git").exists():
        return None
    try:
        answer = subprocess.run(
            ["git", *words], cwd=folder, capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.strip()
