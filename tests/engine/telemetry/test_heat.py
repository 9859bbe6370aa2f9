"""Heat as different machines show it."""

from __future__ import annotations

from pathlib import Path

from engine.telemetry.heat import COOL_C, HOT_C, HeatWatch
from tests.engine.telemetry import kernel


def temperature(root: Path, celsius: float) -> Path:
    return kernel.write(
        root,
        {
            "class/hwmon/hwmon0/name": "coretemp",
            "class/hwmon/hwmon0/temp1_label": "Package id 0",
            "class/hwmon/hwmon0/temp1_input": round(celsius * 1000),
        },
    )


def test_a_machine_without_sensors_is_never_hot(tmp_path: Path) -> None:
    watch = HeatWatch(tmp_path)
    assert not watch.look()
    assert (watch.hot, watch.reason, watch.temperature_c) == (False, "", None)


def test_heat_begins_at_one_temperature_and_ends_at_a_lower_one(tmp_path: Path) -> None:
    watch = HeatWatch(temperature(tmp_path, HOT_C - 0.1))
    assert not watch.look(100.0)
    temperature(tmp_path, 97)
    assert watch.look(101.0)
    assert (watch.hot, watch.reason) == (True, "97 °C")
    temperature(tmp_path, COOL_C)
    assert not watch.look(102.0)
    assert watch.hot
    temperature(tmp_path, COOL_C - 0.1)
    assert watch.look(103.0)
    assert not watch.hot
    temperature(tmp_path, HOT_C - 0.1)
    assert not watch.look(104.0)
    assert not watch.hot


def test_a_throttled_processor_stays_hot_for_half_a_minute(tmp_path: Path) -> None:
    kernel.throttles(temperature(tmp_path, 70), {0: (5, 9), 1: (5, 9)})
    watch = HeatWatch(tmp_path)
    assert not watch.look(100.0)  # what happened before does not count
    kernel.throttles(tmp_path, {0: (6, 9), 1: (6, 9)})
    assert watch.look(101.0)
    assert watch.reason == "70 °C"
    assert not watch.look(130.0)
    assert watch.hot
    assert watch.look(132.1)
    assert not watch.hot


def test_throttling_without_a_thermometer_is_named(tmp_path: Path) -> None:
    watch = HeatWatch(kernel.throttles(tmp_path, {0: (5, 9)}))
    kernel.throttles(tmp_path, {0: (5, 10)})
    assert watch.look()
    assert watch.reason == "the processor was throttled"


def test_the_sensors_are_read_once_a_second_at_most(tmp_path: Path) -> None:
    watch = HeatWatch(temperature(tmp_path, 60))
    watch.look(100.0)
    temperature(tmp_path, 97)
    assert not watch.look(100.9)
    assert watch.look(101.0)
