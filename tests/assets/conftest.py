"""The script that makes the demos, as a module: packaging/ is a folder of programs."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "packaging" / "make_demos.py"


@pytest.fixture(scope="session")
def make_demos() -> Iterator[ModuleType]:
    """`packaging/make_demos.py`."""
    spec = importlib.util.spec_from_file_location("make_demos", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["make_demos"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules["make_demos"]
