from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from engine.errors import JobFailed
from engine.evaluation.decoding import decode_job, decode_ways
from engine.evaluation.decoding.number_lists import whole_numbers
from engine.events import Evidence
from engine.records.evidence import Figure
from engine.records.runs import ActiveRun


def median(value: float) -> dict[str, float]:
    return {"median": value, "low": value - 0.1, "high": value + 0.1}


def test_pictures_show_every_draft_length_over_the_exit_layers() -> None:
    rows = [
        {
            "exit_layer": layer,
            "way": way,
            "draft_tokens": draft,
            "ratio": median(layer / 10 + draft),
            "acceptance": 0.5 if draft == 3 else None,
            "ms_per_head_step": 2.0,
            "ms_per_verification": 9.0,
        }
        for layer, way in ((5, "off the shelf"), (10, "off the shelf"), (10, "exit adapter"))
        for draft in (1, 3)
    ]
    summary = {
        "plain_tokens_per_s": median(90.0),
        **{f"{way}_ratio": median(1.0) for way in ("plain_default_attention", "unspeculated")},
        "auto_ratio": median(1.2),
    }
    figures = decode_job.headline(summary, Evidence.MEASURED)
    assert (figures["plain"].unit, figures["auto"].unit) == ("tokens/s", "of plain")
    (plot,), (_, drafted) = decode_job.pictures(figures, rows, (1, 3), Evidence.MEASURED)
    first, second, trained, _ = plot.series
    assert (first.name, first.x, first.y) == ("off the shelf, draft 1", [5, 10], [1.5, 2.0])
    assert second.low == pytest.approx([3.4, 3.9])
    assert (trained.name, trained.x) == ("exit adapter, draft 1", [10])
    assert [row[:3] for row in drafted.rows][3:5] == [
        [10, "off the shelf", 3],
        [10, "exit adapter", 1],
    ]
    acceptances = [row[4] for row in drafted.rows if isinstance(row[4], Figure)]
    assert [figure.value for figure in acceptances] == [None, 0.5] * 3


@pytest.mark.heavy  # what it measures is measured in test_decode too
@pytest.mark.usefixtures("models")
def test_the_job_races_every_way_and_shows_what_it_found(tmp_path: Path) -> None:
    job = ActiveRun(tmp_path, evidence=Evidence.MEASURED, stream=io.StringIO())
    result = decode_job.run(
        job, prompts=2, loads=2, tokens=9, exits="10", drafts="2", threads=1, strict=False
    )
    json.dumps(result, allow_nan=False)
    assert result["same_tokens"]
    assert result["plain"]["unit"] == "tokens/s"
    assert 0 < result["auto"]["low"] <= result["auto"]["value"] <= result["auto"]["high"]
    ways = {
        json.loads(line)["way"]
        for line in (tmp_path / "metrics.jsonl").read_text("utf-8").splitlines()
    }
    assert {decode_ways.PLAIN, decode_ways.UNSPECULATED, decode_ways.AUTO} < ways
    (plot,) = result["plots"]
    assert plot["series"][0]["x"] == [10.0]
    tables = {table["title"]: table["rows"] for table in result["tables"]}
    assert tables["Decoding with drafts"][0][:3] == [10, "off the shelf", 2]
    assert "kept" in result["protocol"]


@pytest.mark.parametrize("text", ["", "0,1", "a", "1;2"])
def test_lists_are_checked(text: str) -> None:
    with pytest.raises(JobFailed, match="no list of exit layers"):
        whole_numbers(text, "exit layers")


def test_lists_are_sorted_and_each_number_stands_once() -> None:
    assert whole_numbers("3, 1,3", "numbers") == [1, 3]
