"""Job thermal on a laptop's kernel files and on a machine that tells nothing."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.evaluation.machine import thermal
from engine.evaluation.machine.thermal import Reply
from engine.events import Evidence
from engine.records.evidence import Figure
from engine.records.runs import ActiveRun
from tests.engine.telemetry import kernel

pytestmark = pytest.mark.usefixtures("models")
TEMPERATURE = "class/hwmon/hwmon0/temp1_input"


@pytest.fixture
def job(tmp_path: Path) -> ActiveRun:
    (tmp_path / "run").mkdir()
    return ActiveRun(tmp_path / "run", evidence=Evidence.MEASURED, stream=io.StringIO())


def soaked(job: ActiveRun, root: Path, seconds: float) -> dict[str, Any]:
    result = thermal.soak(job, seconds, 1, root=root)
    json.dumps(result, allow_nan=False)
    return result


class Told(io.StringIO):
    """What a job tells, which calls `then` when decoding has begun."""

    def __init__(self, then: Callable[[], None]) -> None:
        super().__init__()
        self._then: Callable[[], None] | None = then

    def write(self, text: str) -> int:
        if "Decoding" in text and self._then is not None:
            self._then, then = None, self._then
            then()
        return super().write(text)


def test_a_laptop_that_gets_hot_is_seen(tmp_path: Path) -> None:
    root = kernel.rapl(tmp_path / "sys", package_uj=5_000_000)
    kernel.throttles(root, {0: (0, 0)})
    kernel.write(
        root,
        {
            "class/hwmon/hwmon0/name": "coretemp",
            "class/hwmon/hwmon0/temp1_label": "Package id 0",
            TEMPERATURE: 60_000,
            "devices/system/cpu/cpu0/cpufreq/scaling_cur_freq": 3_400_000,
        },
    )

    def heat() -> None:
        kernel.write(root, {TEMPERATURE: 97_000})
        kernel.throttles(root, {0: (4, 0)})
        kernel.write(root, {"class/powercap/intel-rapl:0/energy_uj": 101_000_000})

    (tmp_path / "run").mkdir()
    # The first sample has been taken then, and the last one has not, however long a reply takes.
    job = ActiveRun(tmp_path / "run", evidence=Evidence.MEASURED, stream=Told(heat))
    result = soaked(job, root, 3.0)
    assert result["hottest"]["value"] == 97.0
    assert 0 < result["share_above_95"]["value"] < 1
    assert result["throttles"]["value"] == 4
    assert result["verdict"] == "throttled"
    tokens = sum(
        json.loads(line)["tokens"]
        for line in (job.folder / "metrics.jsonl").read_text().splitlines()
    )
    assert result["energy_a_token"]["value"] == pytest.approx(96.0 / tokens)
    assert result["lowest_clock"]["value"] == 3400.0
    assert result["protocol"]["rules"]["heat_is_the_subject"]
    assert not any("slowed the processor" in words for words in result["protocol"]["broken"])
    titles = {plot["title"] for plot in result["plots"]}
    assert titles == {"Speed", "Temperature", "Clock", "Slowed down by heat, in all"}


def test_a_machine_without_sensors_reports_speed_and_refuses_the_rest(
    job: ActiveRun, tmp_path: Path
) -> None:
    result = soaked(job, tmp_path / "nothing", 2.0)
    for name in ("hottest", "share_above_95", "throttles", "energy_a_token"):
        assert result[name]["value"] is None
        assert result[name]["reason"]
    assert result["verdict"] == "undecided"
    assert result["cold"]["value"] > 0
    assert [plot["title"] for plot in result["plots"]] == ["Speed"]


def figure(value: float | None) -> Figure:
    if value is None:
        return Figure(value=None, evidence=Evidence.UNAVAILABLE, reason="no sensor")
    return Figure(value=value, evidence=Evidence.MEASURED)


@pytest.mark.parametrize(
    ("share", "throttles", "verdict"),
    [
        (0.0, 0.0, "cool"),
        (0.2, 0.0, "hot"),
        (0.2, 3.0, "throttled"),
        (None, 3.0, "throttled"),
        (None, 0.0, "undecided"),
        (None, None, "undecided"),
        (0.0, None, "cool"),
    ],
)
def test_verdicts(share: float | None, throttles: float | None, verdict: str) -> None:
    assert thermal.verdict(figure(share), figure(throttles)) == verdict


def test_replies_are_resampled_by_stretches() -> None:
    replies = [
        Reply(0.4, 1.0, 10, 0.5),
        Reply(3.8, 4.9, 10, 1.0),
        Reply(4.9, 5.1, 10, 2.0),
        Reply(20.0, 21.0, 10, 1.0),
    ]
    assert thermal.windows(replies) == [(20, 1.5), (10, 2.0), (10, 1.0)]


def test_speed_lost_to_heat_is_told_with_its_interval() -> None:
    cold = [Reply(s - 1.0, float(s), 40, 1.0) for s in range(1, 60)]
    hot = [Reply(s - 1.0, float(s), 30 + s % 2, 1.0) for s in range(200, 260)]
    found = thermal.speeds([*cold, *hot], 260.0, Evidence.MEASURED)
    ratio = found["soaked_against_cold"]
    assert ratio.value == pytest.approx(0.7625, abs=0.01)
    assert ratio.evidence is Evidence.DERIVED
    assert ratio.interval is not None
    assert ratio.interval.high < 0.8


def test_a_load_too_short_for_a_beginning_and_an_end_gives_no_speed() -> None:
    for replies in ([], [Reply(0.0, 2.0, 40, 2.0)]):
        found = thermal.speeds(replies, 60.0, Evidence.MEASURED)
        assert {one.evidence for one in found.values()} == {Evidence.UNAVAILABLE}
        assert "give it more minutes" in found["soaked_against_cold"].reason
