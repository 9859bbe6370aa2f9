"""The pauses job: binning, quantiles, and the whole real corpus."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from engine.errors import DataUnavailable
from engine.evaluation.turns import pause_fits, pauses
from engine.evaluation.turns.work import Work
from engine.events import Evidence
from engine.records.runs import ActiveRun
from engine.training.corpora import ami
from tests.engine.evaluation.turns.test_silences import HAND, meeting, said
from tests.engine.training.corpora.test_ami import document


@pytest.fixture
def job(tmp_path: Path) -> ActiveRun:
    return ActiveRun(tmp_path, evidence=Evidence.MEASURED, stream=io.StringIO())


def _lengths(table: np.ndarray) -> list[int]:
    return np.repeat(np.arange(len(table)), table).tolist()


def test_the_hand_checked_meetings_pauses() -> None:
    found = {reading: _lengths(table) for reading, table in pauses.durations(HAND).items()}
    assert found == {
        "pauses": [500, 1500],
        "longest_silence": [400, 500, 1000, 1100, 1500],
        "vocal_sounds_cover": [500, 1500],
    }


def test_pauses_outside_a_tenth_to_five_seconds_are_none() -> None:
    times = (0.0, 1.0), (1.099, 2.0), (2.1, 3.0), (8.0, 9.0), (14.001, 15.0)
    assert _lengths(pauses.durations(meeting(A=said(*times)))["pauses"]) == [100, 5000]


def test_quantiles_and_shares_are_numpys() -> None:
    rng = np.random.default_rng(0)
    lengths = rng.integers(100, 5001, 997)
    table = np.bincount(lengths, minlength=5001)[None].astype(float)
    found = pauses.statistics(table, (164.1, 2000.0, 0.0, 9000.0))[0]
    expected = [
        lengths.mean(),
        *np.quantile(lengths, pauses.QUANTILES, method="inverted_cdf"),
        (lengths >= 164.1).mean(),
        (lengths >= 2000).mean(),
        1.0,
        0.0,
    ]
    assert found == pytest.approx(expected)


def test_all_meetings_of_the_real_corpus(data: Path, job: ActiveRun) -> None:
    result = pauses.run(job, data=data, exclude="", work_ms=None, answers=0, strict=False)
    json.dumps(result)
    assert result["counts"]["meetings"] == 171
    assert result["counts"]["files"] == 687
    assert result["counts"]["words"] == 978_214
    defects = result["defects"]
    assert defects["words_without_times"]["total"] == 2
    assert defects["words_longer_than_2_s"]["total"] == 4522
    assert len(defects["files_without_words"]["meetings"]) == 5
    assert defects["known_bad_timings"].keys() == ami.BAD_TIMINGS.keys()
    assert defects["malformed_files"] == []
    strict = result["pauses"]
    assert strict["count"]["value"] == sum(result["histogram"]["pauses"]) == 9866
    assert strict["median"]["low"] <= strict["median"]["value"] <= strict["median"]["high"]
    assert "171 meetings" in strict["median"]["method"]
    assert result["without_known_bad_timings"]["count"]["value"] < 9866
    # The page's own 96.6 % is met best by the reading that keeps a gap's longest silence.
    shares = [result[r]["share_at_least_164.1_ms"]["value"] for r in ("longest_silence", "pauses")]
    assert abs(shares[0] - 0.966) < 0.005 < abs(shares[1] - 0.966)


def _corpus(folder: Path, **files: bytes) -> None:
    with zipfile.ZipFile(folder / ami.FILE, "w") as packed:
        for name, body in files.items():
            packed.writestr(f"words/{name.replace('_', '.')}.words.xml", document(body))


SPEECH = b'<w starttime="0" endtime="1">a</w><w starttime="1.5" endtime="2">b</w>'


def test_a_meeting_with_a_malformed_file_is_left_out_and_named(
    tmp_path: Path, job: ActiveRun
) -> None:
    _corpus(tmp_path, M1_A=SPEECH, M2_A=SPEECH, M3_A=SPEECH, M3_B=b"<w>")
    result = pauses.run(job, data=tmp_path, exclude="", work_ms=450.0, answers=0, strict=False)
    assert result["counts"]["meetings"] == 2
    assert result["pauses"]["count"]["value"] == 2
    assert result["pauses"]["share_at_least_450_ms"]["value"] == 1.0
    (problem,) = result["defects"]["malformed_files"]
    assert problem.startswith("words/M3.B.words.xml")


def test_nothing_is_reported_without_two_usable_meetings(tmp_path: Path, job: ActiveRun) -> None:
    _corpus(tmp_path, M1_A=SPEECH, M2_A=b"<w>")
    with pytest.raises(DataUnavailable, match="fewer than two usable"):
        pauses.run(job, data=tmp_path, exclude="", work_ms=None, answers=0, strict=False)


def test_meetings_without_a_pause_give_no_figures(tmp_path: Path, job: ActiveRun) -> None:
    _corpus(tmp_path, M1_A=b"<w>x</w>", M2_A=b"<w>y</w>")
    with pytest.raises(DataUnavailable, match="no pause"):
        pauses.run(job, data=tmp_path, exclude="", work_ms=None, answers=0, strict=False)


def test_too_few_pauses_for_resampling_give_figures_without_intervals(
    tmp_path: Path, job: ActiveRun
) -> None:
    _corpus(tmp_path, M1_A=SPEECH, M2_A=b"<w>y</w>")
    median = pauses.run(job, data=tmp_path, exclude="", work_ms=None, answers=0, strict=False)[
        "pauses"
    ]["median"]
    assert median["value"] == 500
    assert "low" not in median


def work(ms: float) -> Work:
    return Work(shallow_ms=ms, deep_ms=ms, step_ms=ms, branch_ms=ms, prompt_tokens=1, tokens=1)


@pytest.mark.parametrize("ms", [0.2, 99.9, 100.0, 100.1, 437.5, 5000.0, 5000.5, 9000.0])
def test_pauses_fit_work_that_is_no_longer_than_they_are(ms: float) -> None:
    rng = np.random.default_rng(5)
    lengths = [100 * rng.integers(1, 51, 60) for _ in range(4)]
    table = np.stack([np.bincount(each, minlength=5001) for each in lengths])
    found = pause_fits.fitting(table, [work(ms)], Evidence.MEASURED)["a_step"]
    assert found["takes"].value == ms
    assert found["share"].value == pytest.approx((np.concatenate(lengths) >= ms).mean())
    assert found["share"].evidence is Evidence.DERIVED


def test_doubt_about_the_work_widens_the_interval_of_its_share() -> None:
    table = np.stack([np.bincount(np.arange(100, 5001), minlength=5001)] * 20)
    sure, unsure = (
        pause_fits.fitting(
            table, [work(1000.0 + n * step) for n in range(-5, 6)], Evidence.MEASURED
        )
        for step in (0.1, 100.0)
    )
    narrow, wide = sure["a_step"]["share"].interval, unsure["a_step"]["share"].interval
    assert narrow is not None
    assert wide is not None
    assert narrow.high - narrow.low < 0.001  # the meetings are all alike
    assert wide.high - wide.low > 0.1


@pytest.mark.usefixtures("models")
def test_work_is_measured_in_the_same_run_and_shown_beside_the_pauses(
    tmp_path: Path, job: ActiveRun
) -> None:
    _corpus(tmp_path, M1_A=SPEECH, M2_A=SPEECH)
    result = pauses.run(job, data=tmp_path, exclude="", work_ms=None, answers=2, strict=False)
    json.dumps(result, allow_nan=False)
    takes = {name: both["takes"]["value"] for name, both in result["fits"].items()}
    assert 0 < takes["a_step"] < takes["a_whole_branch"]
    assert takes["a_prefill"] < takes["a_first_token"] < takes["a_whole_branch"]
    for both in result["fits"].values():
        assert both["share"]["value"] == (1.0 if both["takes"]["value"] <= 500 else 0.0)
    titles = {table["title"] for table in result["tables"]}
    assert {"Pauses long enough for work of the decoder", "Conditions of the measurement"} < titles
    kept = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert sum(line.get("kind") == "work" for line in kept) == 1 + 1 + 2
