"""Vital signs: each with evidence or a reason, sampled by a thread that ends."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import psutil
import pytest

from engine.events import Evidence, Reading, VitalsRead, WorkerDied
from engine.outbox import Outbox
from engine.telemetry.vitals import Sampler, VitalsReader, core_loads
from tests.engine.telemetry import kernel


@pytest.fixture
def laptop(tmp_path: Path) -> Path:
    kernel.dmi(tmp_path, "Dell Inc.", "Latitude 5490")
    kernel.rapl(tmp_path, package_uj=0)
    kernel.throttles(tmp_path, {0: (0, 0)})
    return kernel.write(
        tmp_path,
        {
            "class/hwmon/hwmon0/name": "coretemp",
            "class/hwmon/hwmon0/temp1_label": "Package id 0",
            "class/hwmon/hwmon0/temp1_input": 72_000,
            "devices/system/cpu/cpu0/cpufreq/scaling_cur_freq": 3_400_000,
        },
    )


def test_all_signs_of_the_target_machine(laptop: Path) -> None:
    reader = VitalsReader(laptop, laptop)
    kernel.throttles(laptop, {0: (2, 1)})
    vitals = reader.read()
    assert vitals.temperature == Reading(value=72.0, unit="°C", evidence=Evidence.TARGET)
    assert vitals.clock == Reading(value=3400.0, unit="MHz", evidence=Evidence.TARGET)
    assert vitals.throttles == Reading(value=3.0, unit="events", evidence=Evidence.TARGET)
    assert vitals.own_memory.value is not None
    assert vitals.own_memory.value > 0
    assert len(vitals.core_loads) == psutil.cpu_count()


def test_missing_sensors_are_reasons_and_never_zero(tmp_path: Path) -> None:
    vitals = VitalsReader(tmp_path, tmp_path).read()
    for sign in (vitals.clock, vitals.temperature, vitals.throttles, vitals.energy):
        assert sign.value is None
        assert sign.evidence is Evidence.UNAVAILABLE
        assert len(sign.reason) > 20
    assert vitals.memory_total.evidence is Evidence.MEASURED
    assert vitals.memory_total.value is not None


def test_core_loads_are_busy_shares() -> None:
    before, now = [(10.0, 100.0), (0.0, 50.0)], [(10.25, 101.0), (2.0, 52.0)]
    assert core_loads(before, now) == pytest.approx((25.0, 100.0))


def test_core_loads_survive_clocks_that_stand_or_step_back() -> None:
    before, now = [(10.0, 100.0), (5.0, 50.0)], [(10.0, 100.0), (4.0, 51.0), (1.0, 9.0)]
    assert core_loads(before, now) == (0.0, 0.0, 0.0)


def test_sampler_shows_the_newest_and_ends() -> None:
    outbox = Outbox()
    sampler = Sampler(outbox, period_s=0.001)
    sampler.start()
    gauges = await_gauges(outbox)
    assert sampler.stop()
    assert [type(gauge) for gauge in gauges] == [VitalsRead]
    assert not any(thread.name == "vitals" for thread in threading.enumerate())


def test_sampler_that_never_started_stops() -> None:
    assert Sampler(Outbox()).stop()


def test_sampler_that_fails_says_so() -> None:
    def broken() -> VitalsReader:
        raise RuntimeError("no such sensor")

    outbox = Outbox()
    sampler = Sampler(outbox, reader=broken)
    sampler.start()
    assert outbox.wait(10)
    assert sampler.stop()
    events, _ = outbox.drain()
    assert events == [WorkerDied(heard_s=0.0, name="vitals", reason="no such sensor")]


def await_gauges(outbox: Outbox) -> list[object]:
    """The first gauges shown; waits for a real thread, at most ten seconds."""
    deadline_s = time.monotonic() + 10
    while time.monotonic() < deadline_s:
        _, gauges = outbox.drain()
        if gauges:
            return gauges
        threading.Event().wait(0.005)
    raise AssertionError("the sampler showed nothing")
