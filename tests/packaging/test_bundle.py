"""A bundle is made of this very tree and tried as on a stranger's laptop: some minutes."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.clone import PACKAGING

sys.path.insert(0, str(PACKAGING))
import bootstrap
import llama
import packing

LARGEST_BYTES = 450_000_000


@pytest.mark.bundle
@pytest.mark.timeout(1800)
@pytest.mark.skipif(not bootstrap.VENV.exists(), reason="this folder was not set up")
@pytest.mark.usefixtures("models")
def test_a_bundle_of_this_tree_passes_its_smoke_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PADS_HOME")  # wheels are cached where set-up keeps them
    wheels = bootstrap._cache() / "wheels"
    # Compiling for all processors takes too long here; a wheel that is there is taken.
    portable = list(wheels.glob(f"{llama.key(portable=True)[:32]}/*.whl"))
    command = [sys.executable, str(PACKAGING / "build.py"), "--output", str(tmp_path)]
    said = run(command if portable else [*command, "--native"])
    assert "MB, live" in said
    bundle = tmp_path / "PADS Live"
    assert packing.size(bundle) <= LARGEST_BYTES
    said = run([sys.executable, str(PACKAGING / "smoke.py"), str(bundle)])
    assert said.splitlines()[-2:] == ["nothing is left behind: fine", "fine"]


def run(command: list[str]) -> str:
    """What a program says, which must end well."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
