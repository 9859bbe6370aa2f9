"""Heat as different machines show it."""

from __future__ import annotations

from pathlib import Path

from engine.telemetry.heat import HOT_C, HeatWatch
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
    assert not HeatWatch(tmp_path).hot()


def test_the_temperature_alone_tells_heat_and_its_end(tmp_path: Path) -> None:
    watch = HeatWatch(temperature(tmp_path, HOT_C - 0.1))
    assert not watch.hot()
    temperature(tmp_path, HOT_C)
    assert watch.hot()
    temperature(tmp_path, 60)
    assert not watch.hot()


def test_a_throttled_processor_stays_hot_for_half_a_minute(tmp_path: Path) -> None:
    kernel.throttles(temperature(tmp_path, 70), {0: (5, 9), 1: (5, 9)})
    watch = HeatWatch(tmp_path)
    assert not watch.hot(100.0)  # what happened before does not count
    kernel.throttles(tmp_path, {0: (6, 9), 1: (6, 9)})
    assert watch.hot(101.0)
    assert watch.hot(130.0)
    assert not watch.hot(131.1)
