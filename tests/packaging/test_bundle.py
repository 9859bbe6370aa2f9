"""A bundle is made of this very tree and tried as on a stranger's laptop.

In every run the one for this processor, of what set-up installed; with the marker `bundle` those
that are given away, which takes some minutes, and more where llama.cpp must be compiled first.
"""

import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import soundfile

from engine import paths
from tests.packaging.clone import PACKAGING

sys.path.insert(0, str(PACKAGING))
import bootstrap
import packing

LARGEST_BYTES = 450_000_000
"""Of the live bundle."""

pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.skipif(not bootstrap.VENV.exists(), reason="this folder was not set up"),
    pytest.mark.skipif(
        not sysconfig.get_config_var("Py_ENABLE_SHARED"),
        reason="this Python was built without the shared library that a bundle needs",
    ),
]


@pytest.fixture(scope="module")
def said(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """What the smoke test says of a bundle for this processor."""
    folder = tmp_path_factory.mktemp("bundle")
    question = folder / "question.wav"
    sound, rate = soundfile.read(paths.demos() / "balcony-garden.flac", frames=3 * 16_000)
    soundfile.write(question, sound, rate)
    yield made_and_tried(folder, "--native", sound=[question])
    shutil.rmtree(folder)


def made_and_tried(folder: Path, *options: str, sound: Sequence[Path] = ()) -> list[str]:
    run([sys.executable, str(PACKAGING / "build.py"), "--output", str(folder), *options])
    bundle = folder / "PADS Live"
    if "full" not in options:
        assert packing.size(bundle) <= LARGEST_BYTES
    return run([sys.executable, str(PACKAGING / "smoke.py"), str(bundle), *map(str, sound)])


def run(command: list[str]) -> list[str]:
    """The lines that a program says, which must end well."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_a_bundle_of_this_tree_passes_its_smoke_test(said: list[str]) -> None:
    assert said[-2] == "nothing is left behind: fine"
    assert said[-1].startswith("fine")


@pytest.mark.parametrize("part", ["no network", "the window opens"])
def test_nothing_was_left_out(said: list[str], part: str) -> None:
    (result,) = [line for line in said if line.startswith(f"{part}: ")]
    if "NOT TRIED" in result:
        pytest.skip(result)
    assert result.startswith(f"{part}: fine")


@pytest.mark.bundle
@pytest.mark.timeout(3600)
@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("flavour", ["live", "full"])
def test_a_bundle_for_all_processors_passes_its_smoke_test(
    flavour: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PADS_HOME")  # what was made before is kept where set-up keeps it
    assert made_and_tried(tmp_path, "--flavour", flavour)[-1] == "fine"
