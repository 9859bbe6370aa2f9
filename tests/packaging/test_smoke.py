"""What the smoke test does where a machine cannot show everything."""

import sys
from pathlib import Path

import pytest

from tests.packaging.clone import PACKAGING

sys.path.insert(0, str(PACKAGING))
import smoke


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (None, "unshare is not installed"),
        ("echo 'unshare failed: Operation not permitted' >&2; exit 1", "Operation not permitted"),
    ],
)
def test_a_machine_that_grants_no_network_of_ones_own_is_told_from_one_that_does(
    program: str | None, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if program is not None:
        (tmp_path / "unshare").write_text(f"#!/bin/sh\n{program}\n", "utf-8")
        (tmp_path / "unshare").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    command, reason = smoke.without_network()
    assert command == []
    assert why in reason
