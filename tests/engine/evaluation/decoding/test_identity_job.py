from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from engine.errors import JobFailed
from engine.evaluation.decoding import identity, identity_job
from engine.events import Evidence
from engine.records.runs import ActiveRun


@pytest.mark.usefixtures("models")
def test_the_job_compares_every_prompt_and_shows_the_verdict(tmp_path: Path) -> None:
    job = ActiveRun(tmp_path, evidence=Evidence.MEASURED, stream=io.StringIO())
    result = identity_job.run(job, prompts=2, format_prompts=1, tokens=6, formats="", data=None)
    json.dumps(result, allow_nan=False)
    assert (result["prompts"], result["divergences"]) == (2, 0)
    assert result["verdict"] in (identity.EXACT, identity.ROUNDING)
    kept = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert [line["same"] for line in kept] == [True, True]
    ((row,),) = (table["rows"] for table in result["tables"])
    assert row[0] == "default"
    assert row[3]["value"] == 0


def test_a_difference_that_nobody_announced_fails_the_job() -> None:
    same = {"model": "default", "verdict": identity.EXACT}
    rounding = {"model": "F16", "verdict": identity.ROUNDING}
    identity_job.refuse_silent([same, rounding])
    with pytest.raises(JobFailed, match="changed served tokens with Q4_1"):
        identity_job.refuse_silent([same, {"model": "Q4_1", "verdict": identity.DIFFERENT}])


def test_unknown_number_formats_are_refused() -> None:
    assert identity_job.chosen_formats(" Q4_0, F16 ,") == ["Q4_0", "F16"]
    assert identity_job.chosen_formats("") == []
    with pytest.raises(JobFailed, match="no number format Q5"):
        identity_job.chosen_formats("Q5,F16")
