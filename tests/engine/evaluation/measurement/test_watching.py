"""The watch over a measurement: what it tells of a laptop, and what it refuses."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.errors import JobFailed
from engine.evaluation.measurement import watching
from engine.evaluation.measurement.protocol import Rules
from engine.evaluation.measurement.watching import watched
from engine.events import Evidence
from engine.records.plots import Table
from engine.records.runs import ActiveRun
from tests.engine.telemetry import kernel

TOLERANT = Rules(most_background_cores=1000.0)
CPU = "devices/system/cpu"


@pytest.fixture
def job(tmp_path: Path) -> ActiveRun:
    (tmp_path / "run").mkdir()
    return ActiveRun(tmp_path / "run", evidence=Evidence.MEASURED, stream=io.StringIO())


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second of silence before and after is not what is tested here."""
    monkeypatch.setattr(watching, "_SETTLING_S", 0.05)


@pytest.fixture
def laptop(tmp_path: Path) -> Path:
    """A laptop on the mains at a fixed clock."""
    root = kernel.rapl(tmp_path / "sys", package_uj=1_000_000)
    kernel.throttles(root, {0: (0, 0)})
    return kernel.write(
        root,
        {
            f"{CPU}/cpu0/cpufreq/scaling_governor": "performance",
            f"{CPU}/cpu0/cpufreq/scaling_cur_freq": 2_000_000,
            f"{CPU}/intel_pstate/no_turbo": 1,
            "class/power_supply/AC/type": "Mains",
            "class/power_supply/AC/online": 1,
            "class/power_supply/BAT0/type": "Battery",
            "class/power_supply/BAT0/status": "Charging",
            "class/hwmon/hwmon0/name": "coretemp",
            "class/hwmon/hwmon0/temp1_label": "Package id 0",
            "class/hwmon/hwmon0/temp1_input": 61_000,
        },
    )


def test_a_laptop_at_rest_keeps_the_protocol(job: ActiveRun, laptop: Path) -> None:
    with watched(job, TOLERANT, strict=True, root=laptop) as watch:
        kernel.write(laptop, {"class/powercap/intel-rapl:0/energy_uj": 3_500_000})
    record = watch.record()
    assert record["kept"]
    assert record["before"]["governors"] == ("performance",)
    assert (record["before"]["turbo"], record["before"]["on_battery"]) == (False, False)
    assert record["hottest"]["value"] == 61.0
    assert record["energy"]["value"] == pytest.approx(2.5)
    assert record["peak_memory"]["value"] > 10
    kept = (job.folder / "conditions.jsonl").read_text("utf-8").splitlines()
    assert len(kept) == len(watch.samples) >= 2
    assert json.loads(kept[0])["clock_mhz"] == 2000.0
    assert watch.table().rows[0] == ["protocol", "kept"]


Break = Callable[[Path], object]
BATTERY = {"class/power_supply/AC/online": 0, "class/power_supply/BAT0/status": "Discharging"}


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (lambda root: kernel.write(root, BATTERY), "battery"),
        (
            lambda root: kernel.write(root, {f"{CPU}/cpu0/cpufreq/scaling_governor": "powersave"}),
            "clock is not fixed",
        ),
        (lambda root: kernel.write(root, {f"{CPU}/intel_pstate/no_turbo": 0}), "switched"),
        (lambda root: kernel.throttles(root, {0: (3, 0)}), "slowed the processor down 3 times"),
    ],
)
def test_what_breaks_the_protocol_meanwhile_is_said_loudly(
    broken: Break, said: str, tmp_path: Path, laptop: Path
) -> None:
    told = io.StringIO()
    with watched(
        ActiveRun(tmp_path, evidence=Evidence.MEASURED, stream=told), TOLERANT, root=laptop
    ) as watch:
        broken(laptop)
    assert "PROTOCOL BROKEN" in told.getvalue()
    assert said in told.getvalue()
    assert not watch.record()["kept"]
    assert said in watch.record()["broken"][0]
    assert watch.table().rows[0][0] == "PROTOCOL BROKEN"


def test_a_broken_protocol_stands_before_everything_else(job: ActiveRun, laptop: Path) -> None:
    found = Table(title="what was found", columns=("a",))

    def titles() -> list[str]:
        with watched(job, TOLERANT, root=laptop) as watch:
            pass
        return [table["title"] for table in watch.result([], [found])["tables"]]

    assert titles()[0] == "what was found"
    kernel.write(laptop, BATTERY)
    assert titles()[-1] == "what was found"


def test_what_breaks_it_meanwhile_is_refused_on_demand(job: ActiveRun, laptop: Path) -> None:
    with (
        pytest.raises(JobFailed, match="refused"),
        watched(job, TOLERANT, strict=True, root=laptop),
    ):
        kernel.write(laptop, BATTERY)


def test_a_broken_protocol_is_refused_before_anything_is_measured(
    job: ActiveRun, laptop: Path
) -> None:
    kernel.write(laptop, BATTERY)
    measured = False
    with (
        pytest.raises(JobFailed, match="battery"),
        watched(job, TOLERANT, strict=True, root=laptop),
    ):
        measured = True
    assert not measured


def test_throttling_is_no_fault_where_heat_is_the_subject(job: ActiveRun, laptop: Path) -> None:
    rules = Rules(most_background_cores=1000.0, heat_is_the_subject=True)
    with watched(job, rules, root=laptop) as watch:
        kernel.throttles(laptop, {0: (3, 0)})
    assert watch.record()["kept"]
    assert watch.record()["throttles"]["value"] == 3


def test_work_of_other_programs_breaks_the_protocol(job: ActiveRun, laptop: Path) -> None:
    with watched(job, TOLERANT, root=laptop) as watch:
        pass
    watch.quiet_before = 1001.5
    assert "1001.50 cores busy before" in watch.broken()[0]


def test_a_machine_that_tells_nothing_gives_reasons(job: ActiveRun, tmp_path: Path) -> None:
    with watched(job, TOLERANT, root=tmp_path / "nothing") as watch:
        pass
    record = watch.record()
    assert record["kept"]
    for name, why in (
        ("hottest", "shows no processor temperature"),
        ("throttles", "does not count thermal throttling"),
        ("energy", "shows no energy counter"),
    ):
        assert record[name]["value"] is None
        assert why in record[name]["reason"]
    assert record["before"]["on_battery"] is record["before"]["turbo"] is None
