from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from engine import paths
from engine.errors import JobFailed
from engine.evaluation.decoding import autotune
from engine.evaluation.decoding.decode_race import Results, Sample
from engine.events import Evidence
from engine.records.runs import ActiveRun
from engine.settings import DecoderSettings
from engine.speculation import loading, split, tuning
from engine.store.fetching import locate


@pytest.fixture
def active(tmp_path: Path) -> ActiveRun:
    folder = tmp_path / "run"
    folder.mkdir()
    return ActiveRun(folder, evidence=Evidence.MEASURED, stream=io.StringIO())


def test_a_measured_choice_is_remembered_and_used_in_mode_auto(active: ActiveRun) -> None:
    found = autotune.run(active, prompts=1, tokens=9, exits="15", drafts="2", install=True)
    assert found["way"] in found["ratio_to_plain"]
    assert set(found["ratio_to_plain"]) == {"plain", "prompt lookup, draft 2", "exit 15, draft 2"}
    cache, model = paths.cache() / "halves", locate(DecoderSettings().model)
    known = tuning.remembered(split.identity(model, cache), cache)
    assert known == tuning.Choice(**found["choice"])
    loaded = loading.load(
        model, cache, replace(DecoderSettings(), speculation="auto"), lambda *_: None
    )
    loaded.decoder.close()
    assert loaded.decoder.draft_tokens == known.draft_tokens
    assert loaded.details["threads"] == known.threads
    assert loaded.details["tuned"]["run"] == active.name


def test_drafting_is_chosen_only_where_it_surely_pays() -> None:
    plain = {"median": 1.0, "low": 1.0, "high": 1.0}
    touching = {"median": 1.3, "low": 1.0, "high": 1.6}
    sure = {"median": 1.1, "low": 1.02, "high": 1.2}
    surer = {"median": 1.2, "low": 1.01, "high": 1.4}
    assert autotune.best_of({"plain": plain, "a": touching}) == "plain"
    assert autotune.best_of({"plain": plain, "a": touching, "b": sure}) == "b"
    assert autotune.best_of({"plain": plain, "b": sure, "c": surer}) == "c"


@pytest.mark.parametrize(
    ("seconds_of_two", "chosen"),
    [([1.0] * 8, 2), ([2.0] * 8, 1), ([3.0, 1.0] * 4, 1)],
    ids=["faster", "as fast", "now and then"],
)
def test_more_threads_are_taken_only_where_they_are_surely_faster(
    seconds_of_two: list[float], chosen: int
) -> None:
    times = {"1": [2.0] * 8, "2": seconds_of_two}
    results = Results(
        {
            way: [Sample(way=way, prompt=n, tokens=8, seconds=s) for n, s in enumerate(seconds)]
            for way, seconds in times.items()
        }
    )
    assert autotune._fewest(results, [1, 2]) == chosen


@pytest.mark.parametrize("text", ["", "a", "0,2", "1;2"])
def test_lists_are_checked(text: str, active: ActiveRun) -> None:
    with pytest.raises(JobFailed, match="no list of numbers"):
        autotune.run(active, prompts=2, tokens=9, exits="10", drafts=text, install=False)
