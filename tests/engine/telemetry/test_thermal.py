"""Temperature, clock and throttling as different machines show them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.telemetry import thermal
from engine.telemetry.readings import Unreadable
from engine.telemetry.thermal import ThrottleCounter
from tests.engine.telemetry import kernel

GUEST = "processor\t: 0\nflags\t\t: fpu avx2 hypervisor\ncpu MHz\t\t: 2300.000"
HOST = (
    "processor\t: 0\nflags\t\t: fpu avx2\ncpu MHz\t\t: 1200.000\n\nprocessor : 1\ncpu MHz : 800.0"
)


def test_package_sensor_comes_before_hotter_parts_of_the_machine(tmp_path: Path) -> None:
    kernel.write(
        tmp_path,
        {
            "class/hwmon/hwmon0/name": "nvme",
            "class/hwmon/hwmon0/temp1_input": 99_000,
            "class/hwmon/hwmon1/name": "coretemp",
            "class/hwmon/hwmon1/temp1_label": "Package id 0",
            "class/hwmon/hwmon1/temp1_input": 61_500,
            "class/hwmon/hwmon1/temp2_label": "Core 0",
            "class/hwmon/hwmon1/temp2_input": 63_000,
        },
    )
    assert thermal.temperature_c(tmp_path) == 61.5


def test_hottest_core_stands_in_for_a_missing_package_sensor(tmp_path: Path) -> None:
    kernel.write(
        tmp_path,
        {
            "class/hwmon/hwmon0/name": "nvme",
            "class/hwmon/hwmon0/temp1_input": 99_000,
            "class/hwmon/hwmon1/name": "coretemp",
            "class/hwmon/hwmon1/temp2_input": 63_000,
            "class/hwmon/hwmon1/temp3_input": 64_000,
            "class/hwmon/hwmon1/temp4_input": "",
        },
    )
    assert thermal.temperature_c(tmp_path) == 64.0


def test_thermal_zone_is_the_last_resort(tmp_path: Path) -> None:
    kernel.write(
        tmp_path,
        {
            "class/thermal/thermal_zone0/type": "acpitz",
            "class/thermal/thermal_zone0/temp": 80_000,
            "class/thermal/thermal_zone1/type": "x86_pkg_temp",
            "class/thermal/thermal_zone1/temp": 48_000,
        },
    )
    assert thermal.temperature_c(tmp_path) == 48.0


def test_no_temperature_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="no processor temperature"):
        thermal.temperature_c(tmp_path)


def test_clock_is_the_mean_of_the_cores(tmp_path: Path) -> None:
    cpus = {f"devices/system/cpu/cpu{n}/cpufreq/scaling_cur_freq": n * 1_000_000 for n in (1, 3)}
    assert thermal.clock_mhz(kernel.write(tmp_path, cpus), tmp_path) == 2000.0


def test_clock_of_a_real_machine_without_cpufreq(tmp_path: Path) -> None:
    kernel.write(tmp_path, {"cpuinfo": HOST})
    assert thermal.clock_mhz(tmp_path, tmp_path) == 1000.0


def test_nominal_clock_of_a_guest_is_not_taken_for_the_real_one(tmp_path: Path) -> None:
    kernel.write(tmp_path, {"cpuinfo": GUEST})
    with pytest.raises(Unreadable, match="virtual machine"):
        thermal.clock_mhz(tmp_path, tmp_path)


def test_no_clock_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="does not tell the clock"):
        thermal.clock_mhz(tmp_path, tmp_path)


def test_each_core_and_each_package_counts_once(tmp_path: Path) -> None:
    kernel.throttles(tmp_path, {0: (100, 7), 1: (100, 7), 2: (40, 7), 3: (40, 7)})
    counter = ThrottleCounter(tmp_path)
    assert counter.events() == 0  # of before this program nothing is counted
    kernel.throttles(tmp_path, {0: (103, 9), 1: (103, 9), 2: (41, 9), 3: (41, 9)})
    assert counter.events() == 3 + 1 + 2


def test_no_throttle_count_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="does not count thermal throttling"):
        ThrottleCounter(tmp_path).events()


def test_the_hottest_core_and_each_clock_are_told(tmp_path: Path) -> None:
    kernel.write(
        tmp_path,
        {
            "class/hwmon/hwmon1/name": "coretemp",
            "class/hwmon/hwmon1/temp1_label": "Package id 0",
            "class/hwmon/hwmon1/temp1_input": 61_500,
            "class/hwmon/hwmon1/temp2_label": "Core 0",
            "class/hwmon/hwmon1/temp2_input": 63_000,
            "class/hwmon/hwmon1/temp3_label": "Core 1",
            "class/hwmon/hwmon1/temp3_input": 58_000,
            "devices/system/cpu/cpu0/cpufreq/scaling_cur_freq": 1_300_000,
            "devices/system/cpu/cpu1/cpufreq/scaling_cur_freq": 4_300_000,
        },
    )
    assert thermal.core_temperature_c(tmp_path) == 63.0
    assert thermal.core_clocks_mhz(tmp_path, tmp_path) == [1300, 4300]
    assert thermal.clock_mhz(tmp_path, tmp_path) == 2800


def test_without_a_sensor_a_core_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="single cores"):
        thermal.core_temperature_c(tmp_path)
