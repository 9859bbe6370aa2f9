"""What all tests share: real models, real data, a private home, a real screen, no leaks."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import hypothesis
import pytest

from app.display import virtual
from engine import paths
from tests.leaks import nothing_left_behind, nothing_left_by_the_session, temporary_folder

__all__ = ["nothing_left_behind", "nothing_left_by_the_session", "temporary_folder"]

# How long an example takes says more about what else the machine does than about the code, and
# whether a commit is good must not depend on what is drawn today. Fuzzing draws anew each time.
hypothesis.settings.register_profile(
    "pads",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("pads")

# Read before any test moves the user's folders away.
_MODELS = paths.fetched_models().resolve()
_DATA = Path(
    os.environ.get("PADS_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data"
).resolve()


@pytest.fixture(scope="session")
def models() -> Path:
    """Folder of the fetched model files."""
    if not _MODELS.is_dir():
        pytest.fail(f"no models in {_MODELS}: run `pads models fetch`", pytrace=False)
    return _MODELS


@pytest.fixture(scope="session")
def data() -> Path:
    """Folder of the research data; while a test uses this, `PADS_DATA` names it too."""
    if not _DATA.is_dir():
        pytest.skip(f"no research data in {_DATA}: name its folder in PADS_DATA")
    return _DATA


@pytest.fixture(scope="session")
def halves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cache of cut language models that all tests share: cutting takes seconds and 100 MB."""
    return tmp_path_factory.mktemp("halves")


@pytest.fixture(autouse=True)
def home(
    nothing_left_behind: None,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    halves: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """An empty home for user files; models stay where they are, `PADS_DATA` is set on demand."""
    folder = tmp_path / "home"
    (folder / "cache").mkdir(parents=True)
    (folder / "cache" / "halves").symlink_to(halves)
    monkeypatch.setenv("PADS_HOME", str(folder))
    monkeypatch.setenv("PADS_MODELS", str(_MODELS))
    if "data" in request.fixturenames:
        monkeypatch.setenv("PADS_DATA", str(_DATA))
    else:
        monkeypatch.delenv("PADS_DATA", raising=False)
    return folder


@contextmanager
def lasting_home(folder: Path, models: Path, halves: Path) -> Iterator[pytest.MonkeyPatch]:
    """The user's folders below `folder`, while a fixture of a wider scope than `home` works."""
    (folder / "cache").mkdir()
    (folder / "cache" / "halves").symlink_to(halves)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PADS_HOME", str(folder))
        patch.setenv("PADS_MODELS", str(models))
        yield patch


@pytest.fixture(scope="session")
def display(nothing_left_by_the_session: None) -> Iterator[str]:
    """An X display: the one in `DISPLAY`, else an Xvfb of the session's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QT_QPA_PLATFORM", "xcb")
        if os.environ.get("DISPLAY"):
            yield os.environ["DISPLAY"]
            return
        if shutil.which("Xvfb") is None:
            pytest.fail("Xvfb is missing: run `python3 packaging/bootstrap.py test`", pytrace=False)
        with virtual() as name:
            patch.setenv("DISPLAY", name)
            yield name


@pytest.fixture(scope="session")
def qapp_args(display: str) -> list[str]:
    """Arguments of pytest-qt's application, which must not exist before its display does."""
    return ["pads"]


@pytest.fixture(scope="session")
def recorded(
    models: Path, halves: Path, tmp_path_factory: pytest.TempPathFactory, temporary_folder: Path
) -> Path:
    """A finished session of the real engine: the first turn of a demo, to be read and copied."""
    import soundfile

    from engine.commands import OpenFile
    from engine.evaluation.conversations.conversation import converse
    from engine.settings import Settings

    home = tmp_path_factory.mktemp("recorded")
    sound, rate = soundfile.read(paths.demos() / "balcony-garden.flac", frames=120_000)
    soundfile.write(home / "first turn.wav", sound, rate)  # 7.5 s
    with lasting_home(home, models, halves):
        source = OpenFile(path=str(home / "first turn.wav"))
        summary = converse(Settings(), source, log_folder=home / "sessions")
    assert summary.turns == 1
    (folder,) = (home / "sessions").iterdir()
    return folder


_UNHURRIED = """
[gate]
patience = "patient"
theta_end = 0.1
[decoder]
reply_tokens = 12
"""


@pytest.fixture(scope="session")
def compared(
    models: Path, halves: Path, tmp_path_factory: pytest.TempPathFactory, temporary_folder: Path
) -> Path:
    """A finished run of the job compare over three turns, in one of which PADS hid work.

    Turns are given time before they count as over, and replies are short, so that on a crowded
    machine too work is hidden and a reply ends before the next turn does.
    """
    import soundfile

    from engine.jobs import catalogue
    from engine.jobs.runner import JobProcess

    home = tmp_path_factory.mktemp("compared")
    with lasting_home(home, models, halves):
        paths.settings_file().parent.mkdir(parents=True, exist_ok=True)
        paths.settings_file().write_text(_UNHURRIED, "utf-8")
        for demo in paths.demo_recordings():  # if need be another one
            sound, rate = soundfile.read(demo, frames=18 * 16_000)
            soundfile.write(home / "three turns.wav", sound, rate)
            job = JobProcess(catalogue.find("compare"), {"recording": home / "three turns.wav"})
            try:
                assert job.wait(250)
            finally:
                job.close()
            result = job.run.result()
            assert result is not None, job.run.manifest()["reason"]
            if result["on"]["hidden_ms"]["value"] > 0 and "cut short" not in result["replies"]:
                return job.run.folder
    raise AssertionError("in no demo was work hidden and every reply whole: too crowded a machine")
