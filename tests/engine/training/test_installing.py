"""Weights are installed where the program may write, and found there."""

import io
import sys
from pathlib import Path

import pytest

from engine import paths
from engine.events import Evidence
from engine.records.runs import ActiveRun
from engine.speculation import adapter
from engine.training import installing


def test_a_bundle_installs_among_the_users_data_and_leaves_its_own_folder_alone(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "run").mkdir()
    job = ActiveRun(tmp_path / "run", evidence=Evidence.MEASURED, stream=io.StringIO())
    bundle = tmp_path / "bundle"
    (bundle / "models" / "turn_end").mkdir(parents=True)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(bundle), raising=False)
    assert paths.weights("turn_end") == bundle / "models" / "turn_end"
    (job.folder / "weights").mkdir()
    (job.folder / "weights" / "head.json").write_text("{}", "utf-8")
    installing.install(job, "turn_end", {"run": "x"}, lambda result, record: "card")
    own = paths.weights("turn_end")
    assert own.is_relative_to(home / "data")
    assert {path.name for path in own.iterdir()} == {
        *("head.json", "result.json", "run.json", "README.md"),
    }
    assert not list((bundle / "models" / "turn_end").iterdir())
    assert [path.name for path in own.parent.iterdir()] == ["turn_end"]
    installing.install(job, "turn_end", {"run": "y"}, lambda result, record: "another card")
    assert (own / "README.md").read_text("utf-8") == "another card"
    assert adapter.installed().is_relative_to(home / "data"), "exit adapters always go there"


def test_from_source_they_replace_the_shipped_ones() -> None:
    assert (
        paths.trained("turn_end")
        == paths.weights("turn_end")
        == paths.manifest().with_name("turn_end")
    )
